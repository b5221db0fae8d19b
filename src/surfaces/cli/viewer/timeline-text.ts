/** A trace as lines of text: one for each thing that happened, with a bar that says when. */

import { hintAt } from '../../../contracts/door-words.ts'
import type { Trace, TraceExecution, TraceStep } from '../../../contracts/doors/viewer.ts'
import { duration } from '../../../contracts/duration.ts'
import { decidedBy, isoTime, toldBy } from '../../../contracts/executions/told-by.ts'
import { shortened, visible } from '../text/visible.ts'

const WIDTH = { least: 60, most: 160, bar: 24 }
const FULL = '█'
const THIN = '·'
const OPEN = '▸'

export const cut = (text: string, width: number): string => shortened(visible(text), width)

interface Span {
  from: number
  to: number
}

/** Draws a part as a bar within the whole, in characters. */
const bar = ({ from, to }: Span, whole: Span): string => {
  const length = Math.max(1, whole.to - whole.from)
  const first = Math.min(WIDTH.bar - 1, Math.floor(((from - whole.from) / length) * WIDTH.bar))
  const end = Math.min(WIDTH.bar, Math.max(first + 1, Math.ceil(((to - whole.from) / length) * WIDTH.bar)))
  return `${THIN.repeat(first)}${FULL.repeat(end - first)}${THIN.repeat(WIDTH.bar - end)}`
}

/** Where something left, and no record says when it ended. */
const openBar = (at: number, whole: Span): string => bar({ from: at, to: at }, whole).replace(FULL, OPEN)

const MARKS: Record<TraceStep['state'], string> = { succeeded: '✓', failed: '✗', 'not-run': ' ', unknown: '?' }

const tookOf = ({ durationMs, startedAt, endedAt }: TraceStep): string => {
  if (durationMs !== undefined) return duration(durationMs)
  return startedAt === undefined || endedAt === undefined ? '' : `≤ ${duration(endedAt - startedAt)}`
}

const problemOf = ({ error }: TraceStep): string => {
  if (!error) return ''
  return `${error.code}: ${error.message}${error.hint === undefined ? '' : ` (${hintAt('cli', error.hint)})`}`
}

const row = (at: number, picture: string, text: string, width: number) =>
  `${duration(Math.max(0, at)).padStart(9)}  ${picture}  ${cut(text, Math.max(10, width - WIDTH.bar - 13))}`

const NOTHING = ' '.repeat(WIDTH.bar)

/** The bar of a step that was recorded as it ended says that already. */
const laterOf = ({ source, knownAt }: TraceStep, { from }: Span): string =>
  source === 'progress' ? '' : (toldBy({ source, at: knownAt }, at => duration(at - from)) ?? '')

const stepRow = (step: TraceStep, whole: Span, width: number): string => {
  const { startedAt, endedAt, state } = step
  const hasRun = state !== 'not-run'
  const took = [tookOf(step), laterOf(step, whole)].filter(part => part !== '').join(', ')
  const parts = [hasRun ? took : 'not run', problemOf(step)]
  const text = `${MARKS[state]} ${step.title}  ${parts.filter(part => part !== '').join('  ')}`
  // Older hosts tell the times of the segment that it travelled in.
  if (startedAt === undefined || !hasRun)
    return `${' '.repeat(9)}  ${NOTHING}  ${cut(text, Math.max(10, width - WIDTH.bar - 13))}`
  const picture = endedAt === undefined ? openBar(startedAt, whole) : bar({ from: startedAt, to: endedAt }, whole)
  return row(startedAt - whole.from, picture, text, width)
}

/** How it ended for svc. */
const endOf = ({ state, code = '', evidence }: TraceExecution): string => {
  if (state === 'interrupted') return 'interrupted: the svc process that ran it was found to be gone'
  return evidence?.outcome === undefined ? `${state} ${code}` : 'answered: its end was not known yet'
}

const evidenceRows = (execution: TraceExecution, whole: Span, width: number): readonly string[] => {
  const { evidence } = execution
  const decided = decidedBy(execution, isoTime)
  if (evidence?.outcome === undefined || decided === undefined) return []
  const { at, outcome } = evidence
  return [row(at - whole.from, NOTHING, `${outcome}: ${decided}`, width)]
}

const executionRows = (execution: TraceExecution, whole: Span, width: number): readonly string[] => {
  const { acceptedAt, dispatchedAt, settledAt, commandId, error } = execution
  const waited = { from: acceptedAt, to: dispatchedAt ?? settledAt ?? acceptedAt }
  const end = settledAt ?? whole.to
  return [
    row(acceptedAt - whole.from, bar(waited, whole), `accepted ${commandId}`, width),
    ...execution.timeline.map(step => stepRow(step, whole, width)),
    row(end - whole.from, bar({ from: end, to: end }, whole), endOf(execution), width),
    ...evidenceRows(execution, whole, width),
    // A command in a hint is copied: it is not cut.
    ...(error?.hint === undefined ? [] : [`${' '.repeat(9)}  hint: ${visible(hintAt('cli', error.hint))}`]),
  ]
}

const wholeOf = ({ run, executions, records }: Trace): Span => {
  const times = [
    ...executions.flatMap(({ acceptedAt, settledAt }) => [acceptedAt, settledAt ?? acceptedAt]),
    ...(run ? [run.startedAt, run.endedAt ?? run.startedAt] : []),
    ...records.map(({ at }) => at),
  ]
  return { from: Math.min(...times), to: Math.max(...times) }
}

const title = ({ kind, id, run, executions: [first] }: Trace, { from, to }: Span): string => {
  // Nobody saw when it ended.
  const took = !run && first?.state === 'interrupted' ? '' : `, ${duration(to - from)}`
  const about = run
    ? `${run.skillId}${run.deviceId === undefined ? '' : ` on ${run.deviceId}`}: ${run.code ?? run.state}`
    : `on ${first?.deviceId}: ${first?.code ?? first?.state}`
  return visible(`${kind} ${id} ${about}${took}, ${new Date(from).toISOString()}`)
}

export const timelineText = (trace: Trace, columns: number): string => {
  const width = Math.min(WIDTH.most, Math.max(WIDTH.least, columns))
  const whole = wholeOf(trace)
  const rows = trace.executions.flatMap(execution => executionRows(execution, whole, width))
  const nothing = rows.length === 0 ? ['nothing was sent to a device'] : []
  return [title(trace, whole), ...rows, ...nothing, ...(trace.omitted ?? []).map(visible)].join('\n')
}
