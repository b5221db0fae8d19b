/** `svc apps list` and `svc apps info`: on this machine, or on the host of the fleet that has the device. */
import { APP_KINDS, type AppKind } from '../contracts/apps.ts'
import { type Call, type CommandResult, usage } from './command.ts'
import { askDevice } from './devices.ts'

const isKind = (text: string): text is AppKind => APP_KINDS.some(kind => kind === text)

const kindOf = ({ text }: Call): { kind?: AppKind } => {
  const kind = text('kind')
  if (kind === undefined) return {}
  if (isKind(kind)) return { kind }
  throw usage(`--kind must be one of ${APP_KINDS.join(', ')}, but is "${kind}".`)
}

export const listApps = async (call: Call): Promise<CommandResult> => {
  const kind = kindOf(call)
  const result = await askDevice(call, (service, deviceId, asked) => service['apps.list']({ deviceId, ...kind }, asked))
  if (!result.ok) return { ok: false, output: result.error }
  const { apps, count } = result.value
  return { ok: true, output: { apps, count } }
}

export const showApp = async (call: Call): Promise<CommandResult> => {
  const [applicationId = ''] = call.args
  const result = await askDevice(call, (service, deviceId, asked) =>
    service['apps.get']({ deviceId, applicationId }, asked),
  )
  return result.ok ? { ok: true, output: { app: result.value.app } } : { ok: false, output: result.error }
}
