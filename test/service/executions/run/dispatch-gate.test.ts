/** The gate before the first byte: the record of a dispatch takes time, in which the phone may change its owner. */
import { expect, test } from 'vitest'
import { memoryJournal } from '../../../../src/runtime/journal/memory.ts'
import { NO_FENCE } from '../../../../src/service/executions/fence.ts'
import { deeds, phone, pressHome, svcProcess } from '../../../support/executions/executor-bench.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'

const GONE = { code: 'FLEET_HOST_GONE', message: 'The phone belongs to lab2 now.' } as const

test('a fence that closes while the dispatch is recorded holds the bytes back', async () => {
  const clock = manualClock(Date.now())
  const journal = memoryJournal({ alive: () => true, clock })
  const link = phone(clock)
  let isClosed = false
  const append = journal.append.bind(journal)
  journal.append = async (record, options) => {
    const appended = await append(record, options)
    if (record.event.type === 'execution.dispatched') isClosed = true
    return appended
  }
  const fence = { ...NO_FENCE, refusal: () => (isClosed ? GONE : undefined) }
  const { execute } = svcProcess({ journal, clock, link, parts: { fence } })
  const running = execute({ ...pressHome(), deviceId: 'd1', operatorPackage: 'svc.shell' })
  for (let round = 0; round < 20; round++) {
    await settled()
    clock.advance(100)
  }
  expect(await running).toMatchObject({
    result: { ok: false, error: { code: GONE.code, details: { dispatched: false } } },
  })
  expect(isClosed).toBe(true)
  expect(deeds(link)).toEqual([])
})
