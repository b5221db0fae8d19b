/** The `gate` port of a skill run: everything that can say no before something is spawned, in the contract's order. */
import { DEFAULT_OPERATOR_PACKAGE } from '../../../contracts/json/literals.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { Port } from '../../../runtime/port.ts'
import type { FoundDevice } from '../../policy/gates.ts'
import { ownUnlessReserved } from '../../reservations/unless-reserved.ts'
import { createRootGuard } from '../containment.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { findSkill } from '../registry/find.ts'
import { type ChildPlan, deviceOf, planChild } from './child-plan.ts'
import { fileOf, findAgentCli, findScript } from './find-executable.ts'
import type { LiveRun, LiveRuns } from './live-run.ts'
import type { WhileOwned } from './request.ts'
import { readSkillFacts, timeAfter } from './timeout.ts'

export interface GatePortDeps {
  runs: LiveRuns
  clock: Clock
}

/** The time to validate the skill, and to list, open and look at the device. */
export const GATES_MS = 60_000

type Planned = { ok: true; plan: ChildPlan } | Refusal

/** Rules 4 and 5: the entry, its script, its agent. */
const choose = (runId: string, { request, deps, timeoutMs }: LiveRun, suited: string | undefined): Planned => {
  const loaded = deps.loadRegistry()
  if (!loaded.ok) return loaded
  const { registry } = loaded
  const found = findSkill(registry, request.skillId)
  if (!found.ok) return found
  const { skill } = found
  const inRoot = createRootGuard(registry)
  const facts = readSkillFacts(skill, inRoot)
  if (!facts.ok) return facts
  const script = findScript(skill, inRoot)
  if (!script.ok) return script
  const { agent, contract, folder } = facts
  const { world } = deps
  const operatorPackage = request.operatorPackage ?? suited ?? DEFAULT_OPERATOR_PACKAGE
  const planned = { runId, request, script, contract, operatorPackage, registryPath: registry.path, timeoutMs, world }
  if (!agent) return { ok: true, plan: planChild({ ...planned, orchestration: undefined }) }
  const program = fileOf(skill.id, skill.skillFile, inRoot)
  if (!program.ok) return program
  const cli = findAgentCli({ skillId: skill.id, agent, folder, env: world.env, cwd: world.cwd })
  if (!cli.ok) return cli
  return { ok: true, plan: planChild({ ...planned, orchestration: { cli, program: program.path } }) }
}

/** The check that is under way, named in the refusal when time runs out. */
type Stage = 'policy' | 'files' | 'device' | 'script'

const passGates = async (
  runId: string,
  run: LiveRun,
  signal: AbortSignal,
  enter: (stage: Stage) => void,
): Promise<Planned> => {
  const { request, deps } = run
  enter('policy')
  const { skillId: skill, caller = 'cli', askedBy: skillRunId, confirmed, operatorPackage } = request
  let isDecided = false
  const permit = async (found?: FoundDevice): Promise<Refusal | undefined> => {
    isDecided = found !== undefined
    const error = await deps.policy({ skill, runId, caller, skillRunId, confirmed, found })
    return error && { ok: false, error }
  }
  const denied = await permit()
  if (denied) return denied
  enter('files')
  if (!request.skipValidate) {
    const valid = await deps.validate(request.skillId, signal)
    if (!valid.ok) return valid
  }
  enter('device')
  const whileOwned: WhileOwned = (key, work) =>
    ownUnlessReserved(request.leaseId, key, deps, unless =>
      deps.host.whileOwned(key, { runId, skillId: request.skillId }, work, unless),
    )
  const device = await deps.checkDevice(deviceOf(request), signal, whileOwned, { operatorPackage, permit })
  if (!device.ok) return device
  // No device was looked at.
  const refused = isDecided ? undefined : await permit({ serials: async () => [], operator: operatorPackage })
  if (refused) return refused
  enter('script')
  return choose(runId, run, device.operatorPackage)
}

const tooLate = ({ request, timeoutMs, endsAt }: LiveRun, stage: Stage, clock: Clock): Refusal => {
  const why = `the check of its ${stage} did not end in time; nothing was started.`
  if (clock.elapsed() >= endsAt) {
    const message = `Skill ${request.skillId} was not started within its timeout of ${timeoutMs} ms: ${why}`
    return refuse('SKILL_EXECUTION_TIMEOUT', message)
  }
  return refuse('SKILL_EXECUTION_FAILED', `Skill ${request.skillId} was not started within ${GATES_MS} ms: ${why}`)
}

export const gatePort =
  ({ runs, clock }: GatePortDeps): Port<{ runId: string }> =>
  async ({ runId }, { send, signal }) => {
    const run = runs.get(runId)
    if (!run) throw new Error(`run ${runId} was not requested in this process`)
    const leave = new AbortController()
    const stop = AbortSignal.any([signal, leave.signal])
    let stage: Stage = 'policy'
    const enter = (next: Stage) => {
      stage = next
    }
    const late = () => tooLate(run, stage, clock)
    try {
      const waitMs = Math.min(GATES_MS, run.endsAt - clock.elapsed())
      const checked = await Promise.race([passGates(runId, run, stop, enter), pause(clock, waitMs, stop).then(late)])
      if (signal.aborted) return
      // A check that blocked until its time was over is late as well.
      const isLate = run.isOver || clock.elapsed() >= run.endsAt
      const passed = checked.ok && isLate ? late() : checked
      if (!passed.ok) {
        run.refusal = passed.error
        await send({ type: 'run.refused', code: passed.error.code, message: passed.error.message })
        return
      }
      const { plan } = passed
      run.plan = plan
      await send({
        type: 'run.cleared',
        script: plan.script,
        digest: plan.digest,
        argv: [plan.command, ...plan.args],
        agentDriven: plan.source.kind === 'agent',
        deadlineAt: timeAfter(clock.now(), Math.round(run.endsAt - clock.elapsed())),
      })
    } catch (error) {
      run.reason = messageOf(error)
      throw error
    } finally {
      leave.abort()
    }
  }
