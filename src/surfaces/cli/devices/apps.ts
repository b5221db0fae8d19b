/** `svc apps list` and `svc apps info`, here or on the host that has the device. */
import { APP_KINDS, type AppInfo, type ListedApp } from '../../../contracts/device/apps.ts'
import { defined } from '../../../contracts/json/json.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { oneOf } from '../flags/flag-values.ts'
import { fieldsText, listText } from '../text/answer.ts'
import { lines } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'
import { look } from './devices.ts'

export const listApps = (call: CommandContext): Promise<CommandResult> =>
  look('apps.list', call, defined({ kind: oneOf(call, 'kind', APP_KINDS) }))

export const showApp = (call: CommandContext): Promise<CommandResult> =>
  look('apps.get', call, { applicationId: call.args[0] ?? '' })

export const appsText = (page: Page, { apps }: { apps: readonly ListedApp[] }): string =>
  listText(page, apps, { none: 'The device has no such application.', count: ['application'] })

export const appText = (page: Page, { app }: { app: AppInfo }): string =>
  lines(page.paint('bold', safe`${app.applicationId}`), fieldsText(page, app, { without: ['applicationId'] }))
