/** The progress of a test run on stderr: lines for a pipe, and lines that are written again on a terminal. */
import { describe, expect, test } from 'vitest'
import type { TestProgress } from '../../../../src/contracts/flows/test-run.ts'
import { createTestTeller } from '../../../../src/surfaces/cli/test/teller.ts'
import { displayWidth } from '../../../../src/surfaces/cli/text/visible.ts'
import { ASSERTION, HOSTILE } from '../../../service/flows/reports/sample-runs.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { pageFor } from '../text/page-for.ts'

type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const ERASE = /\r(?:\u001b\[(\d+)A)?\u001b\[J/

/** A terminal that has what was written, with the lines that were erased gone. */
const terminal = (rows: number) => {
  let screen: string[] = ['']
  let raw = ''
  return {
    show(text: string) {
      raw += text
      const found = ERASE.exec(text)
      if (found) screen = [...screen.slice(0, screen.length - 1 - Number(found[1] ?? 0)), '']
      const [first = '', ...more] = text.replace(ERASE, '').split('\n')
      screen = [...screen.slice(0, -1), `${screen.at(-1)}${first}`, ...more]
    },
    lines: () => screen,
    raw: () => raw,
    rows: () => rows,
  }
}

const scene = ({
  columns,
  rows = 24,
  phones = ['emulator-5554', 'R58M'],
}: {
  columns?: number
  rows?: number
  phones?: string[]
} = {}) => {
  const clock = manualClock()
  const shown = terminal(rows)
  const notes: string[] = []
  const size = { columns }
  const io = {
    errorColumns: () => size.columns,
    rows: shown.rows,
    show: shown.show,
    note: (text: string) => void notes.push(text),
  }
  const teller = createTestTeller({ io, clock, page: pageFor({ hasColours: columns !== undefined }) })
  const tell = (event: Untimed<TestProgress>) => teller.tell({ at: clock.now(), ...event } as TestProgress)
  const flows = ['Pay', 'Login', HOSTILE].map(name => ({ flow: `${name}.yaml`, name }))
  tell({ type: 'run.begun', testRunId: 'run-1', flows, phones })
  const begin = (flowRunId: string, name: string, deviceId = 'R58M', attempt = 1) =>
    tell({ type: 'attempt.begun', flowRunId, flow: `${name}.yaml`, name, attempt, deviceId })
  const command = (flowRunId: string, index: number, text: string, line = index + 3) =>
    tell({ type: 'command.begun', flowRunId, index, depth: 0, text, file: 'a.yaml', line })
  return { teller, tell, begin, command, clock, shown, notes, size }
}

describe('in a pipe', () => {
  test('says each attempt that ends in one line, and nothing else', () => {
    const { begin, command, tell, notes, clock, shown } = scene()
    begin('1', 'Pay')
    command('1', 0, 'Launch')
    clock.advance(4_200)
    tell({ type: 'attempt.ended', flowRunId: '1', verdict: 'failed', error: ASSERTION, isRetried: true })
    begin('2', 'Pay', 'emulator-5554', 2)
    clock.advance(900)
    tell({ type: 'attempt.ended', flowRunId: '2', verdict: 'passed', isRetried: false })
    begin('3', HOSTILE)
    tell({ type: 'attempt.ended', flowRunId: '3', verdict: 'indeterminate', isRetried: false })
    tell({ type: 'run.ended', verdict: 'indeterminate' })
    expect(notes).toEqual([
      'Test run run-1: 3 flows on 2 phones.',
      '✗ Pay failed on R58M after 4.2 s, and is tried again: ASSERTION_FAILED',
      '✓ Pay passed on emulator-5554 in attempt 2 after 900 ms',
      expect.stringMatching(/^\? \u2068Pay \\x00.*is indeterminate on R58M after 0 ms$/),
    ])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
    expect(notes.join('')).not.toMatch(/[\0-\x1f\u202e]/)
    expect(shown.raw()).toBe('')
    expect(clock.pending()).toBe(0)
  })
})

describe('on a terminal', () => {
  test('each phone has a line with its flow and its command, below those that have ended', () => {
    const { begin, command, tell, shown, clock } = scene({ columns: 80 })
    begin('1', 'Pay')
    begin('2', 'Login', 'emulator-5554', 2)
    command('1', 0, 'Run login.yaml')
    command('1', 1, 'Tap on "Pay"')
    clock.advance(3_200)
    expect(shown.lines()).toEqual([
      'Test run run-1: 3 flows on 2 phones.',
      'emulator-5554     3 s  Login (attempt 2)',
      'R58M              3 s  Pay  4: Tap on "Pay"',
      '\u001b[2m0 of 3 flows, 3 s\u001b[0m',
    ])
    tell({ type: 'command.ended', flowRunId: '1', index: 1, verdict: 'passed' })
    tell({ type: 'attempt.ended', flowRunId: '2', verdict: 'passed', isRetried: false })
    expect(shown.lines()).toEqual([
      'Test run run-1: 3 flows on 2 phones.',
      '\u001b[32m✓\u001b[0m Login passed on emulator-5554 in attempt 2 after 3.2 s',
      'emulator-5554  idle',
      'R58M              3 s  Pay  3: Run login.yaml',
      '\u001b[2m1 of 3 flows: 1 passed (1 flaky), 3 s\u001b[0m',
    ])
  })

  test('the lines that change are gone at the end, and no timer is left', () => {
    const { begin, tell, shown, clock, teller } = scene({ columns: 80 })
    begin('1', 'Pay')
    tell({ type: 'run.ended', verdict: 'cancelled' })
    expect(shown.lines()).toEqual(['Test run run-1: 3 flows on 2 phones.', ''])
    begin('2', 'Login')
    teller.end()
    clock.advance(10_000)
    expect(shown.lines()).toHaveLength(2)
    expect(clock.pending()).toBe(0)
  })

  test('no line is wider than the terminal, nor are there more than it has rows', () => {
    const phones = Array.from({ length: 30 }, (_, index) => `phone-${index}-with-a-name-that-is-long`)
    const { begin, command, shown, clock } = scene({ columns: 40, rows: 10, phones })
    begin('1', '设置网络和互联网 设置网络和互联网', phones[29])
    command('1', 0, HOSTILE)
    clock.advance(2_000)
    const live = shown.lines().slice(1)
    expect(live.length).toBeLessThan(10)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of our own
    expect(Math.max(...live.map(line => displayWidth(line.replace(/\u001b\[\d+m/g, ''))))).toBeLessThan(40)
    expect(live[0]).toContain('设置')
    expect(live.at(-2)).toBe('and 23 more phones')
  })

  test('a terminal that became narrower is erased by the rows that the lines take then', () => {
    const { begin, command, shown, size, clock } = scene({ columns: 80, phones: ['R58M'] })
    begin('1', 'Pay')
    command('1', 0, 'x'.repeat(60))
    clock.advance(1_000)
    size.columns = 40
    clock.advance(1_000)
    expect(shown.raw()).toContain('\r\u001b[2A\u001b[J')
  })

  test('a thousand events do not write a thousand times', () => {
    const { begin, command, shown, clock } = scene({ columns: 80 })
    begin('1', 'Pay')
    for (let index = 0; index < 1_000; index++) {
      clock.advance(1)
      command('1', index, `Tap ${index}`)
    }
    clock.advance(100)
    expect(shown.raw().split('\u001b[J').length).toBeLessThan(20)
    expect(shown.lines().join('\n')).toContain('Tap 999')
  })

  test('a line of others stands above', () => {
    const { begin, teller, shown } = scene({ columns: 80 })
    begin('1', 'Pay')
    teller.say('A warning.')
    expect(shown.lines()[1]).toBe('A warning.')
  })
})
