/** The tool that lists the applications of a device, and describes one. */
import type { AppInfo, ListedApp } from '../../../contracts/device/apps.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { done, failed } from '../answers.ts'
import { deviceToLookAt } from '../device-argument.ts'
import { LOOKS, type Tool, tool } from '../tool.ts'

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
