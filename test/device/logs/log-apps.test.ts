/** Which application writes a line: by its user, and by its process where that does not say it. */
import { expect, test } from 'vitest'
import { createLogApps } from '../../../src/device/logs/log-apps.ts'
import { createRecordReader, type LogRecord } from '../../../src/device/logs/log-records.ts'
import type { LogEntry } from '../../../src/simulator/phone-parts.ts'
import { binaryEntry } from '../../../src/simulator/shell/logcat-formats.ts'

const recordOf = (entry: Partial<LogEntry>): LogRecord => {
  const whole: LogEntry = {
    ...{ at: 0, micros: 0, pid: 1, tid: 1, uid: 0, buffer: 'main', level: 'I', tag: 'T', message: 'm' },
    ...entry,
  }
  const [record] = createRecordReader()(binaryEntry(whole))
  if (!record) throw new Error('no record')
  return record
}

const PRINTED = [
  'package:com.one uid:10100',
  'package:com.two  installer=null uid:10200,1010200',
  'package:com.shared.a uid:1000',
  'package:com.shared.b uid:1000',
  '  PID NAME',
  '  500 com.shared.b',
  '  501 com.shared.a:remote',
  '  502 init',
].join('\n')

const known = () => {
  const apps = createLogApps()
  apps.learn(PRINTED)
  return apps
}

test('by the user, also of another user of the device', () => {
  expect(known().applicationOf(recordOf({ uid: 10_100 }))).toBe('com.one')
  expect(known().applicationOf(recordOf({ uid: 1_010_200 }))).toBe('com.two')
})

test('by the process where several applications share a user', () => {
  expect(known().applicationOf(recordOf({ uid: 1_000, pid: 500 }))).toBe('com.shared.b')
  expect(known().applicationOf(recordOf({ uid: 1_000, pid: 501 }))).toBe('com.shared.a')
  expect(known().applicationOf(recordOf({ uid: 1_000, pid: 502 }))).toBeUndefined()
})

test('by a process that the log says was started, where the system tells no user', () => {
  const apps = known()
  const started = 'Start proc 900:com.one:push/u0a100 for service {com.one/.Push}'
  apps.hear(recordOf({ buffer: 'system', tag: 'ActivityManager', message: started }))
  expect(apps.applicationOf({ ...recordOf({ pid: 900 }), uid: undefined })).toBe('com.one')
})

test('a device that lists no package is told by its processes alone', () => {
  const apps = createLogApps()
  apps.learn('  PID NAME\n  500 com.any:remote')
  expect(apps.isInstalled('com.any')).toBe(true)
  expect(apps.applicationOf(recordOf({ uid: 10_500, pid: 500 }))).toBe('com.any')
})

test('a user that no package has is news once', () => {
  const apps = known()
  expect(apps.isNews(recordOf({ uid: 10_300 }))).toBe(true)
  expect(apps.isNews(recordOf({ uid: 10_300 }))).toBe(false)
  expect(apps.isNews(recordOf({ uid: 10_100 }))).toBe(false)
  expect(apps.isNews(recordOf({ uid: 99_001 }))).toBe(false)
  apps.learn('package:com.new uid:10300')
  expect(apps.applicationOf(recordOf({ uid: 10_300 }))).toBe('com.new')
})
