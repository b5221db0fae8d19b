/** The parts of this process that record: shared by the ports and by those who ask them. */

import type { ErrorObject } from '../../contracts/failures/error.ts'
import { RECORDING_ASK_MS } from '../../contracts/limits/recording-limits.ts'
import { type CallOptions, type Link, LinkError } from '../../device/link/link.ts'
import type { Links } from '../../device/link/links.ts'
import { deviceOwnershipKey, type OwnershipKeyKind } from '../../device/link/select-device.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { RecordingToStart } from '../policy/gates.ts'

export interface RecordingDeps {
  clock: Clock
  ids: Ids
  home: string
  leaseBy: OwnershipKeyKind
  links(): Links
  /** The refusal of the policy, if there is one. */
  mayRecord(recording: RecordingToStart): Promise<ErrorObject | undefined>
  readonly host: Host
  readonly journal: Journal
}

const ACTOR = 'recording:'

/** By the same name of the device as its executions are owned. */
export const recordingActor = async (
  link: Link,
  { leaseBy }: Pick<RecordingDeps, 'leaseBy'>,
  call: CallOptions,
): Promise<string> => (await deviceOwnershipKey(link, leaseBy, call)).replace(/^device:/, ACTOR)

export const serialOf = (actor: string): string => actor.slice(ACTOR.length)

/** Errors after which the same link, or a new one, may answer. */
const MAY_COME_BACK: ReadonlySet<string> = new Set([
  'DEVICE_LINK_LOST',
  'DEVICE_NOT_FOUND',
  'DEVICE_OFFLINE',
  'DEVICE_UNAUTHORIZED',
  'ADB_SERVER_FAILED',
  'LINK_TIMEOUT',
])

export const isLinkTrouble = (error: unknown): error is LinkError =>
  error instanceof LinkError && MAY_COME_BACK.has(error.code)

export const BACK_LOOK_MS = 500

interface LinkWanted {
  deviceId: string
  actor: string
  /** On the clock that nobody sets. */
  until: number
  signal: AbortSignal
}

/** The link to the device, waited for until then. Rejects with the last LinkError. */
export const linkBack = async (
  { deviceId, actor, until, signal }: LinkWanted,
  deps: Pick<RecordingDeps, 'links' | 'clock' | 'leaseBy'>,
): Promise<Link> => {
  const { clock } = deps
  for (;;) {
    const call = { deadline: clock.now() + RECORDING_ASK_MS, signal }
    try {
      const link = await deps.links().get(deviceId, call)
      if ((await recordingActor(link, deps, call)) === actor) return link
      throw new LinkError('DEVICE_NOT_FOUND', `another device is listed as ${deviceId} now`)
    } catch (error) {
      if (!isLinkTrouble(error) || signal.aborted || clock.elapsed() >= until) throw error
    }
    await pause(clock, BACK_LOOK_MS, signal)
  }
}
