/** The registry that a `svc skills` command works with. */
import { homeOf } from '../../runtime/home.ts'
import type { Refusal } from '../../skills/refusal.ts'
import { loadRegistry, type Registry, type RegistryOptions } from '../../skills/registry/load.ts'
import type { Call, CommandResult } from '../command.ts'

type Result = { ok: true; output: unknown } | Refusal

export const outcomeOf = (result: Result): CommandResult =>
  result.ok ? { ok: true, output: result.output } : { ok: false, output: result.error }

export const placesOf = ({ text, env, cwd }: Call): RegistryOptions => ({
  registry: text('registry'),
  registryEnv: env.SVC_SKILLS_REGISTRY,
  cwd,
  home: homeOf(env),
})

/** Every command that only reads fails in one way when there is no registry. */
export const withRegistry = (call: Call, use: (registry: Registry) => Result): CommandResult => {
  const loaded = loadRegistry(placesOf(call))
  return outcomeOf(loaded.ok ? use(loaded.registry) : loaded)
}
