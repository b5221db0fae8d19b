/** The lines that scripts log: kept until the record of a command or a stage takes them, and bounded for one attempt. */
import type { FlowLogLine } from '../../../contracts/flows/test-run.ts'
import { FLOW_LOG_BYTES, FLOW_LOG_LINES_MAX } from '../language/limits.ts'
import type { AttemptState, LiveAttempt } from './attempt.ts'
import type { RecordedAttempt, RecordedLogLine } from './command-log.ts'

const DROPPED = 'dropped'

const linesOf = ({ commands, stages }: RecordedAttempt): readonly RecordedLogLine[] => {
  const ends = [...commands.map(({ ended }) => ended?.body), ...stages.map(({ body }) => body)]
  return ends.flatMap(body => body?.log ?? [])
}

const bytesOf = ({ text, file }: RecordedLogLine) => Buffer.byteLength(text) + Buffer.byteLength(file)

/** False for a line that a process before this one has on record. */
export const logLine = (
  { recorded, state }: Pick<LiveAttempt, 'recorded' | 'state'>,
  line: RecordedLogLine,
): boolean => {
  state.logged ??= new Map(linesOf(recorded).map(each => [each.id, bytesOf(each)]))
  const { logged, log } = state
  if (logged.has(line.id)) return false
  if (logged.has(DROPPED)) return true
  const bytes = bytesOf(line) + [...logged.values()].reduce((sum, size) => sum + size, 0)
  const isOver = logged.size >= FLOW_LOG_LINES_MAX || bytes > FLOW_LOG_BYTES
  const text = `The scripts of this attempt logged more than ${FLOW_LOG_LINES_MAX} lines or ${FLOW_LOG_BYTES} bytes: this line and later ones are not kept.`
  const kept = isOver ? { ...line, id: DROPPED, text } : line
  logged.set(kept.id, bytesOf(kept))
  log.push(kept)
  return true
}

/** Hands them out once. */
export const takeLog = ({ log }: Pick<AttemptState, 'log'>): { log?: readonly RecordedLogLine[] } => {
  const taken = log.splice(0)
  return taken.length === 0 ? {} : { log: taken }
}

/** In the order of the commands whose ends took them. */
export const recordedLog = (recorded: RecordedAttempt): readonly FlowLogLine[] =>
  [...new Map(linesOf(recorded).map(line => [line.id, line])).values()].map(({ text, file, line }) => ({
    text,
    file,
    line,
  }))
