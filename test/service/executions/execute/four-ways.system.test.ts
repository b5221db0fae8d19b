/** One suite, and every way an execution can take to a device. */
import { describe } from 'vitest'
import { keyboardApk, snapshotApk } from '../../../support/device/helper-apks.ts'
import { needs } from '../../../support/needs.ts'
import { executionSuite } from './suite.ts'

/** The helpers are installed, the operator app is not. */
const uiautomator = {
  operator: 'none',
  operatorPackage: 'svc.uiautomator',
  apks: [snapshotApk(), keyboardApk()],
} as const

executionSuite({ name: 'direct TCP, session socket', transport: 'direct', operator: 'socket', isFull: true })
executionSuite({ name: 'direct TCP, broadcast and log', transport: 'direct', operator: 'broadcast' })
executionSuite({ name: 'direct TCP, svc.shell', transport: 'direct', operator: 'none', operatorPackage: 'svc.shell' })
executionSuite({ name: 'direct TCP, svc.uiautomator', transport: 'direct', ...uiautomator })

describe.skipIf(!needs('adb'))('through a real adb server', { concurrent: true }, () => {
  executionSuite({ name: 'adb server, session socket', transport: 'server', operator: 'socket' })
  executionSuite({ name: 'adb server, broadcast and log', transport: 'server', operator: 'broadcast', isFull: true })
  executionSuite({ name: 'adb server, svc.shell', transport: 'server', operator: 'none', operatorPackage: 'svc.shell' })
  executionSuite({ name: 'adb server, svc.uiautomator', transport: 'server', ...uiautomator })
})
