/** Commands, conditions and headers with their expressions evaluated. */
import type { Action, Condition, Flow } from '../language/command.ts'
import type { Evaluated, SettleContext } from '../language/evaluate/context.ts'
import { settleCommand } from '../language/evaluate/settle-command.ts'
import { settleCondition } from '../language/evaluate/settle-selector.ts'
import { envBytes, FLOW_ENV_BYTES, tooManyVariables } from '../language/limits.ts'
import type { LiveAttempt, Scope } from './attempt.ts'
import { failed } from './failure.ts'
import type { Turn } from './record-commands.ts'
import { placeOf, type ScriptCalls } from './script-calls.ts'

const surroundings = ({ command, scope, scripts, library }: Turn, { directory }: LiveAttempt): SettleContext => ({
  interpolate: scripts.interpolating(placeOf(command, scope)),
  library,
  appId: scope.appId,
  directory,
  running: scope.running,
})

const unlessProblem = <T>(settled: Evaluated<T>): T => {
  if (settled.ok) return settled.value
  const [problem] = settled.problems
  throw failed('FLOW_INVALID', problem?.message ?? 'The command cannot be performed as it is written.')
}

export const settledAction = async (turn: Turn, attempt: LiveAttempt): Promise<Action> =>
  unlessProblem(await settleCommand(turn.command, surroundings(turn, attempt)))

export const settledCondition = async (turn: Turn, attempt: LiveAttempt): Promise<Condition | undefined> =>
  unlessProblem(await settleCondition(turn.command, surroundings(turn, attempt)))

/** Throws CommandFailed where they are too many for the scripts of the flow. */
export const withVariables = (around: Scope['env'], added: Scope['env']): Scope['env'] => {
  const env = { ...around, ...added }
  const bytes = envBytes(env)
  if (bytes > FLOW_ENV_BYTES) throw failed('FLOW_INVALID', tooManyVariables(bytes))
  return env
}

/** The header of a flow may refer to the variables around it. */
export const scopeOfFlow = async (
  flow: Flow,
  around: Omit<Scope, 'file' | 'appId'>,
  scripts: ScriptCalls,
): Promise<Scope> => {
  const at = { file: flow.file, line: 1 }
  let env = around.env
  for (const [name, value] of Object.entries(flow.config.env))
    env = withVariables(env, { [name]: await scripts.interpolating({ ...at, env })(value) })
  const { appId } = flow.config
  return {
    file: flow.file,
    appId: appId === undefined ? undefined : await scripts.interpolating({ ...at, env })(appId),
    env,
    depth: around.depth,
    usesWebElements: around.usesWebElements || flow.config.usesWebViewHierarchy,
    running: [...around.running, flow.file],
  }
}
