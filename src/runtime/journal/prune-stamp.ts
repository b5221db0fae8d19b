/** The file beside the journal by which its processes agree when it is pruned, and who does it. */
import { closeSync, openSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '../../contracts/json/json.ts'
import { STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { parseObject, readSmall, writeAtomically } from '../files/small-file.ts'
import { attempt } from '../or-undefined.ts'
import { mayLive, type ProcessIdentity, thisProcess } from '../processes/processes.ts'
import type { PrunePosition, PruneResult } from './journal.ts'

/** The interval of pruning, shared by all processes. */
const PRUNE_EVERY_MS = 60 * 60 * 1_000
/** The file and its WAL may pass the limit by this share before the hour is over: the WAL alone has half of it at times. */
const GROWN_SHARE = 1 / 16
/** A journal that was just pruned is left alone for so long, even if it has grown: its file may get smaller a little later. */
const REST_MS = 5_000
/** Nobody claims the journal for longer: a claim beyond that was made by a clock that has been set back since. */
export const CLAIM_MS_MAX = 60_000

/** Its time says when the journal was last pruned. Earlier builds left it empty. */
interface Stamp {
  /** Somebody prunes the journal until then at the latest. */
  until?: number
  /** The process that claims it: a dead one prunes nothing. */
  by?: ProcessIdentity
  /** The size of the file and its WAL when the last one had removed what it could. */
  left?: number
  /** The last one ended early, here. */
  endedAt?: PrunePosition
}

const stampPath = (path: string) => join(dirname(path), 'journal.pruned')

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const readStamp = (path: string): Stamp => {
  const { until, by, left, endedAt } = parseObject(readSmall(stampPath(path))) ?? {}
  const { seq, row } = isObject(endedAt) ? endedAt : {}
  const { pid, started } = isObject(by) ? by : {}
  return {
    ...(isCount(until) ? { until } : {}),
    ...(isCount(pid) && typeof started === 'string' ? { by: { pid, started } } : {}),
    ...(isCount(left) ? { left } : {}),
    ...(isCount(seq) && isCount(row) ? { endedAt: { seq, row } } : {}),
  }
}

/** On a full disk only the time is written, and that is enough for everything but a journal that has to be larger than its limit. */
const writeStamp = (path: string, stamp: Stamp, at: number): void => {
  const file = stampPath(path)
  attempt(() => writeAtomically(file, JSON.stringify(stamp)))
  if (!statSync(file, { throwIfNoEntry: false })) closeSync(openSync(file, 'a', STATE_FILE_MODE))
  utimesSync(file, at / 1_000, at / 1_000)
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

interface ClaimOptions {
  now: number
  maxBytes: number
  /** How long the claim holds; `releasePrune` ends it. */
  withinMs: number
}

/** Claims the pruning, and returns where it begins. Undefined when it is not due, or another process is at it. */
export const claimPrune = (path: string, { now, maxBytes, withinMs }: ClaimOptions): PrunePosition | undefined => {
  const last = statSync(stampPath(path), { throwIfNoEntry: false })
  // A stamp from the future was left by a clock that has been set back since.
  const ageMs = last ? Math.abs(now - last.mtimeMs) : PRUNE_EVERY_MS
  const isHourOver = ageMs >= PRUNE_EVERY_MS
  const size = sizeOf(path) + sizeOf(`${path}-wal`)
  const grownBytes = maxBytes * GROWN_SHARE
  if (!isHourOver && size <= maxBytes + grownBytes) return undefined
  const { until = 0, by, left = 0, endedAt } = readStamp(path)
  const isClaimed = until > now && until <= now + CLAIM_MS_MAX && (by === undefined || mayLive(by) !== false)
  if (isClaimed) return undefined
  const hasGrown = size > Math.max(maxBytes, left) + grownBytes && (endedAt !== undefined || ageMs >= REST_MS)
  if (!isHourOver && !hasGrown) return undefined
  writeStamp(path, { until: now + Math.min(withinMs, CLAIM_MS_MAX), by: thisProcess(), left }, now)
  return (isHourOver ? undefined : endedAt) ?? { seq: 0, row: 0 }
}

/** Ends the claim that was made at that time. */
export const releasePrune = (path: string, { fileBytes, endedAt }: PruneResult, claimedAt: number): void =>
  writeStamp(path, endedAt ? { endedAt } : { left: fileBytes + sizeOf(`${path}-wal`) }, claimedAt)
