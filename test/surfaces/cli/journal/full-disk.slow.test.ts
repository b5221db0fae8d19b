/** A full disk, and one that is read-only: doctor says so, and the receipts can be read all the same. */
import { readdirSync, rmSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Check } from '../../../../src/service/doctor/check.ts'
import { checkDisk } from '../../../../src/surfaces/cli/doctor/host.ts'
import { runCli } from '../../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'
import { type SmallDisk, smallDisk } from '../../../support/small-disk.ts'

let lab: Lab
let disk: SmallDisk | undefined
let env: NodeJS.ProcessEnv
let executionId: string

const journal = () => join(disk?.path ?? '', '.svc', 'journal', 'journal.db')

beforeEach(async ({ skip }) => {
  disk = smallDisk()
  if (!disk) return skip('a small disk cannot be mounted here')
  lab = await startLab()
  env = { HOME: disk.path, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial }
  const ended = await runCli(['sleep', '0', '--log-level', 'info'], { env })
  expect(ended.code).toBe(0)
  executionId = /execution (\S+) was accepted/.exec(ended.stderr)?.[1] ?? ''
})
afterEach(async () => {
  await lab?.close()
  disk?.remove()
})

const checks = async () => {
  const ended = await runCli(['doctor'], { env })
  const told = ended.json<{ ok: boolean; checks: Check[] }>()
  expect(ended.code).toBe(told.ok ? 0 : 1)
  return { ok: told.ok, of: (name: string) => told.checks.find(check => check.name === name) }
}

const expectReceipts = async () => {
  const listed = await runCli(['executions', 'list'], { env })
  expect(listed.json()).toMatchObject({ count: 1, executions: [{ executionId, state: 'settled' }] })
  const shown = await runCli(['executions', 'show', executionId], { env })
  expect(shown.json()).toMatchObject({ execution: { executionId, state: 'settled' } })
  expect([listed.code, shown.code]).toEqual([0, 0])
}

test.each([
  ['as it was left', []],
  ['without the index of the WAL', ['-shm']],
])('a full disk, the journal %s', async (_, missing) => {
  for (const suffix of missing) rmSync(`${journal()}${suffix}`)
  disk?.fill()
  const full = await checks()
  expect(full.ok).toBe(false)
  expect(full.of('disk')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('is full'),
    hint: expect.stringContaining('Free space'),
    details: { freeBytes: 0 },
  })
  // SQLite brings the WAL into the file, and removes it, when the last process closes the journal.
  expect(readdirSync(dirname(journal()))).toEqual(expect.arrayContaining(['journal.db', 'journal.mark']))
  expect(readdirSync(dirname(journal())).filter(name => name.includes('doctor'))).toEqual([])
  await expectReceipts()

  disk?.empty()
  expect((await checks()).of('journal')).toMatchObject({ status: 'ok' })
  expect((await runCli(['press', 'home'], { env })).code).toBe(0)
})

test('a damaged journal on a full disk stays as it is until there is room to repair it', async () => {
  truncateSync(journal(), 1_000)
  disk?.fill()
  const refused = await runCli(['journal', 'repair'], { env })
  expect(refused.json()).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', details: { reason: 'full' } })
  expect(readdirSync(dirname(journal())).filter(name => /damaged|jsonl|new/.test(name))).toEqual([])
  disk?.empty()
  const repaired = await runCli(['journal', 'repair'], { env })
  expect(repaired.json<{ after: number }>().after).toBeGreaterThan(2)
  expect((await runCli(['press', 'home'], { env })).code).toBe(0)
})

test('a disk that is read-only', async () => {
  disk?.makeReadOnly()
  const told = await checks()
  expect(told.ok).toBe(false)
  expect(told.of('disk')).toMatchObject({ status: 'failed', message: expect.stringContaining('cannot be written') })
  expect(told.of('journal')).toMatchObject({ status: 'failed', details: { reason: 'read-only' } })
  await expectReceipts()
})

test('a disk without room for one more file, or with little left', ({ skip }) => {
  const small = smallDisk('size=8m,nr_inodes=40')
  if (!small) return skip('a small disk cannot be mounted here')
  try {
    expect(checkDisk(small.path)).toMatchObject({ status: 'warning', message: expect.stringContaining('MiB left') })
    small.fillInodes()
    expect(checkDisk(small.path)).toMatchObject({ status: 'failed', details: { freeInodes: 0 } })
  } finally {
    small.remove()
  }
})
