/** The variables of simulated phones mean these phones, whatever the shell has. */
import { expect, onTestFinished, test } from 'vitest'
import { connectFrom } from '../../src/client/connect.ts'
import { startPhones } from '../../src/client/start-phones.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { startStubServer } from './stub-server.ts'

test('a server of the shell is not asked', async () => {
  const { url, asked } = await startStubServer(() => {})
  const phones = await startPhones()
  onTestFinished(() => phones.close())
  const shell = { SVC_URL: url, SVC_DEVICE_ID: 'another' }
  // No program could start the daemon of these phones: the call gets as far as that.
  const connected = connectFrom({ env: phones.env }, { env: shell, program: 'none', clock: systemClock() })
  await expect(connected).rejects.toMatchObject({ code: 'DAEMON_START_FAILED' })
  expect(asked).toEqual([])
})
