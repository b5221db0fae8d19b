/** The profile of daemons: its report, and how its plans are made smaller. */
import type { Profile } from '../plan/profile.ts'
import { withoutParts } from '../plan/shrink.ts'
import { judgeDaemons } from './laws.ts'
import { type DaemonPlan, daemonPlanOf } from './plan.ts'
import { runDaemonPlan } from './trial.ts'

function* simpler(plan: DaemonPlan): Generator<DaemonPlan> {
  for (const commands of withoutParts(plan.commands)) yield { ...plan, commands }
  for (const faults of withoutParts(plan.faults)) yield { ...plan, faults }
  for (const [index, { interruptAfterMs, diesAtUse, ...plain }] of plan.commands.entries())
    if (interruptAfterMs !== undefined || diesAtUse !== undefined)
      yield { ...plan, commands: plan.commands.map((one, at) => (at === index ? plain : one)) }
}

export const DAEMON: Profile<DaemonPlan> = {
  planOf: (seed, count) => daemonPlanOf(seed, count),
  async tried(plan) {
    const trial = await runDaemonPlan(plan)
    const violations = judgeDaemons(trial.world)
    const report = () =>
      [...violations.map(({ law, about, says }) => `law ${law}: ${about}: ${says}`), '', ...trial.trace, ''].join('\n')
    return { ...trial, violations, report }
  },
  simpler,
  faultKinds: ({ faults, commands, listener }) => [
    `listener ${listener}`,
    ...faults.map(({ kind }) => kind),
    ...commands.flatMap(({ interruptAfterMs, diesAtUse }) => [
      ...(interruptAfterMs === undefined ? [] : ['interruption']),
      ...(diesAtUse === undefined ? [] : ['death of a client']),
    ]),
  ],
  sizeOf: ({ commands, faults }) => `${commands.length} commands, ${faults.length} faults`,
}
