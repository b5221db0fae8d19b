/** The variables of simulated phones mean these phones, whatever the shell has. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { placeOf, thisProcess } from '../../../src/runtime/processes/processes.ts'
import { connectFrom } from '../../../src/surfaces/library/connect.ts'
import { startPhones } from '../../../src/surfaces/library/start-phones.ts'
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

test('a home of a process that was killed is removed by the next start, and no other one', async () => {
  const place = placeOf(thisProcess().started)
  const left = mkdtempSync(join(tmpdir(), 'svc-ph-'))
  writeFileSync(join(left, 'owner.json'), JSON.stringify({ pid: process.pid, started: `${place}:1` }))
  const unnamed = mkdtempSync(join(tmpdir(), 'svc-ph-'))
  const elsewhere = mkdtempSync(join(tmpdir(), 'svc-ph-'))
  writeFileSync(join(elsewhere, 'owner.json'), JSON.stringify({ pid: process.pid, started: 'another boot@1:1' }))
  onTestFinished(() => {
    for (const home of [left, unnamed, elsewhere]) rmSync(home, { recursive: true, force: true })
  })
  const first = await startPhones()
  onTestFinished(() => first.close())
  const second = await startPhones()
  await second.close()
  expect([left, unnamed, elsewhere, first.env.SVC_HOME].map(home => existsSync(home))).toEqual([
    false,
    true,
    true,
    true,
  ])
  expect(existsSync(second.env.SVC_HOME)).toBe(false)
})
