/** The tool that installs an application, removes it, or removes its data. */
import { failure } from '../../contracts/failures.ts'
import type { ToolArguments } from '../../contracts/mcp.ts'
import { type Draft, installAction, removalAction } from '../../executions/flat-actions.ts'
import { failed } from '../answers.ts'
import { ACTS, tool } from '../tool.ts'
import { act } from './act.ts'

type Given = ToolArguments<'app'>

const INSTALL_KEYS = ['paths', 'grantPermissions', 'downgrade'] as const

const installOf = ({ paths, grantPermissions, downgrade, app, keepData }: Given): Draft | string => {
  if (paths === undefined) return 'install needs paths, of APKs on the host'
  if (app !== undefined || keepData) return 'install takes the name of the app from its APKs, and keeps its data'
  return installAction({ paths, grantPermissions, downgrade })
}

const removalOf = (args: Given, removal: 'uninstall' | 'clear'): Draft | string => {
  const { app, keepData } = args
  if (app === undefined) return `${removal} needs app, the name of a package`
  if (INSTALL_KEYS.some(key => args[key])) return `${INSTALL_KEYS.join(', ')} are for install`
  if (keepData && removal === 'clear') return 'keepData is for uninstall'
  return removalAction(removal, app, keepData)
}

export const app = tool({
  name: 'app',
  description: 'Install an app from APKs (paths on the host), uninstall it (app: its package), or clear its data.',
  annotations: ACTS,
  run(args, call) {
    const { action } = args
    const draft = action === 'install' ? installOf(args) : removalOf(args, action)
    if (typeof draft === 'string')
      return Promise.resolve(failed(failure('USAGE', `app: ${draft}`), { dispatched: false }))
    return act('app', draft, args, call, ({ application_id = '', version_name = '' }) =>
      [`${action}:`, application_id, version_name].filter(Boolean).join(' '),
    )
  },
})
