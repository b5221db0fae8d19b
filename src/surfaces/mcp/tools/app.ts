/** The tool that installs an application, removes it or its data, or sets a permission of it. */

import type { ToolArguments } from '../../../contracts/doors/mcp.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { type Draft, draftOf } from '../../../service/executions/actions/flat-actions.ts'
import { failed } from '../answers.ts'
import { tool } from '../tool.ts'
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
