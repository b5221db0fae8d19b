/** `screenrecord` on a phone: the command lines that start, find and end it, and the meaning of its answers. */
import type { CallOptions, Link } from '../../device/link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../device/link/link-limits.ts'
import { quote } from '../../runtime/text/quote.ts'

const FOLDER = '/data/local/tmp/svc-recording-'

/** The files of ours on the phone; no indexer of media looks there. */
export const phoneFolder = (recordingId: string): string => `${FOLDER}${recordingId}`

export const phoneFile = (recordingId: string, segment: number): string => `${phoneFolder(recordingId)}/${segment}.mp4`

const logFile = (recordingId: string, segment: number): string => `${phoneFolder(recordingId)}/${segment}.log`

export interface SegmentStart {
  recordingId: string
  segment: number
  limitS: number
  bitRate: number
  size: string | null
}

/**
 * In a session of its own: a link that breaks sends SIGHUP to what it started, and screenrecord would leave a file that
 * nobody can play.
 */
export const startSegment = async (link: Link, start: SegmentStart, call: CallOptions): Promise<string | undefined> => {
  const { recordingId, segment, limitS, bitRate, size } = start
  const file = quote(phoneFile(recordingId, segment))
  const words = ['--time-limit', limitS, '--bit-rate', bitRate, ...(size === null ? [] : ['--size', quote(size)])]
  const folder = quote(phoneFolder(recordingId))
  const log = quote(logFile(recordingId, segment))
  const command = `mkdir -p ${folder} && { setsid screenrecord ${words.join(' ')} ${file} >${log} 2>&1 </dev/null & }`
  const { exitCode, stdout, stderr } = await link.shell(command, { ...call, maxBytes: OUTPUT_BYTES_MAX.report })
  return exitCode === 0 ? undefined : `${stdout}${stderr}`.trim() || `exit code ${exitCode}`
}

export interface PhoneProcessFound {
  pid: number
  words: readonly string[]
}

export interface Look {
  /** The screenrecord processes of this recording. */
  processes: readonly PhoneProcessFound[]
  /** The size of the file of the segment; undefined while there is none. */
  bytes: number | undefined
  /** In degrees. */
  rotation: number | undefined
}

const LIST_PROCESSES = 'for p in $(pidof screenrecord); do echo "@pid $p"; cat /proc/$p/cmdline 2>/dev/null; echo; done'
const ROTATION = 'dumpsys window displays 2>/dev/null | grep Rotation= | head -n 3'

const processesIn = (text: string, folder: string): PhoneProcessFound[] =>
  [...text.matchAll(/^@pid (\d+)\n([^\n]*)$/gm)].flatMap(([, pid, line = '']) => {
    const words = line.split('\0').filter(word => word !== '')
    // The number may be that of another process meanwhile.
    const isOurs = /(^|\/)screenrecord$/.test(words[0] ?? '') && words.some(word => word.startsWith(`${folder}/`))
    return isOurs ? [{ pid: Number(pid), words }] : []
  })

/** `mCurrentRotation=ROTATION_90`; older phones give quarter turns. */
const rotationIn = (text: string): number | undefined => {
  const [, degrees, quarters] = /m(?:Current)?Rotation=(?:ROTATION_(\d+)|([0-3])\b)/.exec(text) ?? []
  if (degrees !== undefined) return Number(degrees) % 360
  return quarters === undefined ? undefined : Number(quarters) * 90
}

export const lookAt = async (
  link: Link,
  { recordingId, segment }: { recordingId: string; segment: number },
  call: CallOptions,
): Promise<Look> => {
  const file = quote(phoneFile(recordingId, segment))
  const size = `echo "@size $(stat -c %s ${file} 2>/dev/null)"`
  const { stdout } = await link.shell(`${LIST_PROCESSES}; ${size}; ${ROTATION}`, {
    ...call,
    maxBytes: OUTPUT_BYTES_MAX.report,
  })
  const bytes = /^@size (\d+)$/m.exec(stdout)?.[1]
  return {
    processes: processesIn(stdout, phoneFolder(recordingId)),
    bytes: bytes === undefined ? undefined : Number(bytes),
    rotation: rotationIn(stdout),
  }
}

export const isRecordingSegment = ({ processes }: Look, file: string): boolean =>
  processes.some(({ words }) => words.includes(file))

/** SIGINT has it write the index of its file; any other end leaves one that nobody can play. */
export const interrupt = async (link: Link, found: readonly PhoneProcessFound[], call: CallOptions): Promise<void> => {
  if (found.length === 0) return
  await link.shell(`kill -INT ${found.map(({ pid }) => pid).join(' ')}`, { ...call, maxBytes: OUTPUT_BYTES_MAX.report })
}

export const kill = async (link: Link, found: readonly PhoneProcessFound[], call: CallOptions): Promise<void> => {
  if (found.length === 0) return
  await link.shell(`kill -KILL ${found.map(({ pid }) => pid).join(' ')}`, {
    ...call,
    maxBytes: OUTPUT_BYTES_MAX.report,
  })
}

/** Reads what screenrecord said of the segment. */
export const readLog = async (
  link: Link,
  { recordingId, segment }: { recordingId: string; segment: number },
  call: CallOptions,
): Promise<string> => {
  const command = `cat ${quote(logFile(recordingId, segment))} 2>/dev/null`
  return (await link.shell(command, { ...call, maxBytes: OUTPUT_BYTES_MAX.report })).stdout.trim()
}

/** The segments of the recording on the phone. */
export const segmentsOnPhone = async (link: Link, recordingId: string, call: CallOptions): Promise<number[]> => {
  const command = `ls ${quote(phoneFolder(recordingId))} 2>/dev/null`
  const { stdout } = await link.shell(command, { ...call, maxBytes: OUTPUT_BYTES_MAX.report })
  return stdout
    .split('\n')
    .flatMap(name => /^(\d+)\.mp4$/.exec(name.trim())?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other)
}

export const removeSegment = async (
  link: Link,
  { recordingId, segment }: { recordingId: string; segment: number },
  call: CallOptions,
): Promise<void> => {
  const files = [phoneFile(recordingId, segment), logFile(recordingId, segment)].map(quote).join(' ')
  await link.shell(`rm -f ${files}`, { ...call, maxBytes: OUTPUT_BYTES_MAX.report })
}

/** Resolves to false when something is left. */
export const removeFolder = async (link: Link, recordingId: string, call: CallOptions): Promise<boolean> => {
  const folder = quote(phoneFolder(recordingId))
  const command = `rm -rf ${folder}; [ -e ${folder} ] && echo left; true`
  const { stdout } = await link.shell(command, { ...call, maxBytes: OUTPUT_BYTES_MAX.report })
  return !stdout.includes('left')
}

const BLOCK_BYTES = 1_024

/** Undefined where the phone does not say. */
export const freeBytes = async (link: Link, call: CallOptions): Promise<number | undefined> => {
  const { stdout } = await link.shell('df -k /data/local/tmp 2>/dev/null', {
    ...call,
    maxBytes: OUTPUT_BYTES_MAX.report,
  })
  const row = stdout.trim().split('\n').at(-1)?.trim().split(/\s+/) ?? []
  const available = Number(row[3])
  return row.length >= 6 && Number.isSafeInteger(available) ? available * BLOCK_BYTES : undefined
}
