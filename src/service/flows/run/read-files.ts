/** The files that an attempt reads: each is on record with its digest, so that a later process goes on with the same ones only. */
import { createHash } from 'node:crypto'
import { failure } from '../../../contracts/failures/failures.ts'
import type { FlowError } from '../../../contracts/flows/test-run.ts'
import type { FlowLibrary } from '../language/flow-library.ts'
import type { ReadFile } from '../script/script-answer.ts'
import type { LiveAttempt, RecordEvent } from './attempt.ts'
import type { RecordedAttempt } from './command-log.ts'
import { AttemptStopped, CommandFailed, flowErrorOf } from './failure.ts'

/** The digests of files by their paths. */
export type FileDigests = Readonly<Record<string, string>>

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const HINT = 'Put the files back as they were and resume again, or run the flows again.'

export const changedError = (files: readonly string[]): FlowError =>
  flowErrorOf(
    failure(
      'TEST_RUN_NOT_RESUMABLE',
      `The flow cannot go on: ${files.join(', ')} ${files.length === 1 ? 'has' : 'have'} changed since the flow began.`,
      { hint: HINT, details: { files } },
    ),
  )

/** The command that reads. */
export interface ReadingCommand {
  readonly attempt: LiveAttempt
  readonly record: RecordEvent
  readonly index: number
}

/** A file that the record has with the same digest is not recorded again. */
export const recordReading = async (by: ReadingCommand, { file, digest }: ReadFile): Promise<void> => {
  const { attempt, record, index } = by
  if (attempt.filesRead.get(file) === digest) return
  if (!(await record({ type: 'file.read', index, file, digest })))
    throw new AttemptStopped('the journal does not take what a command has read')
  attempt.filesRead.set(file, digest)
}

/** Nothing is recorded of a file that cannot be read: its command says so. */
export const recordBytes = async (by: ReadingCommand, file: string, bytes?: Uint8Array): Promise<void> => {
  const digest = bytes ? sha256(bytes) : await by.attempt.library.digest(file).catch(() => undefined)
  if (digest !== undefined) await recordReading(by, { file, digest })
}

/** The library for a command: flows and scripts that its expressions name are on record before they are used. */
export const recordingLibrary = (by: ReadingCommand): FlowLibrary => {
  const { library, filesRead } = by.attempt
  const reading =
    <T extends { ok: boolean }>(read: (path: string) => Promise<T>) =>
    async (path: string): Promise<T> => {
      const answer = await read(path)
      if (!answer.ok) return answer
      const digest = await library.digest(path)
      if ((filesRead.get(path) ?? digest) !== digest) throw new CommandFailed(changedError([path]))
      await recordReading(by, { file: path, digest })
      return answer
    }
  return { ...library, flow: reading(library.flow), script: reading(library.script) }
}

/** Commands that write files which a later one may read. */
const WRITERS: readonly string[] = ['takeScreenshot', 'assertScreenshot', 'stopRecording']
const WRITTEN = /\.(png|mp4)$/

/** The files of an attempt that a later process must find as they were: without those that the flow itself has written since. */
export const filesOf = ({ requested, commands, readings }: RecordedAttempt): FileDigests => {
  const files = new Map(Object.entries(requested?.files ?? {}))
  for (const { file, digest } of readings) files.set(file, digest)
  for (const { ended } of commands) {
    for (const file of ended?.body.written ?? []) {
      const readLater = readings.findLast(reading => reading.file === file && reading.index > (ended?.index ?? 0))
      if (!readLater) files.delete(file)
    }
  }
  const last = commands.at(-1)
  const mayHaveWritten = last && !last.ended && WRITERS.includes(last.begun.name)
  return Object.fromEntries([...files].filter(([file]) => !(mayHaveWritten && WRITTEN.test(file))))
}

/** The paths of the files that are gone or have another digest now. */
export const changedFiles = async (files: FileDigests, library: Pick<FlowLibrary, 'digest'>): Promise<string[]> => {
  const changed: string[] = []
  for (const [file, digest] of Object.entries(files)) {
    const current = await library.digest(file).catch(() => undefined)
    if (current !== digest) changed.push(file)
  }
  return changed
}

/** The files of an attempt that have changed; earlier versions recorded one digest for all that the flow names. */
export const changedSince = async (
  before: RecordedAttempt,
  { flow, digest }: { flow: { file: string }; digest: string },
  library: FlowLibrary,
) => {
  const changed = await changedFiles(filesOf(before), library)
  const { requested } = before
  return changed.length === 0 && requested?.digest !== digest ? [flow.file] : changed
}
