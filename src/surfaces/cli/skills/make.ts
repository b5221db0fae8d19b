/** `svc skills new|install|update|sync`: what changes a registry, or checks the workspace. */
import { basename, join, resolve } from 'node:path'
import type { SkillCreated, SkillsSynced } from '../../../contracts/skills/skill-commands.ts'
import { homeOf } from '../../../runtime/home.ts'
import { installSkills, syncSkills, updateSkills } from '../../../service/skills/install/install.ts'
import { newSkill } from '../../../service/skills/scaffold/new-skill.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { keepOwnerRights } from '../process.ts'
import { bullets, facts, headline, lines } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe, visible } from '../text/visible.ts'
import { outcomeOf, placesOf } from './registry.ts'

export const create = async (call: CommandContext): Promise<CommandResult> => {
  keepOwnerRights()
  const [skillId = ''] = call.args
  const { clock } = call
  const descriptions = { summary: call.text('summary'), recordingContext: call.text('recording-context') }
  const named = call.text('from-flow')
  if (named === undefined) return outcomeOf(await newSkill({ ...placesOf(call), ...descriptions, skillId, clock }))
  const { readSkillFlow } = await import('./from-flow.ts')
  const { flowSkill, inputFlag } = await import('../../../service/skills/scaffold/flow-skill.ts')
  const read = await readSkillFlow(named, call.cwd)
  if (!read.ok) return outcomeOf(read)
  const { flow } = read
  const summary = descriptions.summary ?? `Runs the flow ${basename(named)}`
  const made = await newSkill({ ...placesOf(call), ...descriptions, summary, skillId, clock, content: flowSkill(flow) })
  if (!made.ok) return outcomeOf(made)
  const { skillPath, next } = made.output
  const flags = flow.variables.map(variable => ` ${inputFlag(variable)} <text>`).join('')
  const output = {
    ...made.output,
    flowPath: join(skillPath, flow.file),
    next: `Run it: ${next?.split('then run: ')[1] ?? `svc skills run ${skillId}`}${flags}`,
  }
  return { ok: true, output }
}

const workspaceOf = (call: CommandContext) => {
  const { env } = call
  const registry = call.text('registry')
  if (registry?.trim() === '') throw usage('--registry is blank.')
  return {
    home: homeOf(env),
    path: env.PATH,
    registry: registry === undefined ? undefined : resolve(call.cwd, registry),
  }
}

export const install = async (call: CommandContext): Promise<CommandResult> => {
  keepOwnerRights()
  return outcomeOf(await installSkills({ ...workspaceOf(call), clock: call.clock }))
}

export const update = (call: CommandContext): CommandResult =>
  outcomeOf(updateSkills({ ...workspaceOf(call), ref: call.text('ref') }))

export const sync = (call: CommandContext): CommandResult =>
  outcomeOf(syncSkills({ ...workspaceOf(call), ref: call.text('ref') }))

export const createdText = (page: Page, { skillId, skillPath, files, flowPath, next }: SkillCreated): string =>
  lines(
    headline(page, 'ok', safe`Made the skill ${skillId} in ${skillPath}`),
    bullets(page, flowPath === undefined ? files : [...files, flowPath]),
    facts(page, [['Next', next]], 2),
  )

export const syncedText = (page: Page, { message, registryPath }: SkillsSynced): string =>
  lines(headline(page, 'ok', visible(message)), facts(page, [['Registry', registryPath]], 2))
