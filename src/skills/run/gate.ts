/** The `gate` port of a skill run: everything that can say no before something is spawned, in the contract's order. */
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Port } from '../../runtime/port.ts'
import { createSight } from '../containment.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { findSkill } from '../registry/find.ts'
import { type ChildPlan, deviceOf, planChild } from './child-plan.ts'
import { findAgentCli } from './find-agent-cli.ts'
import { fileOf, findScript } from './find-script.ts'
import type { LiveRun, LiveRuns } from './live-run.ts'
import { readSkillFacts } from './skill-facts.ts'
import { callersTimeout, effectiveTimeout, timeAfter } from './timeout.ts'

export interface GatePortDeps {
  runs: LiveRuns
  clock: Clock
}

/** For validating the skill, and for listing, opening and looking at the device. */
export const GATES_MS = 60_000

type Planned = { ok: true; plan: ChildPlan } | Refusal

/** Rules 4 and 5: the entry, its script, its agent. */
const choose = (runId: string, { request, deps }: LiveRun): Planned => {
  const loaded = deps.loadRegistry()
  if (!loaded.ok) return loaded
  const { registry } = loaded
  const found = findSkill(registry, request.skillId)
  if (!found.ok) return found
  const { skill } = found
  const sight = createSight(registry)
  const facts = readSkillFacts(skill, sight)
  if (!facts.ok) return facts
  const script = findScript(skill, sight)
  if (!script.ok) return script
  const { agent, contract, folder } = facts
  const { world } = deps
  const timeoutMs = effectiveTimeout(callersTimeout(request.timeoutMs), agent?.timeoutMs)
  const planned = { runId, request, script, contract, registryPath: registry.path, timeoutMs, world }
  if (!agent) return { ok: true, plan: planChild({ ...planned, orchestration: undefined }) }
  const program = fileOf(skill.id, skill.skillFile, sight)
  if (!program.ok) return program
  const cli = findAgentCli({ skillId: skill.id, agent, folder, env: world.env, cwd: world.cwd })
  if (!cli.ok) return cli
  return { ok: true, plan: planChild({ ...planned, orchestration: { cli, program: program.path } }) }
}

const passGates = async (runId: string, run: LiveRun, signal: AbortSignal): Promise<Planned> => {
  const { request, deps } = run
  if (!request.skipValidate) {
    const valid = await deps.validate(request.skillId, signal)
    if (!valid.ok) return valid
  }
  const device = await deps.checkDevice(deviceOf(request), signal)
  if (!device.ok) return device
  return choose(runId, run)
}

const tooLate = (): Refusal =>
  refuse('SKILL_EXECUTION_FAILED', `The checks before the run did not end within ${GATES_MS} ms; nothing was started.`)

export const gatePort =
  ({ runs, clock }: GatePortDeps): Port<{ runId: string }> =>
  async ({ runId }, { send, signal }) => {
    const run = runs.get(runId)
    if (!run) throw new Error(`run ${runId} was not asked for in this process`)
    const leave = new AbortController()
    const stop = AbortSignal.any([signal, leave.signal])
    try {
      const passed = await Promise.race([passGates(runId, run, stop), pause(clock, GATES_MS, stop).then(tooLate)])
      if (signal.aborted) return
      if (!passed.ok) {
        run.refusal = passed.error
        send({ type: 'run.refused', code: passed.error.code, message: passed.error.message })
        return
      }
      const { plan } = passed
      run.plan = plan
      send({
        type: 'run.cleared',
        script: plan.script,
        digest: plan.digest,
        argv: [plan.command, ...plan.args],
        agentDriven: plan.source.kind === 'agent',
        deadlineAt: timeAfter(clock.now(), plan.timeoutMs),
      })
    } catch (error) {
      run.reason = error instanceof Error ? error.message : String(error)
      throw error
    } finally {
      leave.abort()
    }
  }
