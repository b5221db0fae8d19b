/** `svc upgrade check`: asks npm, and says what it means. */
import { checkUpgrade, findNpm } from '../../install/upgrade.ts'
import { childEnv } from '../../runtime/child-env.ts'
import { type Call, CommandError, type CommandResult } from '../command.ts'

export const check = async ({ env, clock, signal }: Call): Promise<CommandResult> => {
  const npm = findNpm(env.PATH)
  if (npm === undefined) {
    throw new CommandError('UPGRADE_CHECK_FAILED', 'npm is not on the PATH.', {
      hint: 'npm comes with Node; put the folder that has it on the PATH.',
    })
  }
  const checked = await checkUpgrade(__SVC_VERSION__, { npm, env: childEnv(env), clock, signal })
  if (typeof checked !== 'string') return { ok: true, output: checked }
  throw new CommandError('UPGRADE_CHECK_FAILED', `${npm} was asked for the version of svc: ${checked}.`, {
    hint: 'svc works without this. Try it again where npm reaches its registry.',
  })
}
