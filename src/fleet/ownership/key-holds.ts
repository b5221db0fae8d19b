/** Holds Idempotency-Keys of the fleet: the first host to write a key has it, and everybody else follows. */
import * as v from 'valibot'
import { type Clock, pause, readClock, sinceMs } from '../../runtime/clock.ts'
import type { HeldKey, KeyHolder } from '../fleet.ts'
import type { Cell } from '../servers/compare-and-set.ts'

export const KeyRecord = v.object({
  host: v.string(),
  serial: v.string(),
  /** The execution that the first request under the key was sent as; a request to a phone of the asked host has none. */
  executionId: v.exactOptional(v.string()),
  /** A second host has written the key, so the first one cannot free it. */
  isFollowed: v.exactOptional(v.boolean()),
})
type KeyRecord = v.InferOutput<typeof KeyRecord>

/** For all attempts together. */
const HOLD_MS = 10_000
const UNDECIDED_MAX = 5
const PAUSE_MS = 10
const PAUSE_MAX_MS = 640

const UNKNOWN = "cannot reach a majority of NATS servers, so the key's owner is unknown"

interface Decision {
  holder: KeyHolder
  /** With which the key is freed; undefined where another request has used the key. */
  revision?: number
}

const decide = async (cell: Cell<KeyRecord>, wanted: KeyHolder, clock: Clock): Promise<Decision> => {
  const began = readClock(clock)
  let undecided = 0
  // The write is tried first: only where it fails has somebody else been quicker, or nothing was decided.
  let read: Awaited<ReturnType<typeof cell.read>> = { value: undefined, revision: 0 }
  for (let tries = 0; ; tries += 1) {
    const { value, revision } = read
    // A key that is used again is written again: then nobody who used it before frees it.
    const written = await cell.write(value ? { ...value, isFollowed: true } : wanted, revision)
    if (written.kind === 'written') return value ? { holder: value } : { holder: wanted, revision: written.revision }
    if (written.kind === 'undecided') undecided += 1
    if (undecided === UNDECIDED_MAX) throw new Error(UNKNOWN)
    // The first failure only says that the key is in use: nobody has to wait for anything yet.
    if (tries > 0) await pause(clock, Math.min(PAUSE_MS * 2 ** (tries - 1), PAUSE_MAX_MS))
    read = await cell.read()
    const isJustFollowed = revision > 0 && read.revision > revision && read.value?.isFollowed === true
    const isLate = sinceMs(clock, began) >= HOLD_MS
    if (read.value && (isJustFollowed || (isLate && undecided === 0))) return { holder: read.value }
    if (isLate) throw new Error(UNKNOWN)
  }
}

interface SharedHold {
  decision: Promise<Decision>
  /** Requests that may still have an execution accepted under the key. */
  users: number
}

export interface KeyHoldsOptions {
  clock: Clock
  /** Throws while the bucket is not open. */
  cellOf(key: string): Cell<KeyRecord>
  /** Removes the key if nobody has written it since. */
  remove(key: string, revision: number): Promise<void>
}

/** All requests of one host that want the same key at the same time ask the servers once. */
export const createKeyHolds = ({ clock, cellOf, remove }: KeyHoldsOptions) => {
  const deciding = new Map<string, SharedHold>()

  const begin = (key: string, holder: KeyHolder): SharedHold => {
    const decision = decide(cellOf(key), holder, clock).finally(() => deciding.delete(key))
    const shared = { decision, users: 0 }
    deciding.set(key, shared)
    return shared
  }

  return async (key: string, holder: KeyHolder): Promise<HeldKey> => {
    const shared = deciding.get(key) ?? begin(key, holder)
    shared.users += 1
    const isFirst = shared.users === 1
    const { holder: decided, revision } = await shared.decision
    let isFree = false
    return {
      ...decided,
      isNew: revision !== undefined && isFirst,
      async free() {
        if (isFree) return
        isFree = true
        shared.users -= 1
        if (shared.users === 0 && revision !== undefined) await remove(key, revision)
      },
    }
  }
}
