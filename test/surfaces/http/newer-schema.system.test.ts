/** An older svc on the home of a newer one: it says which version to use, writes nothing into the journal, and acts on no phone. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { SCHEMA_VERSION } from '../../../src/runtime/journal/schema.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { startCliHere } from '../../support/cli/cli-here.ts'
import { startServeHere } from '../../support/cli/serve.ts'
import { svcLab } from '../../support/cli/svc-lab.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { tamper } from '../../support/runtime/damage.ts'
import { until } from '../../support/until.ts'

const labOf = svcLab()
type Lab = Awaited<ReturnType<typeof labOf>>
let lab: Lab
beforeEach(async () => {
  lab = await labOf({ count: 2 })
})

const journal = () => join(lab.home, '.svc', 'journal', 'journal.db')
/** Of the two phones, the first alone. */
const proxied = () => ({ ...lab.env, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial })
const direct = () => ({ ...proxied(), SVC_NO_DAEMON: '1' })
const pressHome = { execution: payloadOf([{ id: 'p', type: 'press_key', params: { key: 'home' } }]) }
/** What a newer build does when it opens the journal, and the WAL it then leaves behind. */
const upgrade = () =>
  tamper(
    journal(),
    `ALTER TABLE records ADD COLUMN newer TEXT; PRAGMA user_version = ${SCHEMA_VERSION + 1}; PRAGMA wal_checkpoint(TRUNCATE)`,
  )
const digest = () => createHash('sha256').update(readFileSync(journal())).digest('hex')
const told = (text: string) => {
  expect(text).toContain('JOURNAL_UNAVAILABLE')
  expect(text).toContain(`schema ${SCHEMA_VERSION + 1}`)
  expect(text).toContain('use that version')
}

test('commands are refused and write nothing, with a daemon and without; what is there can be read', async () => {
  expect((await lab.svc(['press', 'home'], { env: direct() })).code).toBe(0)
  upgrade()
  const [before, seen] = [digest(), lab.seen()]
  for (const env of [direct(), proxied()]) {
    const refused = await lab.svc(['press', 'home'], { env })
    expect(refused.code).toBe(1)
    told(refused.stdout + refused.stderr)
  }
  const exported = await lab.svc(['journal', 'export', '--to', join(lab.home, 'export.jsonl')], { env: direct() })
  expect(exported.json(), exported.stderr).toMatchObject({ exported: true, receipts: 1 })
  const doctor = await lab.svc(['doctor'], { env: direct() })
  expect(doctor.stdout + doctor.stderr).toContain(`schema ${SCHEMA_VERSION + 1}`)
  expect([digest(), lab.seen()]).toEqual([before, seen])
})

test('a server does not start on it, and says what to do', async () => {
  expect((await lab.svc(['press', 'home'], { env: direct() })).code).toBe(0)
  upgrade()
  const before = digest()
  const { ended } = startCliHere(['serve', '--port', '0'], { env: direct(), cwd: lab.home })
  const { code, stdout, stderr } = await ended
  expect(code).toBe(1)
  told(stdout + stderr)
  expect(digest()).toBe(before)
})

test('a server that was there before records and sends nothing more, answers what it knows, and is not healthy', async () => {
  const server = await startServeHere({ env: direct(), cwd: lab.home })
  const execute = () => call(`${server.url}/execute`, { body: pressHome })
  expect((await execute()).status).toBe(200)
  upgrade()
  const [before, seen] = [digest(), lab.seen()]
  for (let tries = 0; tries < 2; tries++) {
    const refused = await execute()
    expect(refused.status).toBe(500)
    told(JSON.stringify(refused.json))
    expect(refused.json).toMatchObject({ error: { details: { reason: 'newer-schema', dispatched: false } } })
  }
  const { executions } = (await call(`${server.url}/executions`)).json as { executions: { state: string }[] }
  expect(executions.map(({ state }) => state)).toEqual(['settled'])
  await until(async () => {
    const { json } = await call(`${server.url}/health`)
    return JSON.stringify(json).includes(`schema ${SCHEMA_VERSION + 1}`)
  }, 'the server to say that it records nothing')
  await server.end()
  expect([digest(), lab.seen()]).toEqual([before, seen])
})

test('a phone on which a newer svc has recorded what this one does not know is left alone, with a reason; others go on', async () => {
  const env = { ...lab.env, SVC_NO_DAEMON: '1' }
  const [one = '', other = ''] = lab.fleet.devices.map(({ serial }) => serial)
  const server = await startServeHere({ env, cwd: lab.home })
  const execute = (deviceId: string, more: object = {}) =>
    call(`${server.url}/execute`, { body: { ...pressHome, deviceId, ...more } })
  expect((await execute(one)).status).toBe(200)
  const written = openJournal({ path: journal(), alive: () => false, clock: systemClock() })
  const [last] = written.actors({ machine: 'device' })
  if (!last) throw new Error('the device has no history')
  const { seq: _, digest: __, ...record } = last
  const event = { type: 'screen.mirrored', at: last.at }
  await written.append({ ...record, n: last.n + 1, version: last.version + 1, event })
  written.close()
  for (const more of [{}, { waitMs: 2_000 }]) {
    const refused = await execute(one, more)
    expect(refused).toMatchObject({
      status: 500,
      json: { error: { code: 'JOURNAL_UNAVAILABLE', details: { reason: 'newer-events', dispatched: false } } },
    })
    expect(JSON.stringify(refused.json)).toContain('A newer svc wrote to this actor')
  }
  expect((await execute(other)).status).toBe(200)
  const command = await lab.svc(['press', 'home', '--device', one], { env })
  expect([command.code, command.stdout]).toEqual([1, expect.stringContaining('newer-events')])
  await server.end()
  expect([lab.seen(0), lab.seen(1)]).toEqual([1, 1])
})
