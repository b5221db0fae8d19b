/** An older svc on the home of a newer one: it says which version to use, writes nothing into the journal, and acts on no phone. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../src/runtime/journal/schema.ts'
import { startCliHere } from '../support/cli-here.ts'
import { tamper } from '../support/damage.ts'
import { call } from '../support/http-client.ts'
import { payloadOf } from '../support/lab.ts'
import { startServeHere } from '../support/serve.ts'
import { svcLab } from '../support/svc-lab.ts'
import { until } from '../support/until.ts'

const labOf = svcLab()
type Lab = Awaited<ReturnType<typeof labOf>>
let lab: Lab
beforeEach(async () => {
  lab = await labOf()
})

const journal = () => join(lab.home, '.svc', 'journal', 'journal.db')
const direct = () => ({ ...lab.env, SVC_NO_DAEMON: '1' })
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
  for (const env of [direct(), lab.env]) {
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
