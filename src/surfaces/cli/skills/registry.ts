/** The registry as the `svc skills` commands find it, and what they look up there: `list`, `get`, `for-app`, `search`. */
import { homeOf } from '../../../runtime/home.ts'
import type { Refusal } from '../../../service/skills/refusal.ts'
import { getSkill } from '../../../service/skills/registry/find.ts'
import { loadRegistry, type Registry, type RegistryOptions } from '../../../service/skills/registry/load.ts'
import { listSkills, searchSkills, skillsForApp } from '../../../service/skills/search.ts'
import type { CommandContext, CommandResult } from '../command.ts'

type Result = { ok: true; output: unknown } | Refusal

export const outcomeOf = (result: Result): CommandResult =>
  result.ok ? { ok: true, output: result.output } : { ok: false, output: result.error }

export const placesOf = ({ text, env, cwd }: CommandContext): RegistryOptions => ({
  registry: text('registry'),
  registryEnv: env.SVC_SKILLS_REGISTRY,
  cwd,
  home: homeOf(env),
})

/** Every command that only reads fails in one way when there is no registry. */
export const withRegistry = (call: CommandContext, use: (registry: Registry) => Result): CommandResult => {
  const loaded = loadRegistry(placesOf(call))
  return outcomeOf(loaded.ok ? use(loaded.registry) : loaded)
}

const first = ({ args }: CommandContext): string => args[0] ?? ''

export const list = (call: CommandContext): CommandResult =>
  withRegistry(call, registry => ({ ok: true, output: listSkills(registry) }))

export const get = (call: CommandContext): CommandResult =>
  withRegistry(call, registry => getSkill(registry, first(call)))

export const forApp = (call: CommandContext): CommandResult =>
  withRegistry(call, registry => ({ ok: true, output: skillsForApp(registry, first(call)) }))

export const search = (call: CommandContext, keyword: string | undefined): CommandResult => {
  const filter = { app: call.text('app'), intent: call.text('intent'), keyword }
  return withRegistry(call, registry => ({ ok: true, output: searchSkills(registry, filter) }))
}
