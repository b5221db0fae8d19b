/** The laws of runs of flows: nothing twice, a true verdict, one process at a time, an end for everything, and nothing left. */
import type { FlowAttempt, TestRun } from '../../../src/contracts/flows/test-run.ts'
import { flowRunActor } from '../../../src/service/flows/run/command-log.ts'
import type { Violation } from '../../laws/laws.ts'
import { judgePhones } from './phone-laws.ts'
import type { SimulatedFlow } from './plan.ts'
import { judgeSecrets } from './secret-laws.ts'
import type { FlowWorld } from './trial.ts'

const rowName = (row: number): string => `tap-${row}`

/** Flows and their attempts, with what the plan has of them. */
const attemptsOf = ({ runs, testRuns }: FlowWorld) =>
  testRuns.flatMap(testRun => {
    const asked = runs.find(({ testRunId }) => testRunId === testRun.testRunId)?.ask
    return testRun.flows.map(({ flow, name, verdict, attempts }) => {
      const index = Number(/flow-(\d+)\.yaml$/.exec(flow)?.[1])
      return { testRun, name, verdict, attempts, planned: asked?.flows[index], retries: asked?.retries ?? 0 }
    })
  })

/** Rows whose tap an attempt has asked of its phone. */
const asksFor = ({ commands = [] }: FlowAttempt, row: number): boolean =>
  commands.some(({ text, executionIds }) => executionIds.length > 0 && text.includes(`"${rowName(row)}"`))

const rowsOf = (planned: SimulatedFlow | undefined): readonly number[] => [
  ...(planned?.taps ?? []).map(({ row }) => row),
  ...(planned?.part ? [...planned.part.rows, ...planned.part.laterRows] : []),
]

/** Law 1: an attempt taps a row once at most. */
const nothingTwice = (world: FlowWorld): Violation[] => {
  const rows = attemptsOf(world).flatMap(({ attempts, planned }) =>
    rowsOf(planned).map(row => ({ row, most: attempts.filter(attempt => asksFor(attempt, row)).length })),
  )
  const most = new Map<string, number>()
  for (const { row, most: more } of rows) most.set(rowName(row), (most.get(rowName(row)) ?? 0) + more)
  return Object.entries(world.taps).flatMap(([row, count]) =>
    count > (most.get(row) ?? 0)
      ? [{ law: 1 as const, about: row, says: `it was tapped ${count} times by ${most.get(row) ?? 0} attempts` }]
      : [],
  )
}

/** An attempt that has asked for the tap and cannot say what became of it, though its command may not have ended. */
const isDoubtful = ({ commands = [] }: FlowAttempt, row: number, { provenTaps }: FlowWorld): boolean =>
  commands.some(
    ({ text, executionIds, verdict }) =>
      executionIds.length > 0 &&
      text.includes(`"${rowName(row)}"`) &&
      (verdict === 'indeterminate' || verdict === 'running') &&
      !executionIds.some(id => provenTaps.has(id)),
  )

/** Law 1: an attempt in doubt is followed by another one only as a retry. */
const nothingTwiceInDoubt = (world: FlowWorld): Violation[] => {
  const most = new Map<string, number>()
  for (const { attempts, planned, retries } of attemptsOf(world))
    for (const row of rowsOf(planned)) {
      const asked = attempts.filter(attempt => asksFor(attempt, row))
      const doubtful = asked.filter(attempt => isDoubtful(attempt, row, world)).length
      const allowed = asked.length - doubtful + Math.min(doubtful, retries + 1)
      most.set(rowName(row), (most.get(rowName(row)) ?? 0) + allowed)
    }
  return Object.entries(world.taps).flatMap(([row, count]) =>
    count > (most.get(row) ?? 0)
      ? [{ law: 1 as const, about: row, says: `it was tapped ${count} times: an attempt in doubt was begun anew` }]
      : [],
  )
}

/** Law 1: what a script of an attempt orders is ordered once. */
const orderedOnce = ({ orders }: FlowWorld): Violation[] =>
  [...orders].flatMap(([order, count]) =>
    count > 1 ? [{ law: 1 as const, about: order, says: `the server has taken it ${count} times` }] : [],
  )

/** Law 2: an attempt that passed has ordered what it was to order. */
const orderedTruly = (world: FlowWorld): Violation[] =>
  attemptsOf(world).flatMap(({ attempts, planned }) =>
    attempts
      .filter(
        ({ verdict, flowRunId }) => planned?.order && verdict === 'passed' && !world.orders.has(`${flowRunId} order`),
      )
      .map(({ flowRunId }): Violation => ({ law: 2, about: flowRunId, says: 'passed without its order' })),
  )

/** Law 2: an attempt goes on with the file that it has begun with. */
const sameFile = (world: FlowWorld): Violation[] =>
  attemptsOf(world).flatMap(({ attempts, planned }) =>
    attempts.flatMap((attempt): Violation[] => {
      const asksAny = (rows: readonly number[] = []) => rows.some(row => asksFor(attempt, row))
      const isMixed = asksAny(planned?.part?.rows) && asksAny(planned?.part?.laterRows)
      return isMixed ? [{ law: 2, about: attempt.flowRunId, says: 'it went on with another file' }] : []
    }),
  )

/** Law 2: the phone of an attempt that passed has seen all of its taps. */
const passedTruly = (world: FlowWorld): Violation[] =>
  attemptsOf(world).flatMap(({ attempts, planned, name }) =>
    attempts
      .filter(({ verdict }) => verdict === 'passed')
      .flatMap(({ deviceId, flowRunId }) => missing(world, deviceId, planned).map(row => ({ row, flowRunId })))
      .map(({ row, flowRunId }): Violation => ({ law: 2, about: flowRunId, says: `${name} passed without ${row}` })),
  )

const missing = ({ tapsOf }: FlowWorld, deviceId: string, planned: SimulatedFlow | undefined): string[] =>
  (planned?.taps ?? [])
    .filter(({ within }) => within !== 'optional' && within !== 'runFlow')
    .map(({ row }) => rowName(row))
    .filter(row => (tapsOf[deviceId]?.[row] ?? 0) === 0)

/** Law 2: a flow whose assertion cannot hold does not pass. */
const failedTruly = (world: FlowWorld): Violation[] =>
  attemptsOf(world).flatMap(({ attempts, planned }) =>
    attempts
      .filter(({ verdict }) => planned?.fails === true && verdict === 'passed')
      .map(
        ({ flowRunId }): Violation => ({ law: 2, about: flowRunId, says: 'passed with an assertion that cannot hold' }),
      ),
  )

/** Law 3: every run, flow and attempt has ended, and the last attempt of a flow counts. */
const everythingEnds = (world: FlowWorld): Violation[] => [
  ...world.testRuns
    .filter(({ verdict }) => verdict === null)
    .map(({ testRunId, state }): Violation => ({ law: 3, about: testRunId, says: `the run is ${state}` })),
  ...attemptsOf(world).flatMap(({ testRun, name, verdict, attempts }) => endOf(testRun, { name, verdict, attempts })),
]

const endOf = (
  { testRunId, verdict: whole }: TestRun,
  { name, verdict, attempts }: Pick<TestRun['flows'][number], 'name' | 'verdict' | 'attempts'>,
): Violation[] => {
  const about = `${testRunId} ${name}`
  if (verdict === null) return [{ law: 3, about, says: `it has no verdict in a run that is ${whole}` }]
  const open = attempts.filter(attempt => attempt.verdict === null)
  if (open.length > 0) return [{ law: 3, about, says: `${open.length} of its attempts have no verdict` }]
  const last = attempts.at(-1)?.verdict
  const isOwn = verdict === 'skipped' || verdict === 'cancelled' || verdict === 'indeterminate'
  return isOwn || verdict === last ? [] : [{ law: 3, about, says: `it is ${verdict}, and its last attempt ${last}` }]
}

/** Law 4: until somebody resumes an attempt, one process performs it. */
const oneProcess = (world: FlowWorld): Violation[] => {
  const pids = new Map(world.begun.map(({ executionId, pid }) => [executionId, pid]))
  const attempts = world.testRuns.flatMap(({ flows }) => flows.flatMap(flow => flow.attempts))
  return attempts.flatMap(({ flowRunId }) => {
    let performing: number | undefined
    return world.records
      .filter(({ actor }) => actor === flowRunActor(flowRunId))
      .flatMap(({ event }): Violation[] => {
        if (event.type === 'flow.resumed') performing = undefined
        const pid = event.type === 'call.begun' ? pids.get(String(event.executionId)) : undefined
        if (pid === undefined) return []
        const isOther = performing !== undefined && performing !== pid
        const before = performing
        performing = pid
        return isOther ? [{ law: 4, about: flowRunId, says: `process ${pid} performs what ${before} performs` }] : []
      })
  })
}

/** Law 8: nothing is left in flight. */
const nothingLeft = (world: FlowWorld): Violation[] =>
  world.left.map(({ owner, what }): Violation => ({ law: 8, about: owner, says: `${what} is left` }))

export const judgeFlows = (world: FlowWorld): Violation[] => [
  ...nothingTwice(world),
  ...nothingTwiceInDoubt(world),
  ...orderedOnce(world),
  ...orderedTruly(world),
  ...sameFile(world),
  ...passedTruly(world),
  ...failedTruly(world),
  ...everythingEnds(world),
  ...oneProcess(world),
  ...nothingLeft(world),
  ...judgePhones(world),
  ...judgeSecrets(world),
]
