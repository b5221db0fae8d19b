/** The parts of recordings that belong to an execution: by device and time, from the manifests of this host. */
import { readdirSync } from 'node:fs'
import { RECORDING_MS_MAX } from '../../contracts/limits/recording-limits.ts'
import type { RecordedPart, Recording, RecordingSegment } from '../../contracts/recording.ts'
import { idTime } from '../../runtime/ids.ts'
import { readManifest, recordingsFolder } from './manifest.ts'

export interface RecordedTime {
  /** By either of its serials. */
  deviceId: string
  from: number
  /** Left out while it goes on. */
  to?: number | undefined
}

/** A recording that was ended late is still found. */
const SLACK_MS = 60 * 60_000
/** The newest ones of those that may fit. */
const MANIFESTS_MAX = 500

const idsIn = (home: string): string[] => {
  try {
    return readdirSync(recordingsFolder(home))
  } catch {
    return []
  }
}

const isOf = ({ deviceId, hardwareSerial }: Recording, wanted: string) =>
  deviceId === wanted || hardwareSerial === wanted

const partOf = (
  { recordingId }: Recording,
  { segment, startedAt, endedAt, playable = false }: RecordingSegment,
  { from, to }: { from: number; to: number },
): RecordedPart[] => {
  const end = Math.min(to, endedAt ?? to)
  if (end < startedAt || (endedAt !== undefined && from > endedAt)) return []
  const fromMs = Math.max(0, from - startedAt)
  return [{ recordingId, segment, fromMs, toMs: Math.max(fromMs, end - startedAt), playable }]
}

/** In the order of their times. */
export const recordedParts = ({ deviceId, from, to }: RecordedTime, home: string, now: number): RecordedPart[] => {
  const time = { from, to: to ?? now }
  return idsIn(home)
    .filter(id => {
      const made = idTime(id)
      return made !== undefined && made <= time.to && made >= from - RECORDING_MS_MAX - SLACK_MS
    })
    .sort()
    .slice(-MANIFESTS_MAX)
    .flatMap(id => readManifest(home, id) ?? [])
    .filter(recording => isOf(recording, deviceId))
    .flatMap(recording => recording.segments.flatMap(segment => partOf(recording, segment, time)))
}
