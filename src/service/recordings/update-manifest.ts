/** Writes the manifest of a recording as it begins, goes on and ends. */
import type { RecordInput } from '../../../machines/recording/recording-setup.ts'
import type { Recording } from '../../contracts/recording.ts'
import { readManifest, recordingFolder, writeManifest } from './manifest.ts'

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
