/** `svc watch` on a terminal: devices, what runs on them and the last outcomes, drawn again as records arrive. */

import { type ExecutionSummary, SUCCESS_CODE, type ViewedActor } from '../../../contracts/doors/viewer.ts'
import { duration } from '../../../contracts/duration.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { createTitles, summaries, type TitleFor } from '../../../service/traces/summary.ts'
import { viewedActors } from '../../../service/traces/viewed-actors.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { shortId } from '../text/page.ts'
import { cut } from './timeline-text.ts'

/** At most so often, however much happens; and at least so often, for times go on. */
const DRAW_MS = { least: 100, most: 1_000 }

const ESCAPE = '\x1b['
const ENTER = `${ESCAPE}?1049h${ESCAPE}?25l`
const LEAVE = `${ESCAPE}?25h${ESCAPE}?1049l`
const HOME = `${ESCAPE}H`
const REST_OF_LINE = `${ESCAPE}K`
const REST_OF_SCREEN = `${ESCAPE}J`

const STYLES = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33' } as const
const styled = (text: string, style: keyof typeof STYLES) => `${ESCAPE}${STYLES[style]}m${text}${ESCAPE}0m`

const isBusy = ({ tags }: ViewedActor) => tags.includes('in-flight')
const bareId = ({ id }: ViewedActor) => id.slice(id.indexOf(':') + 1)

/** Devices stand in a list of their own; other ids say nothing without the kind of their actor. */
const nameOf = (actor: ViewedActor, width: number): string =>
  actor.machine === 'device' ? bareId(actor) : `${actor.machine}:${shortId({ width }, bareId(actor))}`

const workOf = ({ machine, work }: ViewedActor, width: number) =>
  [
    work.title ?? work.skillId ?? work.commandId ?? '',
    work.skillRunId === undefined ? '' : `run ${shortId({ width }, work.skillRunId)}`,
    machine === 'device' || work.deviceId === undefined ? '' : `on ${work.deviceId}`,
  ]
    .filter(part => part !== '')
    .join(' · ')

/** On 80 columns the last column, which says what is done, keeps 18 of them. */
const COLUMNS = { name: 26, state: 16, since: 9 }
const CLOCK = { from: 11, to: 19 }

const actorLine = (actor: ViewedActor, now: number, width: number): string => {
  const mark = isBusy(actor) ? styled('●', 'yellow') : styled('○', 'dim')
  const text = [
    cut(nameOf(actor, width), COLUMNS.name).padEnd(COLUMNS.name),
    cut(actor.state, COLUMNS.state).padEnd(COLUMNS.state),
    duration(Math.max(0, now - actor.since)).padStart(COLUMNS.since),
    isBusy(actor) ? workOf(actor, width) : '',
  ].join('  ')
  return `${mark} ${cut(text, width - 3)}`
}

/** The sign says that an execution succeeded; of others, how they ended comes before what they did. */
const outcomeLine = (summary: ExecutionSummary, width: number): string => {
  const { code, acceptedAt, settledAt, deviceId, commandId, title, state } = summary
  const isGood = code === SUCCESS_CODE
  const took = settledAt === undefined ? '' : duration(Math.max(0, settledAt - acceptedAt))
  const what = title ?? commandId
  const text = [
    new Date(acceptedAt).toISOString().slice(CLOCK.from, CLOCK.to),
    cut(deviceId, COLUMNS.name).padEnd(COLUMNS.name),
    took.padStart(COLUMNS.since),
    isGood ? what : `${code ?? state}: ${what}`,
  ].join('  ')
  return `${code === undefined ? styled('…', 'yellow') : isGood ? styled('✓', 'green') : styled('✗', 'red')} ${cut(text, width - 3)}`
}

export interface Size {
  columns: number
  rows: number
}

export const liveLines = (
  journal: Journal,
  now: number,
  { columns, rows }: Size,
  titleFor: TitleFor = createTitles(() => journal),
): readonly string[] => {
  const { actors } = viewedActors(journal)
  const devices = actors.filter(({ machine }) => machine === 'device').sort((a, b) => (a.id < b.id ? -1 : 1))
  const others = actors.filter(actor => actor.machine !== 'device' && isBusy(actor))
  const shownDevices = devices.slice(0, Math.max(3, Math.floor(rows / 2) - 3))
  const head = [
    styled(`svc watch · seq ${journal.head()}`, 'bold') +
      styled('   Ctrl-C ends it; svc watch --lines prints lines', 'dim'),
    '',
    styled('Devices', 'bold'),
    ...shownDevices.map(actor => actorLine(actor, now, columns)),
    ...(devices.length > shownDevices.length
      ? [styled(`  and ${devices.length - shownDevices.length} more`, 'dim')]
      : []),
    ...(devices.length === 0 ? [styled('  none has been used yet', 'dim')] : []),
    ...(others.length === 0 ? [] : ['', styled('At work', 'bold')]),
    ...others.slice(0, 5).map(actor => actorLine(actor, now, columns)),
    '',
    styled('Last executions', 'bold'),
  ]
  const left = Math.max(1, rows - head.length - 1)
  const found = [...summaries(journal, { limit: left }, { titleFor })]
  return [...head, ...found.map(summary => outcomeLine(summary, columns))].slice(0, rows)
}

/** Until the signal comes; then the terminal is as it was. */
export const watchLive = async ({ clock, io, signal, services }: CommandContext): Promise<CommandResult> => {
  const journal = (await services()).journal()
  let wake = () => {}
  const titleFor = createTitles(() => journal)
  const subscription = journal.subscribe(() => wake())
  const draw = () => {
    const size = { columns: io.columns(), rows: io.rows() }
    const lines = liveLines(journal, clock.now(), size, titleFor)
    io.draw(HOME + lines.map(line => line + REST_OF_LINE).join('\r\n') + REST_OF_SCREEN)
  }
  const pause = (wait: number, isWoken: boolean) =>
    new Promise<void>(resolve => {
      const end = () => {
        timer.cancel()
        signal.removeEventListener('abort', end)
        wake = () => {}
        resolve()
      }
      const timer = clock.at(clock.now() + wait, end)
      signal.addEventListener('abort', end, { once: true })
      if (isWoken) wake = end
      if (signal.aborted) end()
    })
  io.draw(ENTER)
  try {
    while (!signal.aborted) {
      draw()
      await pause(DRAW_MS.least, false)
      if (!signal.aborted) await pause(DRAW_MS.most, true)
    }
  } finally {
    subscription.close()
    io.draw(LEAVE)
  }
  return { ok: true }
}
