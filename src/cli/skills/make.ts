/** `svc skills new|install|update|sync`: what changes a registry, or checks the workspace. */
import { resolve } from 'node:path'
import { homeOf } from '../../runtime/home.ts'
import { installSkills, syncSkills, updateSkills } from '../../skills/install/install.ts'
import { newSkill } from '../../skills/scaffold/new-skill.ts'
import { type Call, type CommandResult, usage } from '../command.ts'
import { keepOwnerRights } from '../process.ts'
import { outcomeOf, placesOf } from './registry.ts'

export const create = async (call: Call): Promise<CommandResult> => {
  keepOwnerRights()
  const [skillId = ''] = call.args
  const { clock } = call
  const given = { summary: call.text('summary'), recordingContext: call.text('recording-context') }
  return outcomeOf(await newSkill({ ...placesOf(call), ...given, skillId, clock }))
}

const workspaceOf = (call: Call) => {
  const { env } = call
  const registry = call.text('registry')
  if (registry?.trim() === '') throw usage('--registry is blank.')
  return {
    home: homeOf(env),
    path: env.PATH,
    registry: registry === undefined ? undefined : resolve(call.cwd, registry),
  }
}

export const install = async (call: Call): Promise<CommandResult> => {
  keepOwnerRights()
  return outcomeOf(await installSkills({ ...workspaceOf(call), clock: call.clock }))
}

export const update = (call: Call): CommandResult =>
  outcomeOf(updateSkills({ ...workspaceOf(call), ref: call.text('ref') }))

export const sync = (call: Call): CommandResult =>
  outcomeOf(syncSkills({ ...workspaceOf(call), ref: call.text('ref') }))
