/** `svc authoring-skills install|update|list|status`. */

import { applyPlan } from '../../install/apply-plan.ts'
import { planInstall } from '../../install/install.ts'
import { authoringStatus, listAuthoring } from '../../install/status.ts'
import { type Call, CommandError, type CommandResult } from '../command.ts'
import { keepOwnerRights } from '../owner-umask.ts'
import { authoringOptions, reported, summaryOf } from './places.ts'

const bring = async (call: Call, isUpdate: boolean): Promise<CommandResult> => {
  keepOwnerRights()
  const dryRun = call.isOn('dry-run')
  const authoring = { ...authoringOptions(call), isUpdate }
  if (isUpdate && listAuthoring(authoring).count === 0) {
    throw new CommandError('AUTHORING_SKILLS_NOT_INSTALLED', 'There are no authoring skills to update.', {
      hint: 'svc authoring-skills install',
    })
  }
  const { home, bundle } = authoring
  const done = await applyPlan({ home, clock: call.clock, plan: () => planInstall({ authoring }), isDryRun: dryRun })
  if (!done.ok) return { ok: false, output: done.error }
  const { report } = done
  const message = `Authoring skills ${bundle.version}. ${summaryOf(report, dryRun)}`
  return reported(report, { ...authoringStatus(authoring), ...report, dryRun, message })
}

export const install = (call: Call): Promise<CommandResult> => bring(call, false)
export const update = (call: Call): Promise<CommandResult> => bring(call, true)
export const list = (call: Call): CommandResult => ({ ok: true, output: listAuthoring(authoringOptions(call)) })
export const status = (call: Call): CommandResult => ({ ok: true, output: authoringStatus(authoringOptions(call)) })
