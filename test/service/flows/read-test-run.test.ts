/** A run of flows as its journal tells it, at whatever point its processes have left it. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CATALOGUE } from '../../../machines/catalogue.ts'
import { createHost } from '../../../src/runtime/host.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { PIECE, withoutPauses } from '../../../src/runtime/yielding.ts'
import { readingTestRun, readTestRun, recordedRequestOf } from '../../../src/service/flows/read-test-run.ts'
import { silentPorts } from '../../support/adb/silent-ports.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { temporary } from '../../support/temporary.ts'

const root = temporary('svc-read-test-run-')
const CWD = '/project'
const ID = 'r1'
const ERROR = { code: 'ASSERTION_FAILED', message: 'It is not visible.', file: '/project/flows/a.yaml', line: 3 }

type Event = { type: string; body?: unknown; [name: string]: unknown }

const flow = (name: string, more: object = {}) => ({
  ...{ file: `/project/flows/${name}.yaml`, name, deviceId: null, after: null, needsPassed: false },
  ...more,
})

const bench = () => {
  const clock = manualClock(1_000)
  const journal = memoryJournal({ alive: () => true, clock })
  const host = createHost({
    ...{ journal, clock, definitions: CATALOGUE, holder: { pid: 1, started: 's', instance: 'i' } },
    ports: {
      'test-run': silentPorts(CATALOGUE['test-run'].logic),
      'flow-run': silentPorts(CATALOGUE['flow-run'].logic),
    },
  })
  const folder = mkdtempSync(join(root(), 'run-'))
  const tell = async (machine: 'test-run' | 'flow-run', id: string, input: object, events: readonly Event[]) => {
    for (const event of events) {
      clock.advance(100)
      expect(await host.tell({ id: `${machine}:${id}`, machine, input }, event)).toEqual({ kind: 'told' })
    }
  }
  const run = (...events: readonly Event[]) => tell('test-run', ID, { testRunId: ID }, events)
  /** The attempt of a flow, which begins with the request for it. */
  const attempt = (flowRunId: string, ...events: readonly Event[]) =>
    tell('flow-run', flowRunId, { flowRunId }, [
      {
        ...{ type: 'flow.requested', flowRunId, testRunId: ID, flow: 0, file: '/project/flows/a.yaml' },
        ...{ deviceId: 'd1', attempt: 1, digest: 'x' },
      },
      ...events,
    ])
  const read = (withCommands = false) => readTestRun(journal, ID, { withCommands })
  const requested = {
    type: 'run.requested',
    testRunId: ID,
    retries: 1,
    failFast: false,
    body: { cwd: CWD, folder, paths: [] },
  }
  return { journal, folder, run, attempt, read, requested }
}

const ended = (flow: number, verdict: string, attempt = 1) => ({
  type: 'attempt.ended',
  flow,
  attempt,
  verdict,
  lostPhone: false,
})
const joined = { type: 'phone.joined', deviceId: 'd1' }

test('of a run that nobody asked for nothing is told', () => {
  const { read, journal } = bench()
  expect(read()).toBeUndefined()
  expect(recordedRequestOf(journal, ID)).toBeUndefined()
})

test('of a run that is planned its flows are told, with what their files say of them', async () => {
  const { run, read, requested, folder, journal } = bench()
  await run(requested)
  expect(read()).toEqual({ testRunId: ID, state: 'planning', verdict: null, startedAt: 1_100, folder, flows: [] })
  expect(recordedRequestOf(journal, ID)).toMatchObject({ cwd: CWD, folder })
  const facts = [{ tags: ['smoke'], properties: { owner: 'shop' } }]
  await run({ type: 'run.planned', flows: [flow('a'), flow('b', { deviceId: 'd2', file: 'named.yaml' })], body: facts })
  expect(read()).toMatchObject({ state: 'running', verdict: null })
  expect(read()?.flows).toEqual([
    { flow: 'flows/a.yaml', name: 'a', ...facts[0], verdict: null, attempts: [] },
    { flow: 'named.yaml', name: 'b', tags: [], properties: {}, deviceId: 'd2', verdict: null, attempts: [] },
  ])
})

test('of a run whose flows have no facts on record they are told without', async () => {
  const { run, read, requested } = bench()
  await run(requested, { type: 'run.planned', flows: [flow('a')] })
  expect(read()?.flows).toMatchObject([{ name: 'a', tags: [], properties: {} }])
})

test('of an attempt are told its phone, its error as the caller names the file, and what it left', async () => {
  const { run, attempt, read, requested, folder } = bench()
  await run(requested, { type: 'run.planned', flows: [flow('a')] }, joined)
  const begun = { type: 'command.begun', depth: 0, name: 'tapOn', file: '/project/flows/a.yaml', line: 3, now: 1 }
  await attempt(
    `${ID}.1.1`,
    { ...begun, index: 0, text: 'Tap on "A"' },
    { type: 'call.begun', index: 0, executionId: 'e1' },
    { type: 'call.begun', index: 0, executionId: 'e2' },
    { type: 'command.ended', index: 0, verdict: 'passed', code: null },
    { ...begun, index: 1, text: 'Assert', file: '/elsewhere/b.yaml' },
    { type: 'command.ended', index: 1, verdict: 'failed', code: ERROR.code, body: { error: ERROR, files: ['x.png'] } },
    {
      type: 'stage.ended',
      stage: 'main',
      failureCode: ERROR.code,
      index: 1,
      body: { error: ERROR, files: ['1-1/failure.png'], executionId: 'e3' },
    },
  )
  mkdirSync(join(folder, '1-1'))
  for (const name of ['video-2.mp4', 'video-1.mp4', 'video-1.mp4.part', 'notes.mp4'])
    writeFileSync(join(folder, '1-1', name), '')
  const error = { ...ERROR, file: 'flows/a.yaml' }
  const [first] = read(true)?.flows ?? []
  expect(first?.attempts).toMatchObject([
    {
      ...{ flowRunId: `${ID}.1.1`, attempt: 1, deviceId: 'd1', startedAt: 1_400, error },
      failureExecutionId: 'e3',
      files: ['1-1/failure.png', '1-1/video-1.mp4', '1-1/video-2.mp4'],
      commands: [
        { index: 0, text: 'Tap on "A"', file: 'flows/a.yaml', verdict: 'passed', executionIds: ['e1', 'e2'] },
        { index: 1, file: '/elsewhere/b.yaml', verdict: 'failed', error, files: ['x.png'], executionIds: [] },
      ],
    },
  ])
  expect(first?.attempts[0]?.commands?.[0]).not.toHaveProperty('error')
  expect(read()?.flows[0]?.attempts[0], 'lists leave commands out').not.toHaveProperty('commands')
})

test('a command that goes on has no end yet', async () => {
  const { run, attempt, read, requested } = bench()
  await run(requested, { type: 'run.planned', flows: [flow('a')] }, joined)
  const begun = { type: 'command.begun', index: 0, depth: 0, name: 'tapOn', text: 't', file: 'a', line: 3, now: 1 }
  await attempt(`${ID}.1.1`, begun)
  const [going] = read(true)?.flows[0]?.attempts ?? []
  expect(going).toMatchObject({ verdict: null, commands: [{ verdict: 'running', startedAt: 1_500 }] })
  expect(going).not.toHaveProperty('endedAt')
  expect(going?.commands?.[0]).not.toHaveProperty('endedAt')
})

test('an attempt that no process has ended is in doubt once its flow has, and cancelled where that was cancelled', async () => {
  const { run, attempt, read, requested } = bench()
  await run(requested, { type: 'run.planned', flows: [flow('a')] }, joined)
  await attempt(`${ID}.1.1`)
  expect(read()?.flows[0]?.attempts).toMatchObject([{ verdict: null }])
  await run(ended(0, 'indeterminate'))
  expect(read()).toMatchObject({
    state: 'running',
    flows: [{ verdict: null, attempts: [{ verdict: 'indeterminate' }] }],
  })
  await attempt(`${ID}.1.2`)
  await run({ type: 'run.cancelled', reason: 'r' }, ended(0, 'cancelled', 2))
  expect(read()).toMatchObject({ state: 'ended', verdict: 'cancelled', endedAt: expect.any(Number) })
  expect(read()?.flows[0]?.attempts).toMatchObject([{ verdict: 'cancelled' }, { verdict: 'cancelled' }])
})

test('a run whose process died is told as interrupted, and one that was refused with its problems', async () => {
  const interrupted = bench()
  await interrupted.run(interrupted.requested, { type: 'run.planned', flows: [flow('a')] }, { type: 'run.interrupted' })
  expect(interrupted.read()).toMatchObject({ state: 'interrupted', verdict: null })
  const refused = bench()
  const problems = [{ file: 'a.yaml', message: 'm' }]
  await refused.run(refused.requested, { type: 'run.refused', code: 'FLOW_INVALID', message: 'm', body: problems })
  expect(refused.read()).toMatchObject({
    ...{ state: 'ended', verdict: 'failed', flows: [] },
    error: { code: 'FLOW_INVALID', message: 'm', details: { problems } },
  })
})

test('a run of many commands is read in pieces, so that other work has its turn', async () => {
  const { run, attempt, read, requested, journal } = bench()
  await run(requested, { type: 'run.planned', flows: [flow('a')] }, joined)
  const begun = { type: 'command.begun', depth: 0, name: 'back', text: 'Back', file: '/project/flows/a.yaml', line: 3 }
  const commands = Array.from({ length: 500 }, (_, index) => [
    { ...begun, index, now: 1 },
    { type: 'command.ended', index, verdict: 'passed', code: null, body: { files: ['a.png'] } },
  ])
  await attempt(`${ID}.1.1`, ...commands.flat())
  for (const withCommands of [true, false]) {
    const pieces = [...readingTestRun(journal, ID, { withCommands })]
    expect(pieces.length).toBeGreaterThan((2 * commands.length) / PIECE)
  }
  expect(read(true)?.flows[0]?.attempts[0]?.commands).toHaveLength(commands.length)
  const readDigests: unknown[] = []
  const watched: typeof journal = {
    ...journal,
    body(record) {
      readDigests.push(record.digest)
      return journal.body(record)
    },
  }
  withoutPauses(readingTestRun(watched, ID, { withCommands: false }))
  const digests = journal
    .records({ limit: 10_000 })
    .flatMap(({ event, digest }) => (event.type === 'command.ended' ? [digest] : []))
  expect(digests).toHaveLength(commands.length)
  expect(readDigests, 'lists read no bodies of commands').not.toContain(digests[0])
})
