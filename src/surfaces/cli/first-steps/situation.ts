/** Looks at what is there when `svc` is called alone: devices, the newest execution, the last known screen. Starts nothing. */
import { existsSync } from 'node:fs'
import type { ExecutionSummary } from '../../../contracts/doors/viewer.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { homeOf } from '../../../runtime/home.ts'
import { type DevicesAtOnce, devicesAtOnce } from '../../../service/doctor/devices-at-once.ts'
import type { CommandContext } from '../command.ts'
import type { KnownScreen } from '../completion/values/peek-journal.ts'
import { failureOf } from '../failure-of.ts'

interface KnownPast {
  newest?: ExecutionSummary | undefined
  inDoubt?: ExecutionSummary | undefined
  /** The last known screen of the one device that is ready, or of any. */
  screen?: KnownScreen | undefined
  /** Why the journal cannot be read. */
  journalProblem?: ErrorObject
}

export interface Situation extends KnownPast, DevicesAtOnce {
  /** svc has not been used here yet. */
  isNewHome: boolean
}

export const READY = 'device'

/** All devices are asked at once. */
const DEVICES_MS = 800

const readPast = async ({ env }: CommandContext, deviceId: string | undefined): Promise<KnownPast> => {
  try {
    const { openKnownJournal } = await import('../completion/values/peek-journal.ts')
    const journal = openKnownJournal(env)
    if (!journal) return {}
    try {
      const [newest] = journal.executions({ limit: 1 })
      return { newest, inDoubt: journal.inDoubt(), screen: journal.screen(deviceId) }
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
  const { devices, adbServer } = await devicesAtOnce({
    ...{ env, clock, ms: DEVICES_MS },
    askDirect: async (serial, deadline) => (await call.services()).directDevice(serial, deadline),
  })
  const ready = devices.filter(({ state }) => state === READY)
  const past = await readPast(call, ready.length === 1 ? ready[0]?.serial : undefined)
  return { devices, adbServer, isNewHome, ...past }
}
