/** The profile of skills: its report, and how its plans are made smaller. */
import { EPOCH } from '../clock.ts'
import { memoryDisk } from '../host/disk.ts'
import { sqliteDisk } from '../host/sqlite-disk.ts'
import type { Profile } from '../plan/profile.ts'
import { withoutParts } from '../plan/shrink.ts'
import { violationLines } from '../report.ts'
import { judgeSkills, recordedRuns } from './laws.ts'
import { type RunAsk, type SkillPlan, skillPlanOf } from './plan.ts'
import { REGISTRY, runSkillPlan, type SkillTrial } from './trial.ts'

const TEXT_CHARS = 200

const linesOf = ({ world: { story, runs, probes, children, records } }: SkillTrial): string[] => {
  const lines: { at: number; text: string }[] = [
    ...story.log,
    ...[...runs, ...probes].flatMap(({ ask, began, ended, cancelledAt, isLost, finished, error, runId }) => [
      { at: began, text: `${ask.name} asked for` },
      ...(cancelledAt === undefined ? [] : [{ at: cancelledAt, text: `${ask.name} told to end` }]),
      {
        at: ended ?? Number.POSITIVE_INFINITY,
        text: isLost
          ? `${ask.name} gets no answer (${runId})`
          : `${ask.name} (${runId}) ${finished?.status}: ${JSON.stringify(finished?.error ?? error ?? '').slice(0, TEXT_CHARS)}`,
      },
    ]),
    ...children.flatMap(({ name, pid, endedAt, exit }) =>
      endedAt === undefined ? [] : [{ at: endedAt, text: `${name}, process ${pid}, ends: ${JSON.stringify(exit)}` }],
    ),
    ...story.asked.map(({ command, ended, answer }) => ({
      at: ended,
      text: `${command}: ${answer.claim} ${answer.code}`,
    })),
    ...recordedRuns({ records }).flatMap(({ runId, ends }) =>
      ends.map(({ at, type, to }) => ({ at: at - EPOCH, text: `${runId} is on record as ${to} by ${type}` })),
    ),
  ]
  return lines.sort((a, b) => a.at - b.at).map(({ at, text }) => `${String(at).padStart(8)} ${text}`)
}

function* simplerRuns(run: RunAsk): Generator<RunAsk> {
  for (const key of ['cancelAfterMs', 'expectContains'] as const) {
    if (run[key] === undefined) continue
    const { [key]: _, ...simpler } = run
    yield simpler as RunAsk
  }
  for (const steps of withoutParts(run.script.steps)) yield { ...run, script: { ...run.script, steps } }
  if (run.script.onTerm !== 'ends') yield { ...run, script: { ...run.script, onTerm: 'ends' } }
}

function* simpler(plan: SkillPlan): Generator<SkillPlan> {
  for (const runs of withoutParts(plan.runs)) yield { ...plan, runs }
  for (const faults of withoutParts(plan.faults)) yield { ...plan, faults }
  for (const [index, phone] of plan.phones.entries())
    if (phone.faults.length > 0)
      yield { ...plan, phones: plan.phones.map((one, at) => (at === index ? { ...one, faults: [] } : one)) }
  for (const [index, run] of plan.runs.entries())
    for (const one of simplerRuns(run))
      yield { ...plan, runs: plan.runs.map((each, at) => (at === index ? one : each)) }
}

export const SKILLS: Profile<SkillPlan> = {
  needs: REGISTRY,
  planOf: (seed, count) => skillPlanOf(seed, count),
  async tried(plan, { sqlite, onEnd }) {
    const trial = await runSkillPlan(plan, { disk: sqlite ? sqliteDisk : memoryDisk, onEnd })
    const violations = judgeSkills(trial.world)
    const report = () => [...violationLines(violations, trial.world.story), '', ...linesOf(trial), ''].join('\n')
    return { ...trial, violations, report }
  },
  simpler,
  faultKinds: ({ faults, phones, runs }) => [
    ...faults.map(({ kind }) => kind),
    ...phones.flatMap(phone => phone.faults.map(({ do: kind }) => `phone ${kind}`)),
    ...runs.flatMap(({ cancelAfterMs, script: { steps, onTerm, isUnstartable } }) => [
      ...(cancelAfterMs === undefined ? [] : ['cancellation']),
      ...(onTerm === 'ends' ? [] : [`child that ends ${onTerm === 'late' ? 'late' : 'never'} when told`]),
      ...(isUnstartable ? ['child that cannot be started'] : []),
      ...steps.flatMap(step => {
        if (step.do === 'hang' || step.do === 'flood') return [`child with a ${step.do}`]
        if (step.do === 'fork') return [step.isAway ? 'process sent away' : 'process in the group']
        return step.do === 'frame' && step.frame !== 'success' ? [`frame ${step.frame}`] : []
      }),
    ]),
  ],
  sizeOf: ({ runs, faults }) => `${runs.length} runs, ${faults.length} faults`,
}
