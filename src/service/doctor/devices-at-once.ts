/** Looks for devices within a bound and starts nothing: at an adb server that already runs, and at those that are spoken to directly. */
import { tcpDevices } from '../../contracts/device/addresses.ts'
import type { Links } from '../../device/link/links.ts'
import { type AdbServerAnswer, askAdbServer, type RunningDevice } from '../../device/link/running-devices.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Environment } from '../../runtime/home.ts'

const READY = 'device'
const NO_ANSWER = 'offline'

/** The state of a device that is spoken to directly, and its model. */
export const askDirectDevice = async (links: Links, serial: string, deadline: number): Promise<RunningDevice> => {
  const state = (await links.probe(serial, { deadline })) ?? NO_ANSWER
  if (state !== READY) return { serial, state }
  const link = await links.get(serial, { deadline })
  const { stdout } = await link.shell('getprop ro.product.model', { deadline })
  const model = stdout.trim()
  return { serial, state, ...(model === '' ? {} : { model }) }
}

interface AtOnceOptions {
  env: Environment
  clock: Clock
  ms: number
  /** Without it, those that are spoken to directly are left out. */
  askDirect?: (serial: string, deadline: number) => Promise<RunningDevice>
}

export interface DevicesAtOnce {
  devices: readonly RunningDevice[]
  /** Devices on a cable are unknown where it is not `devices`. */
  adbServer: AdbServerAnswer['kind']
}

const directDevices = async ({ env, clock, ms, askDirect }: AtOnceOptions): Promise<RunningDevice[]> => {
  const serials = askDirect ? tcpDevices(env.SVC_TCP_DEVICES).map(({ serial }) => serial) : []
  if (!askDirect || serials.length === 0) return []
  const deadline = clock.now() + ms
  const unanswered = (serial: string): RunningDevice => ({ serial, state: NO_ANSWER })
  const over = new AbortController()
  const late = pause(clock, ms, over.signal)
  try {
    return await Promise.all(
      serials.map(serial =>
        Promise.race([
          askDirect(serial, deadline).catch(() => unanswered(serial)),
          late.then(() => unanswered(serial)),
        ]),
      ),
    )
  } finally {
    over.abort()
  }
}

export const devicesAtOnce = async (options: AtOnceOptions): Promise<DevicesAtOnce> => {
  const [answer, direct] = await Promise.all([askAdbServer(options), directDevices(options)])
  const onServer = answer.kind === 'devices' ? answer.devices : []
  const known = new Set(onServer.map(({ serial }) => serial))
  return { devices: [...onServer, ...direct.filter(({ serial }) => !known.has(serial))], adbServer: answer.kind }
}
