/** `svc record`: by the daemon, by another host of the fleet, or by this process until a signal comes. */

import { join } from 'node:path'
import * as v from 'valibot'
import { duration } from '../../../contracts/duration.ts'
import { BIT_RATE_MAX, BIT_RATE_MIN, RECORDING_MS_MAX } from '../../../contracts/limits/recording-limits.ts'
import {
  type Recording,
  RecordingRequest,
  type RecordingSegment,
  VIDEO_SIZE_RULE,
} from '../../../contracts/recording.ts'
import { pause } from '../../../runtime/clock.ts'
import { deviceIdFor } from '../../../service/executions.ts'
import type { OutputOf, Result, Service, RequestOptions as ServiceCall } from '../../../service/service.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { concernsFleet, deviceOf } from '../executions/execution-command.ts'
import { leaseOf } from '../flags/flag-values.ts'
import { fieldsText, listText } from '../text/answer.ts'
import { lines, paragraph } from '../text/layout.ts'
import { type Page, SIGNS } from '../text/page.ts'
import { askDevice } from './devices.ts'

const MS_PER_SECOND = 1_000
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000 }

const seconds = (call: CommandContext): { forMs?: number } => {
  const text = call.text('for')
  if (text === undefined) return {}
  const most = RECORDING_MS_MAX / MS_PER_SECOND
  const durationS = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (durationS >= 1 && durationS <= most) return { forMs: durationS * MS_PER_SECOND }
  throw usage(`--for must be a number of seconds from 1 to ${most}; got "${text}".`)
}

const bitRate = (call: CommandContext): { bitRate?: number } => {
  const text = call.text('bit-rate')
  if (text === undefined) return {}
  const [, digits, unit = ''] = /^(\d{1,12})([km]?)$/i.exec(text) ?? []
  const bitsPerSecond = Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
  if (bitsPerSecond >= BIT_RATE_MIN && bitsPerSecond <= BIT_RATE_MAX) return { bitRate: bitsPerSecond }
  throw usage(`--bit-rate must be a number of bits from ${BIT_RATE_MIN} to ${BIT_RATE_MAX}, such as 4M; got "${text}".`)
}

const requestIn = (call: CommandContext): RecordingRequest => {
  const size = call.text('size')
  const fields = { ...seconds(call), ...bitRate(call), ...(size === undefined ? {} : { size }) }
  const read = v.safeParse(RecordingRequest, fields)
  if (!read.success) throw usage(`--size ${VIDEO_SIZE_RULE}; got "${size}".`)
  return read.output
}

type Answered = Result<OutputOf<'recording.status'>>

const output = (result: Answered): CommandResult =>
  result.ok ? { ok: true, output: { recording: result.value.recording } } : { ok: false, output: result.error }

const isDaemonDisabled = ({ env, isOn }: CommandContext): boolean =>
  isOn('no-daemon') || env.SVC_NO_DAEMON === '1' || process.platform === 'win32'

const contextOf = (call: CommandContext): ServiceCall => ({
  context: { caller: 'cli', leaseId: leaseOf(call) },
  signal: call.signal,
})

const LOOK_MS = 500

/** Records in this process, which stays until the recording is saved, also when it is told to end. */
const recordHere = async (service: Service, deviceId: string, call: CommandContext): Promise<Answered> => {
  const { clock, signal } = call
  const started = await service['recording.start']({ deviceId, ...requestIn(call) }, contextOf(call))
  if (!started.ok) return started
  await call.announce({ recording: started.value.recording })
  const asked: ServiceCall = { context: contextOf(call).context }
  for (;;) {
    await pause(clock, LOOK_MS, signal)
    const now = await service['recording.status']({ deviceId }, asked)
    const isOver = !now.ok || !['recording', 'stopping'].includes(now.value.recording?.state ?? '')
    if (isOver) return now
    if (!signal.aborted) continue
    const stopped = await service['recording.stop']({ deviceId }, asked)
    return stopped.ok || stopped.error.code !== 'RECORDING_NOT_RUNNING'
      ? stopped
      : service['recording.status']({ deviceId }, asked)
  }
}

const isInFleet = async (call: CommandContext): Promise<boolean> => {
  const device = deviceOf(call)
  return concernsFleet(call.env, device) && (await import('../fleet/session.ts')).goesToFleet(call, device)
}

export const startRecording = async (call: CommandContext): Promise<CommandResult> => {
  const request = requestIn(call)
  if (await isInFleet(call))
    return output(
      await askDevice(call, (service, deviceId, options) =>
        service['recording.start']({ deviceId, ...request }, options),
      ),
    )
  const callOptions = contextOf(call)
  const isHere = isDaemonDisabled(call)
  const found = isHere
    ? { ok: true as const, value: await (await call.services()).service() }
    : await (await import('../daemon/daemon-service.ts')).daemonService(call)
  if (!found.ok) return { ok: false, output: found.error }
  const chosen = await deviceIdFor(found.value, deviceOf(call), callOptions)
  if (!chosen.ok) return { ok: false, output: chosen.error }
  if (!isHere) return output(await found.value['recording.start']({ deviceId: chosen.value, ...request }, callOptions))
  return { ...output(await recordHere(found.value, chosen.value, call)), expectsSignal: true }
}

/** Without a name a device is chosen among those that are ready: then it is told which others have an open recording here. */
const withOpenRecordings = async (call: CommandContext, result: Answered): Promise<Answered> => {
  if (result.ok || result.error.code !== 'NO_DEVICES') return result
  const openRecordings = (await call.services()).recordings().openDevices()
  if (openRecordings.length === 0) return result
  const { error } = result
  const message = `${error.message} A recording is open here of ${openRecordings.join(', ')}.`
  const hint = `Name the device: svc record status --device ${openRecordings[0]} shows its recording. Connect it to stop the recording and fetch the rest.`
  return { ...result, error: { ...error, message, hint, details: { ...error.details, openRecordings } } }
}

export const stopRecording = async (call: CommandContext): Promise<CommandResult> =>
  output(
    await withOpenRecordings(
      call,
      await askDevice(call, (service, deviceId, options) => service['recording.stop']({ deviceId }, options)),
    ),
  )

export const showRecording = async (call: CommandContext): Promise<CommandResult> =>
  output(
    await withOpenRecordings(
      call,
      await askDevice(call, (service, deviceId, options) => service['recording.status']({ deviceId }, options)),
    ),
  )

const KILOBYTE = 1_000
const SIZES = ['B', 'kB', 'MB', 'GB'] as const

const sizeText = ({ bytes }: { bytes?: number }): string => {
  if (bytes === undefined) return ''
  const power = bytes < KILOBYTE ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / KILOBYTE ** power).toFixed(power === 0 ? 0 : 1)} ${SIZES[power]}`
}

const savedText = ({ playable, problem, file }: RecordingSegment): string => {
  if (problem !== undefined) return `${SIGNS.failed} ${problem}`
  if (file === undefined) return 'on the device'
  return playable ? `${SIGNS.ok} saved` : `${SIGNS.warning} saved, cannot be played`
}

const SEGMENT = {
  as: {
    length: ({ startedAt, endedAt }: RecordingSegment) => (endedAt === undefined ? '' : duration(endedAt - startedAt)),
    bytes: sizeText,
    state: savedText,
  },
  without: ['startedAt', 'endedAt', 'file', 'playable', 'problem', 'sha256', 'rotation'],
}

export const recordingText = (page: Page, { recording }: { recording: Recording | null }): string => {
  if (!recording) return paragraph(page, 'The screen was never recorded. Begin: svc record start')
  const { folder, segments } = recording
  const file = segments.find(segment => segment.file !== undefined)?.file
  const video = file === undefined ? undefined : join(folder, file)
  return lines(
    fieldsText(page, recording, {
      as: {
        reason: ({ reason, state }) => (reason === state ? '' : reason?.replaceAll('_', ' ')),
        error: ({ error }) => error?.message,
        bytes: sizeText,
        video: () => video,
        watch: () => video && 'svc inspect shows it beside what was done',
      },
      without: ['hardwareSerial', 'segments'],
    }),
    segments.length === 0 ? '' : listText(page, segments, SEGMENT),
  )
}
