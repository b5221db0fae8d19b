/** Looks at what is there when `svc` is called alone: devices, the newest execution, the last known screen. Starts nothing. */
import { existsSync } from 'node:fs'
import { tcpDevices } from '../../../contracts/device/addresses.ts'
import type { ExecutionSummary } from '../../../contracts/doors/viewer.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import type { Links } from '../../../device/link/links.ts'
import { pause } from '../../../runtime/clock.ts'
import { homeOf } from '../../../runtime/home.ts'
import type { CommandContext } from '../command.ts'
import type { KnownScreen } from '../completion/values/peek-journal.ts'
import { type AdbServerAnswer, askAdbServer, type RunningDevice } from '../completion/values/running-devices.ts'
import { failureOf } from '../failure-of.ts'

interface KnownPast {
  newest?: ExecutionSummary | undefined
  /** The last known screen of the one device that is ready, or of any. */
  screen?: KnownScreen | undefined
  /** Why the journal cannot be read. */
  journalProblem?: ErrorObject
}

export interface Situation extends KnownPast {
  devices: readonly RunningDevice[]
  /** Devices on a cable are unknown where it is not `devices`. */
  adbServer: AdbServerAnswer['kind']
  /** svc has not been used here yet. */
  isNewHome: boolean
}

export const READY = 'device'

/** All devices are asked at once. */
const DEVICES_MS = 800
const NO_ANSWER = 'offline'

const directDevice = async (links: Links, serial: string, deadline: number): Promise<RunningDevice> => {
  const state = (await links.probe(serial, { deadline })) ?? NO_ANSWER
  if (state !== READY) return { serial, state }
  const link = await links.get(serial, { deadline })
  const { stdout } = await link.shell('getprop ro.product.model', { deadline })
  const model = stdout.trim()
  return { serial, state, ...(model === '' ? {} : { model }) }
}

const directDevices = async (serials: readonly string[], call: CommandContext): Promise<RunningDevice[]> => {
  if (serials.length === 0) return []
  const { clock } = call
  const deadline = clock.now() + DEVICES_MS
  const unanswered = (serial: string): RunningDevice => ({ serial, state: NO_ANSWER })
  const over = new AbortController()
  const late = pause(clock, DEVICES_MS, over.signal)
  try {
    const links = (await call.services()).links()
    return await Promise.all(
      serials.map(serial =>
        Promise.race([
          directDevice(links, serial, deadline).catch(() => unanswered(serial)),
          late.then(() => unanswered(serial)),
        ]),
      ),
    )
  } finally {
    over.abort()
  }
}

const readPast = async ({ env }: CommandContext, deviceId: string | undefined): Promise<KnownPast> => {
  try {
    const { openKnownJournal } = await import('../completion/values/peek-journal.ts')
    const journal = openKnownJournal(env)
    if (!journal) return {}
    try {
      const [newest] = journal.executions({ limit: 1 })
      return { newest, screen: journal.screen(deviceId) }
    } finally {
      journal.close()
    }
  } catch (error) {
    return { journalProblem: failureOf(error) }
  }
}

export const lookAround = async (call: CommandContext): Promise<Situation> => {
  const { env, clock } = call
  const isNewHome = !existsSync(homeOf(env))
  const serials = tcpDevices(env.SVC_TCP_DEVICES).map(({ serial }) => serial)
  const [answer, direct] = await Promise.all([
    askAdbServer({ env, clock, ms: DEVICES_MS }),
    directDevices(serials, call),
  ])
  const onServer = answer.kind === 'devices' ? answer.devices : []
  const known = new Set(onServer.map(({ serial }) => serial))
  const devices = [...onServer, ...direct.filter(({ serial }) => !known.has(serial))]
  const ready = devices.filter(({ state }) => state === READY)
  const past = await readPast(call, ready.length === 1 ? ready[0]?.serial : undefined)
  return { devices, adbServer: answer.kind, isNewHome, ...past }
}
