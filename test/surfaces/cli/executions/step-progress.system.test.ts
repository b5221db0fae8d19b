import { describe, expect, test } from 'vitest'
import type { StoredEvent } from '../../../../src/contracts/records/journal.ts'
import { memoryJournal } from '../../../../src/runtime/journal/memory.ts'
import type { CommandContext } from '../../../../src/surfaces/cli/command.ts'
import { progressLine, withStepProgress } from '../../../../src/surfaces/cli/executions/step-progress.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'

const scene = (columns?: number) => {
  const clock = manualClock()
  const journal = memoryJournal({ alive: () => true, clock })
  const said: string[] = []
  const io = {
    errorColumns: () => columns,
    note: (text: string) => said.push(text),
    show: (text: string) => said.push(text),
  }
  const call = { io, clock, log: { debug: () => {} }, services: async () => ({ journalToRead: () => journal }) }
  let n = 0
  const record = async (event: StoredEvent, from = 'running', to = from) => {
    await journal.append({
      actor: 'device:d1',
      machine: 'device',
      version: 1,
      n: n++,
      at: clock.now(),
      from,
      to,
      tags: [],
      event,
    })
    await settled()
  }
  return { call: call as unknown as CommandContext, said, record, clock }
}

const begun = (executionId: string, commandId: string): StoredEvent => ({
  type: 'execution.requested',
  executionId,
  commandId,
})
const progressed = (done: number, executionId = 'e1', total = 100): StoredEvent => ({
  type: 'execution.progressed',
  executionId,
  what: 'sending a.bin',
  done,
  total,
})

describe('the progress of a command', () => {
  test('is one line that is written again on a terminal, and taken away at the end', async () => {
    const { call, said, record } = scene(20)
    await withStepProgress({ commandId: 'c1' }, call, async () => {
      await record(begun('e1', 'c1'), 'idle', 'running')
      await record(progressed(1))
      await record(progressed(2))
    })
    expect(said).toEqual(['\r\u001b[Ksending a.bin: 1 %', '\r\u001b[Ksending a.bin: 2 %', '\r\u001b[K'])
  })

  test('is a line for every tenth percent elsewhere, and of no other execution', async () => {
    const { call, said, record } = scene()
    await withStepProgress({ commandId: 'c1' }, call, async () => {
      await record(begun('e1', 'c1'), 'idle', 'running')
      await record(progressed(50, 'e2'))
      for (const done of [3, 9, 12, 19, 25, 90]) await record(progressed(done))
    })
    expect(said).toEqual(['sending a.bin: 12 %', 'sending a.bin: 25 %', 'sending a.bin: 90 %'])
  })

  test('of an unknown amount is a line now and then', async () => {
    const { call, said, record, clock } = scene()
    await withStepProgress({ commandId: 'c1' }, call, async () => {
      await record(begun('e1', 'c1'), 'idle', 'running')
      for (const done of [1, 2, 3]) {
        clock.advance(6_000)
        await record(progressed(done, 'e1', 0))
      }
    })
    expect(said).toEqual(['sending a.bin: 2'])
  })

  test('is not shown where the journal cannot be read, and the command runs', async () => {
    const { call, said } = scene()
    const broken = { ...call, services: () => Promise.reject(new Error('no disk')) }
    expect(await withStepProgress({ commandId: 'c1' }, broken, async () => 'done')).toBe('done')
    expect(said).toEqual([])
  })

  test('is told without what a terminal would obey', () => {
    expect(progressLine({ what: 'sending a\u001b[2Jb\n', done: 1, total: 3 })).toBe('sending a?[2Jb?: 33 %')
  })
})
