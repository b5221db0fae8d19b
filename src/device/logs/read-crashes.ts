/** Finds in the log which applications crashed or did not respond, and which of them were in front then. */
import { type AppCrash, CRASH_LIMITS } from '../../contracts/device/crash.ts'
import { createTimeText, type LogRecord, wordsOf } from './log-records.ts'

export interface LoggedCrashes {
  /** In the order in which they were logged. */
  crashes: AppCrash[]
  /** The applications of which an activity was closed, or did not respond. */
  inFront: ReadonlySet<string>
}

const JAVA = /^FATAL EXCEPTION: /
const JAVA_PROCESS = /^Process: ([\w.:]+), PID: \d+/
const THROWN = /^([\w.$]+)(?:: ([\s\S]*))?$/
const FRAME = /^\s+at (.+)$/
const NATIVE_PROCESS = /^pid: \d+, tid: \d+, name: .*>>> (\S+) <<</
const NATIVE_SIGNAL = /^(signal \d+ \(\w+\))(?:, (.*))?$/
const NATIVE_ABORT = /^Abort message: '?(.*?)'?$/
const NATIVE_FRAME = /^\s*#\d\d pc [0-9a-f]+ +(.+)$/
const NOT_RESPONDING = /^ANR in ([\w.:]+)(?: \(([\w.]+)\/[\w.$]+\))?/
const REASON = /^Reason: (.+)$/m
/** Before Android 10 the activity manager says it. */
const CLOSED_BY = ['ActivityTaskManager', 'ActivityManager']
const CLOSED = /^\s*Force finishing activity ([\w.]+)\//

const clipped = (text: string, chars: number = CRASH_LIMITS.messageChars): string => text.slice(0, chars)

const ofProcess = (process: string) => {
  const applicationId = process.split(':', 1)[0] ?? process
  return { applicationId, ...(process === applicationId ? {} : { process }) }
}

const framesIn = (lines: readonly string[]): { stackTop?: string[] } => {
  const stackTop = lines
    .flatMap(line => FRAME.exec(line)?.[1] ?? [])
    .slice(0, CRASH_LIMITS.frames)
    .map(frame => clipped(frame, CRASH_LIMITS.frameChars))
  return stackTop.length === 0 ? {} : { stackTop }
}

const javaCrash = (message: string, time: string): AppCrash | undefined => {
  const lines = message.split('\n').slice(1)
  const process = JAVA_PROCESS.exec(lines[0] ?? '')?.[1]
  if (process === undefined) return undefined
  const rest = lines.slice(1)
  const end = rest.findIndex(line => FRAME.test(line))
  const [, exception, reason] = THROWN.exec(rest.slice(0, end < 0 ? undefined : end).join('\n')) ?? []
  return {
    kind: 'crash',
    ...ofProcess(process),
    time,
    ...(exception === undefined ? {} : { exception }),
    ...(reason ? { message: clipped(reason) } : {}),
    ...framesIn(rest),
  }
}

/** A tombstone is one line after the other, from a process of its own. */
const addToTombstone = (crash: AppCrash, line: string): void => {
  const [, signal, reason] = NATIVE_SIGNAL.exec(line) ?? []
  if (signal !== undefined) {
    crash.exception ??= signal
    if (reason) crash.message ??= clipped(reason)
  }
  const abort = NATIVE_ABORT.exec(line)?.[1]
  if (abort) crash.message = clipped(abort)
  const frame = NATIVE_FRAME.exec(line)?.[1]
  if (frame === undefined) return
  crash.stackTop ??= []
  if (crash.stackTop.length < CRASH_LIMITS.frames) crash.stackTop.push(clipped(frame, CRASH_LIMITS.frameChars))
}

export const readCrashes = (records: Iterable<LogRecord>): LoggedCrashes => {
  const timeText = createTimeText()
  const crashes: AppCrash[] = []
  const inFront = new Set<string>()
  let tombstone: AppCrash | undefined
  for (const record of records) {
    const { tag, message } = wordsOf(record)
    if (tag === 'AndroidRuntime' && JAVA.test(message)) {
      const crash = javaCrash(message, timeText(record))
      if (crash) crashes.push(crash)
    } else if (tag === 'DEBUG') {
      for (const line of message.split('\n')) {
        const process = NATIVE_PROCESS.exec(line)?.[1]
        if (process !== undefined) {
          tombstone = { kind: 'crash', ...ofProcess(process), time: timeText(record) }
          crashes.push(tombstone)
        } else if (tombstone) addToTombstone(tombstone, line)
      }
    } else if (CLOSED_BY.includes(tag)) {
      const [, process, activityOf] = NOT_RESPONDING.exec(message) ?? []
      if (process !== undefined) {
        const reason = REASON.exec(message)?.[1]
        const why = reason === undefined ? {} : { reason: clipped(reason.trim()) }
        crashes.push({ kind: 'anr', ...ofProcess(process), time: timeText(record), ...why })
        if (activityOf !== undefined) inFront.add(activityOf)
      }
      const closed = CLOSED.exec(message)?.[1]
      if (closed !== undefined) inFront.add(closed)
    }
  }
  return { crashes, inFront }
}
