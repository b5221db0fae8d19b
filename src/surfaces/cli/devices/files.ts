/** `svc files`: listing a folder, and transfers whose progress is shown. */

import type { ListedFile } from '../../../contracts/device/device-files.ts'
import { withHostPaths } from '../../../contracts/host-paths.ts'
import { defined } from '../../../contracts/json/json.ts'
import { absolutePath } from '../../../runtime/files/absolute-path.ts'
import type { flatExecution } from '../../../service/executions/actions/flat-actions.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { withStepProgress } from '../executions/step-progress.ts'
import { listText } from '../text/answer.ts'
import type { Page } from '../text/page.ts'
import { runDeviceCommand } from './device-command.ts'
import { look } from './devices.ts'

export const listFiles = (call: CommandContext): Promise<CommandResult> =>
  look('files.list', call, { path: call.args[0] ?? '', ...defined({ applicationId: call.text('app') }) })

/** A daemon works in another folder, so the paths of this machine leave here as absolute ones. */
export const transfer = (payload: ReturnType<typeof flatExecution>, call: CommandContext): Promise<CommandResult> => {
  const actions = payload.actions.map(action => withHostPaths(action, path => absolutePath(call.cwd, path)))
  const placed = { ...payload, actions }
  const run = () => runDeviceCommand('flat', placed, call)
  return call.isOn('dry-run') || call.isOn('validate-only') ? run() : withStepProgress(placed, call, run)
}

export const filesText = (page: Page, { files }: { files: readonly ListedFile[] }): string =>
  listText(page, files, { none: 'The folder is empty.', count: ['entry', 'entries'] })
