/**
 * The tools for applications of a device: one lists and describes them, the other installs one, removes it or its
 * data, or sets a permission of it.
 */

import type { AppInfo, ListedApp } from '../../../contracts/device/apps.ts'
import type { ToolArguments } from '../../../contracts/doors/mcp.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { type Draft, draftOf } from '../../../service/executions/actions/flat-actions.ts'
import { done, failed } from '../answers.ts'
import { deviceToLookAt } from '../perform.ts'
import { LOOKS, type Tool, tool } from '../tool.ts'
import { act } from './act.ts'

type Given = ToolArguments<'app'>

const DRAFTS: Readonly<Record<Given['action'], (args: Given) => Draft | string>> = {
  install: ({ paths, grantPermissions, downgrade }) =>
    paths === undefined
      ? 'install needs paths, of APKs on the host'
      : draftOf('install_app', { paths, grantPermissions, downgrade }),
  uninstall: ({ app, keepData }) =>
    app === undefined
      ? 'uninstall needs app, the name of a package'
      : draftOf('uninstall_app', { applicationId: app, keepData }),
  clear: ({ app }) =>
    app === undefined ? 'clear needs app, the name of a package' : draftOf('clear_app', { applicationId: app }),
  permission: ({ app, permission, state }) =>
    app === undefined || permission === undefined || state === undefined
      ? 'permission needs app, permission (a full name, or a short one such as camera, notifications or all) and state'
      : draftOf('set_permission', { applicationId: app, permission, state }),
}

export const app = tool({
  name: 'app',
  description: 'Install an app, uninstall it, clear its data, or set a permission.',
  annotations: { performs: ['install_app', 'uninstall_app', 'clear_app', 'set_permission'] },
  run(args, call) {
    const { action, permission, state } = args
    const draft = DRAFTS[action](args)
    if (typeof draft === 'string')
      return Promise.resolve(failed(failure('USAGE', `app: ${draft}`), { dispatched: false }))
    return act('app', draft, args, call, ({ application_id = '', version_name = '', previous }) =>
      action === 'permission'
        ? `${permission}: ${state} (it was ${previous})`
        : [`${action}:`, application_id, version_name].filter(Boolean).join(' '),
    )
  },
})

const lineOf = ({ applicationId, kind, versionCode }: ListedApp): string =>
  `${applicationId} ${kind}${versionCode === undefined ? '' : ` ${versionCode}`}`

const linesOf = (app: AppInfo): string[] => [
  lineOf(app),
  ...(app.versionName === undefined ? [] : [`version ${app.versionName}`]),
  ...app.permissions.map(({ permission, granted, state }) => `${permission} ${state ?? (granted ? 'allow' : 'deny')}`),
]

const apps = tool({
  name: 'apps',
  description: 'List the apps of a device, or describe one: version, permissions.',
  annotations: LOOKS,
  async run({ app: applicationId, kind, device }, { deps, signal }) {
    if (applicationId !== undefined && kind !== undefined) {
      return failed(failure('USAGE', 'apps: app and kind cannot be combined'), { dispatched: false })
    }
    const { service } = deps
    const call = { context: { caller: 'mcp' }, signal } as const
    const chosen = await deviceToLookAt(device, deps, call)
    if (!chosen.ok) return failed(chosen.error, { dispatched: false })
    const deviceId = chosen.value
    if (applicationId !== undefined) {
      const found = await service['apps.get']({ deviceId, applicationId }, call)
      if (!found.ok) return failed(found.error, { dispatched: false })
      const { app } = found.value
      return done(linesOf(app).join('\n'), { app })
    }
    const listed = await service['apps.list']({ deviceId, ...(kind === undefined ? {} : { kind }) }, call)
    if (!listed.ok) return failed(listed.error, { dispatched: false })
    const { apps: found, count } = listed.value
    return done(found.map(lineOf).join('\n') || 'none', { apps: found, count })
  },
})

export const APP_TOOLS: readonly Tool[] = [apps]
