/** The port that ends a recording: screenrecord interrupted, the rest fetched, the phone cleared, the manifest closed. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FinishInput } from '../../../machines/recording/recording-setup.ts'
import { PHONE_BACK_MS, RECORDING_ASK_MS, SEGMENT_MS } from '../../contracts/limits/recording-limits.ts'
import type { Recording, RecordingSegment } from '../../contracts/recording.ts'
import { type Link, LinkError } from '../../device/link/link.ts'
import { pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Port, PortTools } from '../../runtime/port.ts'
import { BACK_LOOK_MS, isLinkTrouble, linkBack, type RecordingDeps } from './deps.ts'
import { fetchSegment } from './fetch-segment.ts'
import { changeManifest, readManifest, recordingFolder, segmentFile, withSegment } from './manifest.ts'
import { phoneFile, removeFolder, segmentsOnPhone } from './phone-recorder.ts'
import { endRecorder } from './segment.ts'

type Facts = Partial<RecordingSegment> & Pick<RecordingSegment, 'segment'>

/** Drafts of files that a dead process was fetching. */
const removeDrafts = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.filter(name => name.endsWith('.part')).map(name => rm(join(folder, name), { force: true })))
}

const closed = (manifest: Recording, { reason, failure }: FinishInput, at: number): Recording => ({
  ...manifest,
  state: failure ? 'failed' : 'saved',
  endedAt: manifest.endedAt ?? at,
  reason,
  ...(failure ? { error: { code: failure.code, message: failure.message } } : {}),
  segments: manifest.segments.map(segment =>
    segment.file === undefined && segment.problem === undefined
      ? { ...segment, problem: 'The device no longer had the file.' }
      : segment,
  ),
})

export const finishPort = (deps: RecordingDeps): Port<FinishInput> => {
  const { clock, home } = deps

  const finish = async (link: Link, input: FinishInput, { send, signal }: PortTools): Promise<void> => {
    const { recordingId, reason } = input
    const within = () => ({ deadline: clock.now() + RECORDING_ASK_MS, signal })
    const folder = recordingFolder(home, recordingId) ?? ''
    const change = (facts: Facts) =>
      changeManifest(recordingId, deps, manifest => withSegment(manifest, facts, clock.now()))
    const known = () => readManifest(home, recordingId)?.segments ?? []

    await endRecorder({ link, clock, signal }, { recordingId, segment: known().at(-1)?.segment ?? 1 })
    const open = known().find(({ endedAt }) => endedAt === undefined)
    const endedBy = reason === 'host_died' ? ('host_died' as const) : ('stopped' as const)
    if (open) {
      const { segment, startedAt } = open
      change({ segment, endedAt: Math.min(clock.now(), startedAt + SEGMENT_MS), endedBy })
    }
    for (const segment of await segmentsOnPhone(link, recordingId, within())) {
      if (known().find(each => each.segment === segment)?.file !== undefined) continue
      const name = segmentFile(segment)
      const from = phoneFile(recordingId, segment)
      const fetched = await fetchSegment({ link, from, folder, name, by: 'finish', clock, signal })
      const { bytes, sha256, isPlayable } = fetched
      change({ segment, file: name, bytes, sha256, playable: isPlayable })
      if (!(await send({ type: 'segment.saved', segment, ...fetched }))) return
    }
    if (!(await removeFolder(link, recordingId, within())))
      throw new LinkError('LINK_SOCKET_REFUSED', 'the device keeps files of the recording')
    await removeDrafts(folder)
    changeManifest(recordingId, deps, manifest => closed(manifest, input, clock.now()))
    await send({ type: 'phone.cleared', segments: known().length })
  }

  return async (input, tools) => {
    const { deviceId, recordingId } = input
    const { send, signal, actor } = tools
    const until = clock.elapsed() + PHONE_BACK_MS
    changeManifest(recordingId, deps, manifest => ({ ...manifest, state: 'stopping' }))
    for (;;) {
      try {
        return await finish(await linkBack({ deviceId, actor, until, signal }, deps), input, tools)
      } catch (error) {
        if (signal.aborted) return
        if (isLinkTrouble(error) && clock.elapsed() < until) {
          await pause(clock, BACK_LOOK_MS, signal)
          continue
        }
        const message = `What is left of the recording on ${deviceId} could not be fetched: ${messageOf(error)}.`
        changeManifest(recordingId, deps, manifest => ({
          ...manifest,
          state: 'failed',
          error: { code: 'RECORDING_FAILED', message },
        }))
        return void (await send({ type: 'phone.unreachable', message }))
      }
    }
  }
}
