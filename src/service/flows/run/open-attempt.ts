/** Opens what an attempt needs in this process, and closes it when the attempt has ended. */
import { basename, extname, join } from 'node:path'
import { JournalError } from '../../../runtime/journal/fault.ts'
import type { UndoNote } from '../../reservations/undo-notes.ts'
import type { FlowsDeps, LiveTestRun } from '../deps.ts'
import type { Phones } from '../phones.ts'
import type { PlannedFiles } from '../plan-run.ts'
import { attemptFolder, testRunActor, testRunOf } from '../read-test-run.ts'
import type { LiveAttempt } from './attempt.ts'
import type { RecordedAttempt } from './command-log.ts'
import { newAttemptState } from './interpreter.ts'
import { keepCopy } from './output-path.ts'
import { filesOf } from './read-files.ts'

interface OpenAttempt {
  deps: FlowsDeps
  run: LiveTestRun
  testRunId: string
  flow: number
  attempt: number
  deviceId: string
  flowRunId: string
  files: PlannedFiles
  before: RecordedAttempt
  phones: Phones
}

const ANIMATIONS_MS = 30_000

type OnPhone = Pick<OpenAttempt, 'deps' | 'phones' | 'deviceId' | 'flowRunId'>

/** The note that the attempt has to put the animations back. */
const animationsNote = ({ deviceId, flowRunId }: Pick<OnPhone, 'deviceId' | 'flowRunId'>): UndoNote => ({
  deviceId,
  owner: { id: flowRunId, actor: testRunActor(testRunOf(flowRunId)) },
  work: { kind: 'settings', settings: ['animations'] },
})

/** A phone that keeps its animations runs the flow all the same. */
const stillAnimations = async ({
  deps: { ids, clock, note, undoNotes },
  phones,
  deviceId,
  flowRunId,
  signal,
}: OnPhone & { signal: AbortSignal }) => {
  try {
    await undoNotes.remember(animationsNote({ deviceId, flowRunId }))
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    return note(`${deviceId} keeps its animations: ${error.message}`)
  }
  const answer = await phones.perform({
    deviceId,
    flowRunId,
    executionId: ids.at(clock.now()),
    steps: [{ type: 'change_setting', params: { setting: 'animations', value: false } }],
    timeoutMs: ANIMATIONS_MS,
    observe: false,
    signal,
  })
  if (answer.error) note(`${deviceId} keeps its animations: ${answer.error.message}`)
}

/** Also those that a process before this one has switched off. */
const restoreAnimations = async ({ deps: { ids, clock, note, undoNotes }, phones, deviceId, flowRunId }: OnPhone) => {
  const answer = await phones.perform({
    deviceId,
    flowRunId,
    executionId: ids.at(clock.now()),
    steps: [{ type: 'restore_settings', params: { settings: ['animations'] } }],
    timeoutMs: ANIMATIONS_MS,
    observe: false,
    signal: new AbortController().signal,
  })
  if (answer.error)
    note(`${deviceId} is left without animations: ${answer.error.message} \`svc device restore\` puts them back.`)
  // Where the phone was not reached, its next use puts them back.
  if (answer.kind === 'performed') await undoNotes.settled(animationsNote({ deviceId, flowRunId })).catch(() => {})
}

/** Beside the other files of the attempt, where reports find it. */
const keepVideo = async (folder: string, files: readonly string[], before = 0) => {
  for (const [at, file] of files.entries()) await keepCopy(file, join(folder, `video-${before + at + 1}.mp4`))
}

const nameOf = (file: string): string => basename(file, extname(file))

export const openAttempt = async ({
  deps,
  run,
  testRunId,
  flow,
  attempt,
  deviceId,
  flowRunId,
  files,
  before,
  phones,
}: OpenAttempt) => {
  const { clock, ids, secrets, note } = deps
  const { request, env, library } = run
  const checkedFlow = await files.read()
  const folder = join(request.folder, attemptFolder(flow, attempt))
  const scripts = deps.openScripts(flowRunId, request)
  const isRecorded = request.recordVideo === true
  const never = new AbortController().signal
  // Another process may have put them back since the process before this one switched them off.
  if (files.disablesAnimations) await stillAnimations({ deps, phones, deviceId, flowRunId, signal: never })
  let videos = 0
  if (isRecorded && before.requested) {
    // The process before this one has begun a recording, which ended with it unless another process keeps it.
    const stopped = await phones.stopRecording(deviceId, flowRunId)
    if (stopped.ok) {
      await keepVideo(folder, stopped.files)
      videos = stopped.files.length
    }
  }
  if (isRecorded) {
    const error = await phones.startRecording(deviceId, flowRunId, never)
    if (error) note(`no video of ${files.flow.file} on ${deviceId}: ${error.message}`)
  }
  const live: LiveAttempt = {
    flowRunId,
    testRunId,
    flowIndex: flow,
    attempt,
    deviceId,
    flow: checkedFlow,
    env: {
      ...env,
      MAESTRO_FILENAME: nameOf(files.flow.file),
      MAESTRO_DEVICE_UDID: deviceId,
      MAESTRO_SHARD_ID: '1',
      MAESTRO_SHARD_INDEX: '0',
    },
    outputFolder: run.outputFolder,
    directory: request.cwd,
    runFolder: request.folder,
    folder,
    phones,
    scripts,
    clock,
    ids,
    library,
    filesRead: new Map(Object.entries({ ...files.files, ...filesOf(before) })),
    secrets: secrets.of(testRunId),
    onProgress: run.onProgress,
    note,
    startedAt: before.requested?.at ?? clock.now(),
    recorded: before,
    state: newAttemptState(clock.elapsed()),
  }
  return {
    live,
    async close() {
      await scripts.end()
      if (files.disablesAnimations) await restoreAnimations({ deps, phones, deviceId, flowRunId })
      const ownRecording = live.state.recordingPath !== undefined
      if (!isRecorded && !ownRecording) return
      const stopped = await phones.stopRecording(deviceId, flowRunId)
      if (stopped.ok) await keepVideo(folder, stopped.files, videos)
      else note(`the video of ${files.flow.file} on ${deviceId}: ${stopped.error.message}`)
    },
  }
}
