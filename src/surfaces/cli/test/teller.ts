/**
 * A test run on stderr as it goes on: a line for each flow that ends, and on a terminal below them one line for each phone
 * that is written again.
 */

import { duration } from '../../../contracts/duration.ts'
import type { TestProgress } from '../../../contracts/flows/test-run.ts'
import type { Clock, Timer } from '../../../runtime/clock.ts'
import type { Io } from '../io.ts'
import { counted } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { attemptLine, countsWords } from '../text/test-run.ts'
import { displayWidth, isolated, padded, safe, shortened, visible } from '../text/visible.ts'
import { type Board, createBoard, type RunningAttempt } from './board.ts'

export interface TestTellerDeps {
  readonly io: Pick<Io, 'errorColumns' | 'rows' | 'show' | 'note'>
  readonly clock: Clock
  /** For stderr. */
  readonly page: Page
}

/** However many events come, the lines are written so often at most; and so often at least, for their times. */
const DRAW_MS = 100
const TICK_MS = 1_000

const DEVICE_COLUMNS_MAX = 24
/** Kept free for the line of the whole run and for the cursor. */
const ROWS_KEPT = 2

const SECOND = 1_000

/** Whole seconds: tenths that change with each line only distract. */
const seconds = (ms: number) => duration(Math.floor(ms / SECOND) * SECOND)

const attemptWords = ({ name, attempt, command, begunAt }: RunningAttempt, now: number): string => {
  const flow = attempt > 1 ? `${name} (attempt ${attempt})` : name
  const at = command === undefined ? '' : `  ${command.line}: ${command.text}`
  return `${seconds(Math.max(0, now - begunAt)).padStart(6)}  ${flow}${at}`
}

/** Busy phones before idle ones where not all have a line. */
const phoneLines = (board: Board, now: number, rows: number): string[] => {
  const phones = board.phones()
  const width = Math.min(DEVICE_COLUMNS_MAX, Math.max(0, ...phones.map(({ deviceId }) => displayWidth(deviceId))))
  const isWhole = phones.length <= rows
  const listed = isWhole
    ? phones
    : [...phones].sort((one, other) => Number(!one.attempt) - Number(!other.attempt)).slice(0, Math.max(0, rows - 1))
  const lines = listed.map(({ deviceId, attempt }) => {
    const device = padded(shortened(visible(deviceId), width), width)
    return `${device}  ${attempt ? isolated(visible(attemptWords(attempt, now))) : 'idle'}`
  })
  return isWhole ? lines : [...lines, `and ${counted(phones.length - listed.length, 'more phone')}`]
}

const headLine = (board: Board, now: number): string => {
  const { flows, ended } = board.counts()
  const words = countsWords(board.counts())
  return `${ended} of ${counted(flows, 'flow')}${words === '' ? '' : `: ${words}`}, ${seconds(Math.max(0, now - board.begunAt()))}`
}

export const createTestTeller = ({ io, clock, page }: TestTellerDeps) => {
  const board = createBoard()
  /** The widths of the lines that stand on the terminal now. */
  let drawn: readonly number[] = []
  let drawnAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined
  let isOver = false

  /** A terminal that has become narrower has broken lines that are longer. */
  const erase = (columns: number): string => {
    if (drawn.length === 0) return ''
    const rows = drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
    drawn = []
    return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}\u001b[J`
  }
  const live = (columns: number): string => {
    const now = clock.now()
    const rows = Math.max(1, io.rows() - ROWS_KEPT)
    const lines = [...phoneLines(board, now, rows), headLine(board, now)].map(line => shortened(line, columns - 1))
    drawn = lines.map(displayWidth)
    drawnAt = clock.elapsed()
    return lines.map((line, at) => (at === lines.length - 1 ? page.paint('dim', line) : line)).join('\n')
  }
  const schedule = (ms: number) => {
    timer?.cancel()
    timer = clock.at(clock.now() + ms, () => draw(''), { idle: true })
  }
  const draw = (text: string) => {
    const columns = io.errorColumns()
    if (columns === undefined || isOver) return
    const erased = erase(columns)
    io.show(`${erased}${text === '' ? '' : `${text}\n`}${live(columns)}`)
    schedule(TICK_MS)
  }
  const end = () => {
    timer?.cancel()
    timer = undefined
    isOver = true
    const columns = io.errorColumns()
    if (columns !== undefined && drawn.length > 0) io.show(erase(columns))
  }
  /** A line for good, above those that are written again. */
  const say = (line: string) => {
    if (io.errorColumns() === undefined || isOver) io.note(line)
    else draw(line)
  }

  return {
    tell(event: TestProgress) {
      const attempt = board.apply(event)
      if (event.type === 'run.ended') return end()
      if (attempt) return say(attemptLine(page, attempt))
      if (event.type === 'run.begun') {
        const { testRunId, flows, phones } = event
        return say(safe`Test run ${testRunId}: ${counted(flows.length, 'flow')} on ${counted(phones.length, 'phone')}.`)
      }
      const sinceMs = clock.elapsed() - drawnAt
      if (sinceMs >= DRAW_MS) draw('')
      else if (!isOver && io.errorColumns() !== undefined) schedule(DRAW_MS - sinceMs)
    },
    say,
    end,
  }
}
