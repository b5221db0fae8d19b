/** Those who wait for one execution share one look at its receipt: what others do costs no waiter a read of the journal. */
import { expect, test } from 'vitest'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { shellOk } from '../../support/device/fake-link.ts'
import { phone, pressHome, svcProcess } from '../../support/executions/executor-bench.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'

const WAITERS = 600
const OTHERS = 20
const ask = { ...pressHome(60_000), screenshots: { relativeTo: '/nowhere', newFilesIn: '/nowhere' } }

const setup = (isOwn: boolean) => {
  const clock = manualClock()
  const journal = memoryJournal({ alive: () => true, clock })
  let finish = () => {}
  const finished = new Promise<void>(resolve => {
    finish = resolve
  })
  let taps = 0
  const link = phone(clock, command => {
    if (!command.includes('HOME')) return undefined
    taps += 1
    return finished.then(() => shellOk())
  })
  let reads = 0
  const counted = { ...journal }
  for (const name of ['receipt', 'receiptByKey', 'last', 'actors'] as const) {
    const read = journal[name] as (...given: unknown[]) => unknown
    Object.assign(counted, {
      [name]: (...given: unknown[]) => {
        reads += 1
        return read(...given)
      },
    })
  }
  const here = svcProcess({ journal: counted, clock, link })
  const owner = isOwn ? here : svcProcess({ journal, clock, link, pid: 2 })
  /** Records that concern none of those who wait. */
  const others = async () => {
    for (let n = 0; n < OTHERS; n++) {
      const event = { type: 'screen.seen', at: clock.now(), executionId: `other-${n}` }
      const place = { actor: `other:${n}`, n: 0, machine: 'screen', version: 1, at: clock.now() }
      await journal.append({ ...place, event, from: '', to: 'seen', tags: [] })
      await settled()
    }
  }
  const readsOf = async (work: () => Promise<void>) => {
    const before = reads
    await work()
    return reads - before
  }
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      clock.advance(1_000)
      await settled()
    }
  }
  return { clock, here, owner, finish: () => finish(), taps: () => taps, others, readsOf, pass }
}

test.each([
  ['this process', true],
  ['another process', false],
])('%s runs it: they read no more than one who waits, and all get its answer', async (_, isOwn) => {
  const { clock, here, owner, finish, taps, others, readsOf, pass } = setup(isOwn)
  const first = owner.executions.executeOnce('key', ask)
  await settled()
  const waiting = Array.from({ length: WAITERS }, () => here.executions.executeOnce('key', ask))
  await settled()
  expect(await readsOf(others)).toBe(0)
  // The owner is looked for once a second, by one for all; it looks for requests to cancel five times a second.
  expect(await readsOf(() => pass(5_000))).toBeLessThanOrEqual(5 * 10)
  const ended = await readsOf(async () => {
    finish()
    await settled()
    await pass(1_000)
  })
  expect(ended).toBeLessThanOrEqual(20)
  const { executionId } = (await first) as { executionId?: string }
  for (const answer of await Promise.all(waiting)) {
    expect(answer).toMatchObject({ kind: 'replayed', executionId, result: { ok: true } })
  }
  expect(taps()).toBe(1)
  expect(clock.pending()).toBeLessThan(10)
})
