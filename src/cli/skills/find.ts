/** `svc skills list|get|for-app|search`. */
import { getSkill } from '../../skills/registry/find.ts'
import { listSkills, searchSkills, skillsForApp } from '../../skills/search/search.ts'
import type { Call, CommandResult } from '../command.ts'
import { withRegistry } from './registry.ts'

const first = ({ args }: Call): string => args[0] ?? ''

export const list = (call: Call): CommandResult =>
  withRegistry(call, registry => ({ ok: true, output: listSkills(registry) }))

export const get = (call: Call): CommandResult => withRegistry(call, registry => getSkill(registry, first(call)))

export const forApp = (call: Call): CommandResult =>
  withRegistry(call, registry => ({ ok: true, output: skillsForApp(registry, first(call)) }))

export const search = (call: Call, keyword: string | undefined): CommandResult => {
  const filter = { app: call.text('app'), intent: call.text('intent'), keyword }
  return withRegistry(call, registry => ({ ok: true, output: searchSkills(registry, filter) }))
}
