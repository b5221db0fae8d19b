/** The tool that installs an application, removes it or its data, or sets a permission of it. */

import type { ToolArguments } from '../../../contracts/doors/mcp.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { type Draft, draftOf } from '../../../service/executions/actions/flat-actions.ts'
import { failed } from '../answers.ts'
import { tool } from '../tool.ts'
import { act } from './act.ts'

type Given = ToolArguments<'app'>

const INSTALL_KEYS = ['paths', 'grantPermissions', 'downgrade'] as const

const installOf = ({ paths, grantPermissions, downgrade, app, keepData }: Given): Draft | string => {
  if (paths === undefined) return 'install needs paths, of APKs on the host'
  if (app !== undefined || keepData) return 'install takes the name of the app from its APKs, and keeps its data'
  return draftOf('install_app', { paths, grantPermissions, downgrade })
}

const PERMISSION_KEYS = ['permission', 'state'] as const

const permissionOf = ({ app, permission, state, keepData }: Given): Draft | string => {
  if (app === undefined || permission === undefined || state === undefined)
    return 'permission needs app, permission (a full name, or a short one such as camera, notifications or all) and state'
  if (keepData) return 'keepData is for uninstall'
  return draftOf('set_permission', { applicationId: app, permission, state })
}

const removalOf = (args: Given, removal: 'uninstall' | 'clear'): Draft | string => {
  const { app, keepData } = args
  if (app === undefined) return `${removal} needs app, the name of a package`
  if (keepData && removal === 'clear') return 'keepData is for uninstall'
  return removal === 'clear'
    ? draftOf('clear_app', { applicationId: app })
    : draftOf('uninstall_app', { applicationId: app, keepData })
}

const draftFrom = (args: Given): Draft | string => {
  const { action } = args
  if (action !== 'install' && INSTALL_KEYS.some(key => args[key])) return `${INSTALL_KEYS.join(', ')} are for install`
  if (action !== 'permission' && PERMISSION_KEYS.some(key => args[key]))
    return 'permission and state are for permission'
  if (action === 'install') return installOf(args)
  return action === 'permission' ? permissionOf(args) : removalOf(args, action)
}

export const app = tool({
  name: 'app',
  description: 'Install an app, uninstall it, clear its data, or set a permission.',
  annotations: { performs: ['install_app', 'uninstall_app', 'clear_app', 'set_permission'] },
  run(args, call) {
    const { action, permission, state } = args
    const draft = draftFrom(args)
    if (typeof draft === 'string')
      return Promise.resolve(failed(failure('USAGE', `app: ${draft}`), { dispatched: false }))
    return act('app', draft, args, call, ({ application_id = '', version_name = '', previous }) =>
      action === 'permission'
        ? `${permission}: ${state} (it was ${previous})`
        : [`${action}:`, application_id, version_name].filter(Boolean).join(' '),
    )
  },
})
