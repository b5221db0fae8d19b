import { describe, expect, test } from 'vitest'
import type { StepProgress } from '../../src/contracts/records/actor.ts'
import { PROGRESS_RECORD_MS, tellsProgress } from '../../src/device/progress.ts'
import { toTransition } from '../../src/runtime/transitions.ts'
import { transitionText } from '../../src/surfaces/mcp/progress.ts'
import { manualClock } from '../support/manual-clock.ts'
import { settled } from '../support/settled.ts'

const idleRecord = {
  seq: 1,
  actor: 'device:d1',
  n: 1,
  machine: 'device',
  version: 1,
  from: 'a',
  to: 'a',
  at: 5,
  tags: [],
  digest: null,
}

const at = (done: number): StepProgress => ({ what: 'sending a.bin', done, total: 100 })

describe('the progress of a step', () => {
  test('a short step has none, and a long one no more than one for each second', async () => {
    const clock = manualClock()
    const recorded: number[] = []
    const tell = tellsProgress(clock, async ({ done }) => void recorded.push(done))
    for (let done = 0; done < 50; done++) {
      tell(at(done))
      await settled()
      clock.advance(PROGRESS_RECORD_MS / 10)
    }
    expect(recorded).toEqual([10, 20, 30, 40])
  })

  test('none is recorded while the one before it waits, and a record that fails stops nothing', async () => {
    const clock = manualClock()
    const recorded: number[] = []
    let fail = (_: Error) => {}
    const tell = tellsProgress(clock, ({ done }) => {
      recorded.push(done)
      return new Promise((_, reject) => {
        fail = reject
      })
    })
    clock.advance(PROGRESS_RECORD_MS)
    tell(at(1))
    clock.advance(10 * PROGRESS_RECORD_MS)
    tell(at(2))
    expect(recorded).toEqual([1])
    fail(new Error('the disk is full'))
    await settled()
    tell(at(3))
    expect(recorded).toEqual([1, 3])
  })
})

describe('a record of progress', () => {
  const record = (event: { type: string }) => ({ ...idleRecord, event })

  test('is a transition with how far the step is, and a line for those who watch', () => {
    const progressed = record({ type: 'execution.progressed', ...at(7) })
    expect(toTransition(progressed)).toMatchObject({ event: 'execution.progressed', progress: at(7) })
    expect(transitionText(progressed)).toBe('sending a.bin: 7 of 100')
    expect(toTransition(record({ type: 'execution.dispatched' }))).not.toHaveProperty('progress')
  })
})
