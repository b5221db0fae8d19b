/** The time of a call is that of all its tries together, and of the start of a daemon with them. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { connectFrom } from '../../../src/surfaces/library/connect.ts'
import { temporary } from '../../support/temporary.ts'
import { connectHere, startStubServer } from './stub-server.ts'

const root = temporary('svc-time-')

test('a server that says nothing is asked once within the time of a call', async () => {
  const { url, asked } = await startStubServer(() => {})
  const svc = await connectHere({ url })
  await expect(svc.devices.list({ timeoutMs: 200 })).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' })
  expect(asked).toHaveLength(1)
})

test('an abort ends a call that waits for the start of a daemon', async () => {
  const home = mkdtempSync(join(root(), 'home-'))
  const program = join(home, 'slow.cjs')
  writeFileSync(program, 'setTimeout(() => {}, 3000)')
  const connected = connectFrom(
    { env: { SVC_HOME: home }, signal: AbortSignal.timeout(100) },
    { env: {}, program, clock: systemClock() },
  )
  await expect(connected).rejects.toMatchObject({ code: 'EXECUTION_CANCELLED', dispatched: false })
})
