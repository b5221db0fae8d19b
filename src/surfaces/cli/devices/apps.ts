/** `svc apps list` and `svc apps info`, here or on the host that has the device; and `svc apps install`, whose progress is shown. */
import { resolve } from 'node:path'
import type { AppInfo, ListedApp } from '../../../contracts/device/apps.ts'
import { APP_KINDS, type AppKind } from '../../../contracts/device/apps.ts'
import { withHostPaths } from '../../../contracts/host-paths.ts'
import type { flatExecution } from '../../../service/executions/actions/flat-actions.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { withStepProgress } from '../executions/step-progress.ts'
import { fieldsText, listText } from '../text/answer.ts'
import { lines } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'
import { runDeviceCommand } from './device-command.ts'
import { askDevice } from './devices.ts'

const isKind = (text: string): text is AppKind => APP_KINDS.some(kind => kind === text)

const kindOf = ({ text }: CommandContext): { kind?: AppKind } => {
  const kind = text('kind')
  if (kind === undefined) return {}
  if (isKind(kind)) return { kind }
  throw usage(`--kind must be one of ${APP_KINDS.join(', ')}, but is "${kind}".`)
}

export const listApps = async (call: CommandContext): Promise<CommandResult> => {
  const kind = kindOf(call)
  const result = await askDevice(call, (service, deviceId, options) =>
    service['apps.list']({ deviceId, ...kind }, options),
  )
  if (!result.ok) return { ok: false, output: result.error }
  const { apps, count } = result.value
  return { ok: true, output: { apps, count } }
}

export const showApp = async (call: CommandContext): Promise<CommandResult> => {
  const [applicationId = ''] = call.args
  const result = await askDevice(call, (service, deviceId, options) =>
    service['apps.get']({ deviceId, applicationId }, options),
  )
  return result.ok ? { ok: true, output: { app: result.value.app } } : { ok: false, output: result.error }
}

/** A daemon works in another folder, so the paths of this machine leave here as absolute ones. */
export const installApp = (payload: ReturnType<typeof flatExecution>, call: CommandContext): Promise<CommandResult> => {
  const actions = payload.actions.map(action => withHostPaths(action, path => resolve(call.cwd, path)))
  const placed = { ...payload, actions }
  const run = () => runDeviceCommand('flat', placed, call)
  return call.isOn('dry-run') || call.isOn('validate-only') ? run() : withStepProgress(placed, call, run)
}

export const appsText = (page: Page, { apps }: { apps: readonly ListedApp[] }): string =>
  listText(page, apps, { none: 'The device has no such application.', count: ['application'] })

export const appText = (page: Page, { app }: { app: AppInfo }): string =>
  lines(page.paint('bold', safe`${app.applicationId}`), fieldsText(page, app, { without: ['applicationId'] }))
