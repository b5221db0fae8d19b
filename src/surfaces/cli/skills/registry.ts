/** The registry as the `svc skills` commands find it, and what they look up there: `list`, `get`, `for-app`, `search`. */

import { isObject } from '../../../contracts/json/json.ts'
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import { homeOf } from '../../../runtime/home.ts'
import type { Refusal } from '../../../service/skills/refusal.ts'
import { getSkill } from '../../../service/skills/registry/find.ts'
import { loadRegistry, type Registry, type RegistryOptions } from '../../../service/skills/registry/load.ts'
import { listSkills, searchSkills, skillsForApp } from '../../../service/skills/search.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { fieldsText, listText } from '../text/answer.ts'
import { lines } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { visible } from '../text/visible.ts'

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

export const skillsText = (page: Page, { skills }: { skills: readonly RegistryEntry[] }): string => {
  const isList = page.path[1] === 'list'
  return listText(
    page,
    skills.map(({ id, summary, keywords = [], applicationId, intent }) => ({
      id,
      summary,
      applicationId,
      keywords,
      intent,
    })),
    {
      none: isList ? 'The registry has no skill. Make one: svc skills new <id>' : 'No skill matches.',
    },
  )
}

const declaredInputs = (contract: unknown): [name: string, type: unknown][] => {
  const inputs = isObject(contract) ? contract.inputs : undefined
  return isObject(inputs) ? Object.entries(inputs) : []
}

/** Scripts of svc read their inputs from flags with these names. */
const flagNameOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[_\s]+/g, '-')
    .toLowerCase()

const inputFlags = (contract: unknown): string[] =>
  declaredInputs(contract).map(([name]) => `--${flagNameOf(name)} <${name}>`)

export const skillText = (page: Page, { skill }: { skill: RegistryEntry }): string =>
  lines(
    page.paint('bold', visible(skill.id)),
    fieldsText(page, skill, {
      as: {
        inputs: ({ contract }) =>
          declaredInputs(contract)
            .map(([name, type]) => `${name}: ${String(type)}`)
            .join(', '),
        runIt: ({ id, contract }) => ['svc skills run', id, ...inputFlags(contract)].join(' '),
      },
      without: ['id', 'skillFile', 'contract'],
    }),
  )
