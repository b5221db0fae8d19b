/** `svc completion <shell> --install`. */

import { applyPlan } from '../../install/apply-plan.ts'
import { planCompletion, type Shell } from '../../install/completion-files.ts'
import { homeOf, userHome } from '../../runtime/home.ts'
import type { Call, CommandResult } from '../command.ts'
import { keepOwnerRights } from '../owner-umask.ts'
import { absolute, reported, summaryOf } from './places.ts'

export const installCompletion = async (call: Call, shell: Shell, script: string): Promise<CommandResult> => {
  keepOwnerRights()
  const { env, clock } = call
  const places = {
    home: homeOf(env),
    userHome: userHome(env),
    zshFolder: absolute('ZDOTDIR', env.ZDOTDIR),
    configHome: absolute('XDG_CONFIG_HOME', env.XDG_CONFIG_HOME),
  }
  const isDryRun = call.isOn('dry-run')
  const plan = () => planCompletion({ ...places, shell, script })
  const done = await applyPlan({ home: places.home, clock, plan, isDryRun })
  if (!done.ok) return { ok: false, output: done.error }
  const { report } = done
  for (const warning of report.warnings) call.log.warn(warning)
  const message = `${summaryOf(report, isDryRun)} It works in shells that are started from now on.`
  return reported(report, { ok: true, dryRun: isDryRun, version: __SVC_VERSION__, ...report, message })
}
