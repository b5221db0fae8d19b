/** The laws of simulated runs: one end for each, one story told by answer, record and child, and nothing that goes on after it. */
import { SKILL_TIMEOUT_ANSWER_MS } from '../../../src/contracts/limits/limits.ts'
import { judge, type Violation } from '../../laws/laws.ts'
import { EPOCH } from '../clock.ts'
import type { AskedRun } from './callers.ts'
import type { SimulatedProcess } from './operating-system.ts'
import { outcomeOf } from './outcome.ts'
import type { SkillWorld } from './trial.ts'

const ACTOR = 'skill-run:'
const FINAL = ['succeeded', 'failed', 'indeterminate']
const STATUS: Readonly<Record<string, string>> = {
  success: 'succeeded',
  failed: 'failed',
  indeterminate: 'indeterminate',
}

interface RecordedRun {
  runId: string
  ends: { type: string; to: string; at: number }[]
}

export const recordedRuns = ({ records }: Pick<SkillWorld, 'records'>): RecordedRun[] => {
  const runs = new Map<string, RecordedRun>()
  for (const { actor, event, from, to, at } of records) {
    const runId = actor.slice(ACTOR.length)
    const run = runs.get(runId) ?? { runId, ends: [] }
    runs.set(runId, run)
    if (FINAL.includes(to) && from !== to) run.ends.push({ type: event.type, to, at })
  }
  return [...runs.values()]
}

const has = ({ plan }: SkillWorld, ...kinds: string[]): boolean => plan.faults.some(({ kind }) => kinds.includes(kind))

const named = (about: string, law: Violation['law'], says: readonly string[]): Violation[] =>
  says.map(one => ({ law, about, says: one }))

const codeOf = ({ finished, error }: AskedRun) => (finished?.error ?? error)?.code
const messageOf = ({ finished, error }: AskedRun) => (finished?.error ?? error)?.message ?? ''

/** Law 3: each accepted run has one end. */
const endsOnce = (world: SkillWorld): Violation[] =>
  recordedRuns(world)
    .filter(({ ends }) => ends.length !== 1)
    .flatMap(({ runId, ends }) => named(runId, 3, [`it has ${ends.length} ends: ${ends.map(({ type }) => type)}`]))

/** Law 3: the record says what the caller was told, unless the journal failed, or lost it. */
const recordsAgree = (world: SkillWorld): Violation[] => {
  const recorded = new Map(recordedRuns(world).map(run => [run.runId, run]))
  const mayLose = has(world, 'power-cut')
  const mayFail = has(world, 'disk-full', 'disk-slow', 'freeze')
  return world.runs.flatMap(({ ask, runId, finished, isLost }) => {
    const [end] = recorded.get(runId ?? '')?.ends ?? []
    if (isLost || !finished || !end) return []
    const wanted = STATUS[finished.status]
    if (end.to === wanted || (mayLose && end.type === 'run.interrupted')) return []
    if (mayFail && finished.status === 'failed') return []
    return named(ask.name, 3, [`its caller was told ${finished.status}, and its record says ${end.to} (${end.type})`])
  })
}

/** Law 2: an answer does not contradict the child. */
const answersFitChildren = (world: SkillWorld): Violation[] =>
  world.runs.flatMap(one => {
    const { ask, finished, isLost, runId } = one
    if (isLost) return []
    const child = world.facts.find(({ process }) => process.runId === runId && runId !== undefined)
    const exit = child?.process.exit
    const message = messageOf(one)
    const isJudged = finished?.exit !== undefined && finished.cancelledBy === undefined
    const isOwn = isJudged && child && !child.process.wasTold
    const endedByItself = child?.process.wasTold === false && exit !== undefined
    const expected = child && exit ? outcomeOf(ask, child) : undefined
    const told = `${finished?.status} ${codeOf(one) ?? ''}`.trim()
    const isExempt = ['SKILL_EXECUTION_TIMEOUT', 'JOURNAL_UNAVAILABLE'].includes(codeOf(one) ?? '')
    return named(ask.name, 2, [
      ...(finished?.status === 'success' && !endedByItself
        ? ['it succeeded, and its child did not end by itself']
        : []),
      ...(isOwn && !isExempt && told !== expected ? [`it was told ${told}, and its child did ${expected}`] : []),
      ...(/nothing was started|was not started|before it was started|before it began/.test(message) && child
        ? [`it was told "${message}", and its child was started`]
        : []),
      ...(finished?.status === 'success' && finished.skillResult === null && finished.captured
        ? [child?.printed ?? ''].filter(text => !finished.captured?.stdout.startsWith(text.slice(0, 60)))
        : []
      ).map(text => `its answer lacks ${JSON.stringify(text)}`),
    ])
  })

const SLACK_MS = 1_500
/** Law 2: a run whose child ended in time is not told that it took too long. */
const timeoutsAreTrue = (world: SkillWorld): Violation[] =>
  has(world, 'freeze', 'disk-full', 'disk-slow', 'power-cut', 'kill', 'kill-at-use')
    ? []
    : world.runs.flatMap(one => {
        const { ask, began, runId } = one
        const child = world.facts.find(({ process }) => process.runId === runId && runId !== undefined)?.process
        const isEarly = child?.endedAt !== undefined && child.endedAt + SLACK_MS < began + ask.timeoutMs
        if (codeOf(one) !== 'SKILL_EXECUTION_TIMEOUT' || !isEarly || child.wasTold) return []
        return named(ask.name, 2, [`it was told that it took too long, and its child ended at ${child.endedAt}`])
      })

const frozenMs = ({ plan }: SkillWorld): number =>
  plan.faults.reduce((sum, fault) => (fault.kind === 'freeze' ? sum + fault.ms : sum), 0)

/** Law 7: an answer comes soon after the timeout, and soon after the cancellation. */
const answersInTime = (world: SkillWorld): Violation[] =>
  world.runs.flatMap(({ ask, began, ended, isLost, cancelledAt }) => {
    if (isLost || ended === undefined) return []
    const bound = SKILL_TIMEOUT_ANSWER_MS + frozenMs(world)
    const late = ended - began - ask.timeoutMs
    const sinceCancel = cancelledAt === undefined ? 0 : ended - cancelledAt
    return named(ask.name, 7, [
      ...(late > bound ? [`it was answered ${late} ms after its timeout`] : []),
      ...(sinceCancel > bound ? [`it was answered ${sinceCancel} ms after it was cancelled`] : []),
    ])
  })

/** Law 7: in the calm everything works. */
const calmWorks = ({ probes, plan, taps }: SkillWorld): Violation[] =>
  probes.length < plan.processes
    ? named('the calm', 7, ['not all runs in the calm were asked for'])
    : probes.flatMap(one => {
        const [step] = one.ask.script.steps
        const isTapped = step?.do === 'tap' && taps[step.command] === 1
        if (one.finished?.status === 'success' && isTapped) return []
        return named(one.ask.name, 7, [`a run in the calm was told ${codeOf(one)} ${messageOf(one)}`])
      })

const describe = ({ name, pid, group }: SimulatedProcess) => `${name} (${pid}, group ${group})`

/** Law 8: when a run is answered nothing of it goes on, but what a script that ended by itself has sent away. */
const nothingGoesOn = (world: SkillWorld): Violation[] =>
  [...world.runs, ...world.probes].flatMap(({ ask, runId, finished, error, left }) => {
    const child = world.children.find(one => one.runId === runId)
    const isOver = finished?.exit !== undefined && child?.wasTold === false
    const survivors = (finished?.error ?? error)?.details?.survivors
    const told = Array.isArray(survivors) ? survivors : []
    const others = left.filter(({ pid, group }) => !told.includes(pid) && !(isOver && group !== child?.group))
    return named(
      ask.name,
      8,
      others.map(one => `is left when it is answered: ${describe(one)}`),
    )
  })

/** The owner of a run that ends kills what is left of it so soon. */
const KILLED_MS = 200

/** Law 8: once the end of a run is on record nothing of it goes on, also if its owner dies then. */
const endedIsOver = (world: SkillWorld): Violation[] =>
  has(world, 'clock-set')
    ? []
    : recordedRuns(world).flatMap(({ runId, ends }) => {
        const [end] = ends
        if (!end) return []
        const isInterrupted = end.type === 'run.interrupted'
        const bound = isInterrupted ? 0 : KILLED_MS + frozenMs(world)
        const first = world.children.find(one => one.runId === runId)
        const late = world.children.filter(
          one =>
            one.runId === runId &&
            (isInterrupted || first?.wasTold || one.group === first?.group) &&
            (one.endedAt ?? Number.POSITIVE_INFINITY) > end.at - EPOCH + bound,
        )
        return named(
          runId,
          8,
          late.map(one => `goes on after the end of its run (${end.type}): ${describe(one)}`),
        )
      })

/** Law 2: a child asks for nothing once its run is answered. */
const nothingAskedAfter = (world: SkillWorld): Violation[] =>
  world.runs.flatMap(({ ask, ended, isLost }) => {
    const commands = ask.script.steps.flatMap(step => (step.do === 'tap' ? [step.command] : []))
    const late = world.story.asked.find(
      ({ command, began }) => commands.includes(command) && began > (ended ?? Infinity),
    )
    if (isLost || !late) return []
    return named(ask.name, 2, [`its child asked for ${late.command} ${late.began - (ended ?? 0)} ms after the answer`])
  })

/** Law 4: nobody signals what is not of its run. */
const onlyOwnProcesses = ({ hits }: SkillWorld): Violation[] => named('the host', 4, hits)

/** Law 1: a row is tapped once at most. */
const tappedOnce = ({ taps }: SkillWorld): Violation[] =>
  Object.entries(taps).flatMap(([about, count]) =>
    count > 1 ? named(about, 1, [`the phone did it ${count} times`]) : [],
  )

const nothingLeft = ({ left }: SkillWorld): Violation[] =>
  left.flatMap(({ owner, what }) => named(owner, 8, [`is left: ${what}`]))

export const judgeSkills = (world: SkillWorld): Violation[] => [
  ...judge(world.story),
  ...tappedOnce(world),
  ...endsOnce(world),
  ...recordsAgree(world),
  ...answersFitChildren(world),
  ...timeoutsAreTrue(world),
  ...nothingAskedAfter(world),
  ...onlyOwnProcesses(world),
  ...answersInTime(world),
  ...calmWorks(world),
  ...nothingGoesOn(world),
  ...endedIsOver(world),
  ...nothingLeft(world),
]
