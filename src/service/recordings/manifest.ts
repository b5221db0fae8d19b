/**
 * The manifest of a recording: a JSON file beside its segments, written whole as the recording begins, goes on and
 * ends.
 */

import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { RecordInput } from '../../../machines/recording/recording-setup.ts'
import { MANIFEST_BYTES_MAX } from '../../contracts/limits/recording-limits.ts'
import { Recording, type RecordingSegment } from '../../contracts/recording.ts'
import { isId } from '../../contracts/records/ids.ts'
import { writeAtomically } from '../../runtime/files/small-file.ts'

export const newManifest = (
  { recordingId, deviceId, since }: RecordInput,
  hardwareSerial: string,
  { home }: { home: string },
): void => {
  const folder = recordingFolder(home, recordingId) ?? ''
  writeManifest({
    recordingId,
    deviceId,
    hardwareSerial,
    state: 'recording',
    startedAt: since,
    bytes: 0,
    folder,
    segments: [],
  })
}

/** A recording that was removed meanwhile is not made again. */
export const changeManifest = (
  recordingId: string,
  { home }: { home: string },
  change: (manifest: Recording) => Recording,
): void => {
  const manifest = readManifest(home, recordingId)
  if (manifest) writeManifest(change(manifest))
}

export const MANIFEST = 'manifest.json'

export const recordingsFolder = (home: string): string => join(home, 'recordings')

export const segmentFile = (segment: number): string => `segment-${segment}.mp4`

/** Undefined for an id that is none: it must not lead out of the folder. */
export const recordingFolder = (home: string, recordingId: string): string | undefined =>
  isId(recordingId) ? join(recordingsFolder(home), recordingId) : undefined

const readBounded = (path: string): string | undefined => {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const { size } = fstatSync(file)
    return size > MANIFEST_BYTES_MAX ? undefined : readFileSync(file, 'utf8')
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Undefined where there is none, or none that can be read. */
export const readManifest = (home: string, recordingId: string): Recording | undefined => {
  const folder = recordingFolder(home, recordingId)
  const text = folder && readBounded(join(folder, MANIFEST))
  if (!text) return undefined
  try {
    const parsed = v.safeParse(Recording, JSON.parse(text))
    return parsed.success ? { ...parsed.output, folder } : undefined
  } catch {
    return undefined
  }
}

const writeManifest = (recording: Recording): void =>
  writeAtomically(join(recording.folder, MANIFEST), `${JSON.stringify(recording, null, 2)}\n`)

/** Puts the facts into the segment; one that is new comes last. */
export const withSegment = (
  recording: Recording,
  facts: Partial<RecordingSegment> & Pick<RecordingSegment, 'segment'>,
  at: number,
): Recording => {
  const known = recording.segments.find(({ segment }) => segment === facts.segment)
  const changed: RecordingSegment = { startedAt: at, ...known, ...facts }
  const others = recording.segments.filter(({ segment }) => segment !== facts.segment)
  const segments = [...others, changed].sort((one, other) => one.segment - other.segment)
  return { ...recording, segments, bytes: segments.reduce((sum, { bytes = 0 }) => sum + bytes, 0) }
}
