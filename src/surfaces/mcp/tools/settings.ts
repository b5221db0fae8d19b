/** The tool that reads the settings of a device, changes one, and puts changes back. */
import { failure } from '../../../contracts/failures/failures.ts'
import { draftOf } from '../../../service/executions/actions/flat-actions.ts'
import { settingValueFrom } from '../../../service/executions/actions/setting-values.ts'
import { done, failed } from '../answers.ts'
import { deviceToLookAt } from '../perform.ts'
import { type Tool, type ToolCall, tool } from '../tool.ts'
import { act } from './act.ts'

const refused = (problem: string) => failed(failure('USAGE', `settings: ${problem}`), { dispatched: false })

const show = async (setting: string | undefined, device: string | undefined, { deps, signal }: ToolCall) => {
  const { service } = deps
  const call = { context: { caller: 'mcp' }, signal } as const
  const chosen = await deviceToLookAt(device, deps, call)
  if (!chosen.ok) return failed(chosen.error, { dispatched: false })
  const found = await service['settings.get']({ deviceId: chosen.value }, call)
  if (!found.ok) return failed(found.error, { dispatched: false })
  if (setting !== undefined && !Object.hasOwn(found.value.settings, setting)) {
    const known = Object.keys(found.value.settings).join(', ')
    return refused(`there is no setting ${setting} here; the device has ${known}`)
  }
  const settings = Object.entries(found.value.settings).filter(([name]) => setting === undefined || name === setting)
  const lines = settings.map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return done(lines.join('\n'), { settings: Object.fromEntries(settings) })
}

const settings = tool({
  name: 'settings',
  description: 'get settings, set one, or restore what svc changed.',
  annotations: { performs: ['change_setting', 'restore_settings'] },
  async run({ action, setting, value, app, ...target }, call) {
    if (action === 'get') return show(setting, target.device, call)
    if (action === 'restore') {
      return act(
        'settings',
        draftOf('restore_settings'),
        target,
        call,
        ({ restored, left }) => `restored ${restored}, left ${left}`,
      )
    }
    if (setting === undefined || value === undefined) return refused('set needs setting and value')
    const draft = draftOf('change_setting', {
      setting,
      value: settingValueFrom(setting, value),
      applicationId: app,
    })
    return act('settings', draft, target, call, data => `${setting} ${data.value}, was ${data.previous}`)
  },
})

export const SETTINGS_TOOLS: readonly Tool[] = [settings]
