/** The ports of a skill run; `child` owns the child from its start until nothing of its process group is left. */
import { join } from 'node:path'
import type { ChildInput } from '../../../../machines/skill-run/skill-run-setup.ts'
import { SKILL_KILL_GRACE_MS } from '../../../contracts/limits/limits.ts'
import type { Clock, Timer } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { deadlinePort, type Port, type Ports } from '../../../runtime/port.ts'
import { parseSkillResult } from '../result/parse-result.ts'
import { verifyClaim } from '../result/verification.ts'
import type { ChildPlan } from './child-plan.ts'
import { type StartedProcesses, startedProcesses } from './child-processes.ts'
import { type GatePortDeps, gatePort } from './gate.ts'
import type { LiveRun, LiveRuns, SkillRunDeps } from './live-run.ts'
import { createRunOutput, excerpt, type RunOutput } from './output.ts'
import type { RunFolder } from './run-folder.ts'
import { type Child, startOnTerminal, startPiped } from './start-child.ts'
import { SVC_BIN_NAME, svcBinIn, svcBinScript } from './svc-bin.ts'

/** The sample of each stream that the journal keeps. */
const JOURNAL_CHARS = 64 * 1_024

/** The child is killed so long before the machine gives up on it. */
const BEFORE_END_MS = 100

/** The signals that are passed on unchanged; any other becomes SIGTERM. */
const FORWARDED: Readonly<Record<string, NodeJS.Signals>> = { SIGINT: 'SIGINT' }

/** The facts that the child left behind; the machine judges them. */
const factsOf = (run: LiveRun, plan: ChildPlan, output: RunOutput) => {
  const { request } = run
  const text = output.frame()
  const parsed =
    text.kind === 'framed' ? parseSkillResult(text.json, { skillId: request.skillId, source: plan.source }) : undefined
  const fault = text.kind === 'malformed' ? text.reason : parsed?.ok === false ? parsed.reason : undefined
  run.skillResult = parsed?.ok ? parsed.result : null
  const verified = verifyClaim({ contract: plan.contract, args: request.args, skillResult: run.skillResult })
  const reason = fault ?? verified.reason
  if (reason !== undefined) run.reason = reason
  return {
    frame: fault !== undefined ? 'malformed' : parsed ? 'valid' : 'none',
    verification: verified.verdict,
    expectationMet: output.isExpectationMet(),
  }
}

const sampleOf = (run: LiveRun, output: RunOutput) => {
  const { stdout, stderr } = output.captured()
  return {
    stdout: excerpt(stdout, JOURNAL_CHARS),
    stderr: excerpt(stderr, JOURNAL_CHARS),
    skillResult: run.skillResult,
  }
}

const folderFor = (runId: string, { env }: ChildPlan, { world }: SkillRunDeps): RunFolder => {
  const { pid, startOf, makeRunFolder } = world.system
  return makeRunFolder({
    places: world.runFolders,
    runId,
    owner: { pid, started: startOf(pid) ?? '' },
    programs: { [SVC_BIN_NAME]: svcBinScript({ runId, env, world }) },
  })
}

const childPort =
  ({ runs, clock }: { runs: LiveRuns; clock: Clock }): Port<ChildInput> =>
  async ({ runId }, { send, signal, onEvent }) => {
    const run = runs.get(runId)
    const plan = run?.plan
    if (!run || !plan) throw new Error(`run ${runId} was not planned in this process`)
    const { system } = run.deps.world
    const isAgent = plan.source.kind === 'agent'
    const { expectContains, onOutput } = run.request
    const output = createRunOutput({ isTerminal: isAgent, expectContains, onOutput })

    let child: Child | undefined
    let processes: StartedProcesses | undefined
    let wanted: NodeJS.Signals | undefined
    let lastSignal: Timer | undefined
    const tell = (name: NodeJS.Signals) => {
      wanted = name
      processes?.end(name)
    }
    onEvent(event => {
      if (event.type === 'kill.requested') tell('SIGKILL')
      else if (event.type === 'terminate.requested') {
        tell(FORWARDED[run.cancelledBy ?? ''] ?? 'SIGTERM')
        // Nobody ends the child of a run that is over on record, if its host dies at that moment: so it is killed before.
        lastSignal = clock.at(clock.now() + SKILL_KILL_GRACE_MS - BEFORE_END_MS, () => tell('SIGKILL'))
      }
    })
    const leave = () => {
      lastSignal?.cancel()
      if (!run.exit || wanted !== undefined) tell('SIGKILL')
      child?.release()
      run.folder?.remove()
    }
    signal.addEventListener('abort', leave, { once: true })

    try {
      const pty = isAgent ? await system.openPty() : undefined
      if (signal.aborted || run.isOver) return
      run.folder = folderFor(runId, plan, run.deps)
      const stderrPath = join(run.folder.path, 'stderr')
      const start = pty ? startOnTerminal({ pty, clock, stderrPath, system }) : startPiped({ clock, system })
      const env = { ...plan.env, SVC_BIN: svcBinIn(run.folder.path) }
      const starting = start({ ...plan, env }, output)
      run.starting = starting
      child = await starting
      run.output = output
    } catch (error) {
      run.reason = messageOf(error)
      await send({ type: 'child.failed', message: run.reason })
      return
    }
    const started = system.startOf(child.pid) ?? ''
    processes = startedProcesses({ runId, child, started, clock, system })
    run.started = processes
    if (signal.aborted || run.isOver) return leave()
    // A child whose start could not be recorded must not go on.
    if (!(await send({ type: 'child.spawned', pid: child.pid, started }))) return leave()
    if (wanted !== undefined) tell(wanted)
    const exit = await child.ended
    if (signal.aborted) return
    run.exit = exit
    const facts = factsOf(run, plan, output)
    // The machine ends this wait: it asks for the kill, and then goes on without the rest.
    if (wanted !== undefined) await processes.escapedGone(signal)
    if (signal.aborted) return
    // Processes that a finished script has detached are meant to stay; its own group ends with it.
    child.signal('SIGKILL')
    await send({ type: 'child.exited', ...exit, ...facts, body: sampleOf(run, output) })
  }

export const skillRunPorts = (deps: GatePortDeps): Ports => ({
  gate: gatePort(deps),
  child: childPort(deps),
  deadline: deadlinePort(deps.clock),
})
