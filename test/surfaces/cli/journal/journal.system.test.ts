/** `svc journal export|repair`: nothing that can be read is lost, and a journal in order stays as it is. */
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { startCli } from '../../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'
import { linesIn } from '../../../support/lines.ts'
import { cutTo, kindOf, overwrite, PAGE_BYTES, pagesOf, tamper } from '../../../support/runtime/damage.ts'
import { until } from '../../../support/until.ts'

interface Line {
  record?: { event: { type: string } }
  receipt?: { executionId: string }
}

let lab: Lab
let env: NodeJS.ProcessEnv
let journal: string
let executionId: string

beforeEach(async () => {
  lab = await startLab()
  env = { HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial }
  journal = join(lab.home, '.svc', 'journal', 'journal.db')
  const ended = await runCliHere(['sleep', '0', '--log-level', 'info'], { env })
  executionId = /execution (\S+) was accepted/.exec(ended.stderr)?.[1] ?? ''
  expect(ended.code).toBe(0)
})
afterEach(() => lab.close())

const receiptsIn = (file: string) => linesIn<Line>(file).flatMap(({ receipt }) => receipt?.executionId ?? [])

test('export writes every record and receipt to a new file of the caller', async () => {
  const ended = await runCliHere(['journal', 'export', '--to', 'out.jsonl'], { env, cwd: lab.home })
  const to = join(lab.home, 'out.jsonl')
  expect(ended.code).toBe(0)
  expect(ended.json()).toMatchObject({ exported: true, path: journal, to, receipts: 1, skipped: 0 })
  expect(receiptsIn(to)).toEqual([executionId])
  const types = linesIn<Line>(to).flatMap(({ record }) => record?.event.type ?? [])
  expect(types).toEqual(expect.arrayContaining(['execution.requested', 'execution.dispatched', 'execution.settled']))

  const again = await runCliHere(['journal', 'export', '--to', to], { env })
  expect(again.code).toBe(1)
  expect(again.json()).toMatchObject({ code: 'USAGE', message: expect.stringContaining('already exists') })
})

test('a file that cannot be written is no fault of the journal', async () => {
  writeFileSync(join(lab.home, 'file'), '')
  const ended = await runCliHere(['journal', 'export', '--to', join(lab.home, 'file', 'x')], { env })
  expect(ended.json()).toMatchObject({ code: 'USAGE', message: expect.stringContaining('cannot be written: ENOTDIR') })
})

test('export needs a file, and a journal', async () => {
  expect((await runCliHere(['journal', 'export'], { env })).json()).toMatchObject({ code: 'USAGE' })
  const blank = await runCliHere(['journal', 'export', '--to', ''], { env })
  expect(blank.json()).toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('--to is missing: svc journal export --to <file>'),
  })
  const none = await runCliHere(['journal', 'export', '--to', join(lab.home, 'x')], {
    env: { HOME: join(lab.home, 'other') },
  })
  expect(none.json()).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', details: { reason: 'not-openable' } })
  expect(existsSync(join(lab.home, 'x'))).toBe(false)
})

test('repair leaves a journal in order alone', async () => {
  const before = readFileSync(journal)
  const ended = await runCliHere(['journal', 'repair'], { env })
  expect(ended.code).toBe(0)
  expect(ended.json()).toMatchObject({ repaired: false })
  expect(readFileSync(journal)).toEqual(before)
})

/** What SQLite keeps beside the file goes into it first. */
const moveAllToFile = () => {
  tamper(journal, 'PRAGMA wal_checkpoint(TRUNCATE)')
  for (const suffix of ['-wal', '-shm']) rmSync(`${journal}${suffix}`, { force: true })
}

const spoilFirstPage = () => {
  moveAllToFile()
  overwrite(journal, 0, Buffer.alloc(1_024, '*'))
}

/** The rows stay readable. */
const spoilIndexes = () => {
  moveAllToFile()
  for (let page = 1; page < pagesOf(journal); page++) {
    if (kindOf(journal, page) === 0x0a) overwrite(journal, page, Buffer.alloc(PAGE_BYTES, '*'))
  }
}

test('repair exports what is readable, sets the damaged files aside, and the next execution is recorded', async () => {
  const checkpointed = await runCliHere(['press', 'home'], { env })
  expect(checkpointed.code).toBe(0)
  spoilIndexes()
  expect((await runCliHere(['press', 'home'], { env })).json()).toMatchObject({ code: 'JOURNAL_UNAVAILABLE' })

  const ended = await runCliHere(['journal', 'repair'], { env })
  expect(ended.code).toBe(0)
  const told = ended.json<{ exported: { to: string }; aside: string[]; after: number }>()
  expect(told).toMatchObject({ repaired: true, reason: 'corrupt', exported: { to: expect.any(String) } })
  for (const file of [...told.aside, told.exported.to]) expect(existsSync(file)).toBe(true)
  expect(receiptsIn(told.exported.to)).toContain(executionId)

  expect((await runCliHere(['press', 'home'], { env })).json()).toMatchObject({ envelope: { status: 'success' } })
  const listed = await runCliHere(['executions', 'list'], { env })
  expect(listed.json(), 'with those of the old journal').toMatchObject({ count: 3 })
  expect((await runCliHere(['journal', 'repair'], { env })).json()).toMatchObject({ repaired: false })
})

test('a journal cut to 1000 bytes is found by doctor and by an execution, and repaired', async () => {
  truncateSync(journal, 1_000)
  const hint = expect.stringContaining('svc journal repair')
  expect((await runCliHere(['press', 'home'], { env })).json()).toMatchObject({ details: { reason: 'corrupt' }, hint })
  const looked = await runCliHere(['doctor'], { env })
  expect(looked.code).toBe(1)
  const { checks } = looked.json<{ checks: { name: string; status: string }[] }>()
  expect(checks.find(({ name }) => name === 'journal')).toMatchObject({
    status: 'failed',
    details: { reason: 'corrupt' },
    hint,
  })

  const repaired = await runCliHere(['journal', 'repair'], { env })
  expect(repaired.json()).toMatchObject({ repaired: true, reason: 'corrupt' })
  expect(repaired.code).toBe(0)
  expect((await runCliHere(['press', 'home'], { env })).json()).toMatchObject({ envelope: { status: 'success' } })
  expect((await runCliHere(['doctor'], { env })).code).toBe(0)
})

test('repair of a journal that is cut off', async () => {
  tamper(journal, 'PRAGMA wal_checkpoint(TRUNCATE)')
  cutTo(journal, 0.4)
  const ended = await runCliHere(['journal', 'repair'], { env })
  expect(ended.code).toBe(0)
  expect(ended.json()).toMatchObject({ repaired: true })
  expect(readdirSync(join(journal, '..')).filter(name => name.includes('.damaged-')).length).toBeGreaterThan(0)
  expect((await runCliHere(['press', 'home'], { env })).code).toBe(0)
})

test.skipIf(process.platform !== 'linux')('repair waits for those who use the journal to be ended', async () => {
  const user = startCli(['sleep', '60000'], { env })
  // From here on it waits for the device, and asks nothing of the journal.
  const seen = () => lab.fleet.devices[0]?.phone.executions().filter(({ finishedAt }) => finishedAt === undefined)
  await until(() => seen()?.length === 1, 'an execution to be under way')
  spoilFirstPage()
  const ended = await runCliHere(['journal', 'repair'], { env })
  expect(ended.json()).toMatchObject({
    code: 'JOURNAL_UNAVAILABLE',
    details: { reason: 'busy', pids: [user.child.pid] },
    hint: expect.any(String),
  })
  expect(ended.code).toBe(1)
  rmSync(journal)
  writeFileSync(journal, 'another file in its place')
  const replaced = await runCliHere(['journal', 'repair'], { env })
  expect(replaced.json()).toMatchObject({ details: { reason: 'busy', pids: [user.child.pid] } })
  user.child.kill('SIGKILL')
  await user.ended
  expect((await runCliHere(['journal', 'repair'], { env })).json()).toMatchObject({ repaired: true })
})
