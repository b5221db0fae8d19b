/** The promptness law: whichever call to the journal fails or is held up, each caller is answered within the bound, truthfully. */
import { describe, expect, test } from 'vitest'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { deeds, phone, pressHome, svcProcess } from '../../support/executions/executor-bench.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'

const TIMEOUT_MS = 1_000
const BOUND_MS = TIMEOUT_MS + 5_000
/** Beyond the bound: for the machine's own end, where the journal keeps it from saying so. */
const SLACK_MS = 500

const LATER = ['append', 'begin', 'synced', 'saveCheckpoint'] as const
const NOW = ['records', 'last', 'checkpoint', 'receipt', 'actors', 'head'] as const

type Breaks = (journal: Journal) => void
const full = () => new JournalError('full', 'the disk is full')
const held = () => new Promise<never>(() => {})

const replaced = (journal: Journal, name: keyof Journal, call: () => unknown) =>
  Object.assign(journal, { [name]: call })

const WAYS: [string, Breaks][] = [
  ...LATER.map((name): [string, Breaks] => [
    `${name} fails`,
    journal => replaced(journal, name, () => Promise.reject(full())),
  ]),
  ...LATER.map((name): [string, Breaks] => [`${name} is held`, journal => replaced(journal, name, held)]),
  ...NOW.map((name): [string, Breaks] => [
    `${name} fails`,
    journal =>
      replaced(journal, name, () => {
        throw full()
      }),
  ]),
  ['giving the lease back fails', journal => Object.assign(journal.leases, { release: () => Promise.reject(full()) })],
  ['giving the lease back is held', journal => Object.assign(journal.leases, { release: held })],
  [
    'everything fails',
    journal =>
      [...LATER, ...NOW].forEach(
        name =>
          void replaced(journal, name, () => {
            throw full()
          }),
      ),
  ],
]

/** Moves on until the answer is there, and says after how long; undefined when it took longer than it may. */
const answered = async <T>(running: Promise<T>, clock: ReturnType<typeof manualClock>) => {
  let outcome: { value: T } | { error: unknown } | undefined
  running.then(
    value => {
      outcome = { value }
    },
    error => {
      outcome = { error }
    },
  )
  for (let ms = 0; ms <= BOUND_MS + SLACK_MS; ms += 100) {
    await settled()
    if (outcome) return outcome
    clock.advance(100)
  }
  return undefined
}

describe.each(WAYS)('when %s', (_, breaks) => {
  test.each([
    ['from the beginning', 0],
    ['while the phone is at work', 1],
  ])('%s, the caller is answered, and nothing follows', async (_when, after) => {
    const clock = manualClock()
    const journal = memoryJournal({ alive: () => true, clock })
    const link = phone(clock, command => {
      if (after > 0 && command.includes('HOME')) breaks(journal)
      return undefined
    })
    const { execute } = svcProcess({ journal, clock, link })
    if (after === 0) breaks(journal)
    const outcome = await answered(execute(pressHome(TIMEOUT_MS)), clock)
    expect(outcome).toBeDefined()
    const result = outcome && 'value' in outcome ? outcome.value.result : undefined
    const sent = deeds(link).length
    if (result?.ok === false && result.error.details?.dispatched === false) expect(sent).toBe(0)
    if (result?.ok) expect(sent).toBe(1)
    for (let turn = 0; turn < 100; turn++) {
      await settled()
      clock.advance(100)
    }
    expect(deeds(link)).toHaveLength(sent)
  })
})
