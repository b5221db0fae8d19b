/** The profile of flows: its report, and how its plans are made smaller. */
import { EPOCH } from '../clock.ts'
import { memoryDisk } from '../host/disk.ts'
import { sqliteDisk } from '../host/sqlite-disk.ts'
import type { Profile } from '../plan/profile.ts'
import { withoutParts } from '../plan/shrink.ts'
import { judgeFlows } from './laws.ts'
import { type FlowPlan, type FlowRunAsk, flowPlanOf } from './plan.ts'
import { type FlowTrial, runFlowPlan } from './trial.ts'

const TEXT_CHARS = 160

const linesOf = ({ world: { story, records, taps } }: FlowTrial): string[] => {
  const lines = [
    ...story.log,
    ...story.seen.map(({ at, phone, wireId }) => ({ at: at - EPOCH, text: `phone ${phone} got ${wireId}` })),
    ...records.map(({ at, actor, event: { type, at: _, ...more }, to }) => ({
      at: at - EPOCH,
      text: `${actor} ${type} to ${to} ${JSON.stringify(more).slice(0, TEXT_CHARS)}`,
    })),
  ]
  const tapped = Object.entries(taps).filter(([, count]) => count > 0)
  return [
    ...lines.toSorted((a, b) => a.at - b.at).map(({ at, text }) => `${String(at).padStart(8)} ${text}`),
    `taps: ${JSON.stringify(Object.fromEntries(tapped))}`,
  ]
}

function* simplerRuns(run: FlowRunAsk): Generator<FlowRunAsk> {
  for (const flows of withoutParts(run.flows)) if (flows.length > 0) yield { ...run, flows }
  if (run.cancelAfterMs !== undefined) {
    const { cancelAfterMs: _, ...more } = run
    yield more
  }
  if (run.retries > 0) yield { ...run, retries: 0 }
}

function* simpler(plan: FlowPlan): Generator<FlowPlan> {
  for (const runs of withoutParts(plan.runs)) yield { ...plan, runs }
  for (const faults of withoutParts(plan.faults)) yield { ...plan, faults }
  for (const [index, phone] of plan.phones.entries())
    if (phone.faults.length > 0)
      yield { ...plan, phones: plan.phones.map((one, at) => (at === index ? { ...one, faults: [] } : one)) }
  for (const [index, run] of plan.runs.entries())
    for (const one of simplerRuns(run))
      yield { ...plan, runs: plan.runs.map((each, at) => (at === index ? one : each)) }
}

export const FLOWS: Profile<FlowPlan> = {
  planOf: (seed, count) => flowPlanOf(seed, count),
  async tried(plan, { sqlite, onEnd }) {
    const trial = await runFlowPlan(plan, { disk: sqlite ? sqliteDisk : memoryDisk, onEnd })
    const violations = judgeFlows(trial.world)
    const broken = violations.map(({ law, about, says }) => `law ${law}: ${about}: ${says}`)
    return { ...trial, violations, report: () => [...broken, '', ...linesOf(trial), ''].join('\n') }
  },
  simpler,
  faultKinds: ({ faults, phones, runs }) => [
    ...faults.map(({ kind }) => kind),
    ...phones.flatMap(phone => phone.faults.map(({ do: kind }) => `phone ${kind}`)),
    ...runs.flatMap(({ cancelAfterMs }) => (cancelAfterMs === undefined ? [] : ['cancellation'])),
  ],
  sizeOf: ({ runs, faults }) => `${runs.flatMap(({ flows }) => flows).length} flows, ${faults.length} faults`,
}
