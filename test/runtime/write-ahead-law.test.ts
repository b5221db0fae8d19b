/** The write-ahead law: an event that could not be recorded had no effect. */
import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../machines/catalogue.ts'
import type { DeviceEmitted, OperatorInput } from '../../machines/device/device-setup.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { foldActor } from '../../src/runtime/fold.ts'
import { JournalError } from '../../src/runtime/journal/fault.ts'
import type { AppendOptions, Journal, NewRecord } from '../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import type { Port } from '../../src/runtime/port.ts'
import {
  answerFor,
  deviceHost,
  heldOperator,
  promptOperator,
  request,
  target,
} from '../support/executions/device-host.ts'
import { manualClock } from '../support/manual-clock.ts'
import { settled } from '../support/settled.ts'

/** A journal that refuses the appends that a test names. */
const failing = (refuse: (record: NewRecord, options?: AppendOptions) => boolean) => {
  const clock = manualClock()
  const inner = memoryJournal({ alive: () => true, clock })
  const journal: Journal = {
    ...inner,
    append: async (record, options) => {
      if (refuse(record, options)) throw new JournalError('full', 'the disk is full')
      return await inner.append(record, options)
    },
    begin: async (lease, record, options) => {
      if (refuse(record, options)) throw new JournalError('full', 'the disk is full')
      return await inner.begin(lease, record, options)
    },
  }
  return { clock, journal, inner }
}

/** A host whose operator commits its dispatch, and what came of that. */
const committing = async (journal: Journal, clock: Clock) => {
  const commits: unknown[] = []
  let said = (_: unknown) => {}
  const first = new Promise<unknown>(resolve => {
    said = resolve
  })
  const operator: Port<OperatorInput> = ({ executionId }, { commit }) => {
    const settle = (outcome: unknown) => {
      commits.push(outcome)
      said(outcome)
    }
    commit({ type: 'execution.dispatched', executionId, segment: 0 }).then(settle, settle)
  }
  const host = deviceHost({ journal, clock, operator })
  await host.tell(target(), request('e1', clock))
  await settled()
  return { ...host, commits, first }
}

/** An operator that knows what it will commit first, and says what came of it. */
const foreseeing = (says: Record<string, unknown> = {}) => {
  const runs: unknown[] = []
  const run: Port<OperatorInput> = async ({ executionId }, { commit, isRecorded, send }) => {
    const dispatched = { type: 'execution.dispatched', executionId, segment: 0 }
    runs.push(isRecorded(dispatched), await commit(dispatched))
    await send({ type: 'execution.settled', executionId, ok: true, body: { ok: true } })
  }
  const operator: Port<OperatorInput> = Object.assign(run, {
    ahead: ({ executionId }: { executionId?: unknown }) => ({
      type: 'execution.dispatched',
      executionId,
      segment: 0,
      ...says,
    }),
  })
  return { runs, operator }
}

describe('an event that its port foresees', () => {
  const run = async (operator: Port<OperatorInput>, refuse = (_: NewRecord) => false) => {
    const writes: string[][] = []
    const { clock, journal, inner } = failing((record, { earlier = [] } = {}) => {
      writes.push([...earlier, record].map(({ event }) => event.type))
      return refuse(record)
    })
    const host = deviceHost({ journal, clock, operator })
    const answer = await host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 60_000,
    })
    return { writes, answer, inner, host }
  }

  test('is recorded in one write with the request, once, and a replay comes to the same', async () => {
    const { runs, operator } = foreseeing()
    const { writes, answer, inner, host } = await run(operator)
    expect(answer).toMatchObject({ kind: 'answered', emitted: { type: 'execution.answered', dispatched: true } })
    expect(runs).toEqual([true, true])
    expect(writes).toEqual([['actor.created', 'execution.requested', 'execution.dispatched'], ['execution.settled']])
    expect(inner.receipt('e1')).toMatchObject({ state: 'settled', dispatchedAt: expect.any(Number) })
    const live = host.snapshot('device:d1')
    const folded = foldActor(CATALOGUE.device, inner, 'device:d1').snapshot
    expect([folded?.value, folded?.context]).toEqual([live?.value, live?.context])
  })

  test('is not there without the request, nor the request without it', async () => {
    const { runs, operator } = foreseeing()
    const { answer, inner } = await run(operator, () => true)
    expect(answer).toMatchObject({ kind: 'unrecorded', error: { reason: 'full' } })
    expect([runs, inner.head(), inner.receipt('e1'), inner.leases.list()]).toEqual([[], 0, undefined, []])
  })

  test('is recorded as ever where the machine would not take it, or the port was wrong', async () => {
    const refused = foreseeing({ executionId: 'another' })
    const first = await run(refused.operator)
    expect(refused.runs).toEqual([false, true])
    expect(first.writes).toEqual([
      ['actor.created', 'execution.requested'],
      ['execution.dispatched'],
      ['execution.settled'],
    ])
    const more = foreseeing({ part: true })
    expect((await run(more.operator)).writes.flat().filter(type => type === 'execution.dispatched')).toHaveLength(2)
    expect(more.runs).toEqual([false, true])
    const thrown = foreseeing()
    const broken = Object.assign(thrown.operator, {
      ahead: () => {
        throw new Error('nobody knows')
      },
    })
    expect((await run(broken)).writes).toHaveLength(3)
  })

  test('goes with the key of the request: the second execution under it is refused whole', async () => {
    const { clock, journal, inner } = failing(() => false)
    const host = deviceHost({ journal, clock, operator: foreseeing().operator })
    const asked = (executionId: string) =>
      host.ask<DeviceEmitted>(target(), request(executionId, clock, { idempotency: { key: 'k1', payload: 'p1' } }), {
        matches: answerFor(executionId),
        until: clock.now() + 60_000,
      })
    expect((await asked('e1')).kind).toBe('answered')
    const before = inner.head()
    expect(await asked('e2')).toMatchObject({ kind: 'unrecorded', error: { reason: 'key-used' } })
    expect([inner.head(), inner.receipt('e2')]).toEqual([before, undefined])
  })
})

describe('a journal that fails', () => {
  test('at the request: nothing happens, nobody holds the device, the caller is told why', async () => {
    const { clock, journal, inner } = failing(record => record.event.type === 'execution.requested')
    const { held, operator } = heldOperator()
    const host = deviceHost({ journal, clock, operator })
    const answer = await host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 60_000,
    })
    expect(answer).toMatchObject({ kind: 'unrecorded', error: { code: 'JOURNAL_UNAVAILABLE', reason: 'full' } })
    expect(held).toEqual([])
    expect(host.inFlight()).toEqual([])
    expect(inner.leases.list()).toEqual([])
    expect(inner.receipt('e1')).toBeUndefined()
  })

  test('at the dispatch: the port learns that it must not send, the caller that nothing was sent', async () => {
    const { clock, journal, inner } = failing(record => record.event.type === 'execution.dispatched')
    const sent: string[] = []
    const host = deviceHost({
      journal,
      clock,
      operator: async ({ executionId }, { send }) => {
        if (await send({ type: 'execution.dispatched', executionId, segment: 0 })) sent.push(executionId)
      },
    })
    const answer = await host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 60_000,
    })
    expect(sent).toEqual([])
    expect(answer).toMatchObject({ kind: 'broken', error: { reason: 'full' } })
    expect(inner.receipt('e1')).toMatchObject({ state: 'accepted' })
    expect(inner.leases.list()).toEqual([])
  })

  test('at the settling: the caller is told, and the next opening settles the doubt', async () => {
    let full = true
    const { clock, journal, inner } = failing(record => full && record.event.type === 'execution.settled')
    const host = deviceHost({ journal, clock, operator: promptOperator })
    const answer = await host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 60_000,
    })
    expect(answer).toMatchObject({ kind: 'broken', error: { reason: 'full' } })
    full = false
    expect(await host.recover()).toEqual(['device:d1'])
    expect(inner.receipt('e1')).toMatchObject({
      state: 'interrupted',
      result: { error: { details: { dispatched: true } } },
    })
    const next = await host.ask<DeviceEmitted>(target(), request('e2', clock), {
      matches: answerFor('e2'),
      until: clock.now() + 60_000,
    })
    expect(next.kind).toBe('answered')
  })

  test('what a port commits is recorded at once, and known to be so when the disk has it', async () => {
    const { clock, journal, inner } = failing(() => false)
    const disk: (() => void)[] = []
    const host = await committing({ ...journal, synced: () => new Promise(resolve => void disk.push(resolve)) }, clock)
    expect(inner.receipt('e1')).toMatchObject({ state: 'dispatched' })
    expect(host.commits).toEqual([])
    expect(disk).toHaveLength(1)
    disk[0]?.()
    await expect.poll(() => host.commits).toEqual([true])
  })

  test('a port whose event the disk would not take is told so, and the actor goes on', async () => {
    const { clock, journal, inner } = failing(() => false)
    const lost = new JournalError('failed', 'the disk is gone')
    const host = await committing({ ...journal, synced: () => Promise.reject(lost) }, clock)
    await expect.poll(() => host.commits).toEqual([lost])
    expect(inner.receipt('e1')).toMatchObject({ state: 'dispatched' })
    expect(host.inFlight()).toEqual(['device:d1'])
  })

  test('what was not recorded is not waited for', async () => {
    const { clock, journal } = failing(record => record.event.type === 'execution.dispatched')
    let waits = 0
    const synced = async () => {
      waits += 1
    }
    expect(await (await committing({ ...journal, synced }, clock)).first).toBe(false)
    expect(waits).toBe(0)
  })

  test('appends of an owned actor carry its grant', async () => {
    const fences: Array<number | undefined> = []
    const { clock, journal } = failing((record, options) => {
      if (record.event.type !== 'actor.created') fences.push(options?.lease?.fence)
      return false
    })
    const host = deviceHost({ journal, clock, operator: promptOperator })
    await host.tell(target(), request('e1', clock))
    await settled()
    await host.tell(target(), request('e2', clock))
    await settled()
    // The first record of each takes the grant that the others carry.
    expect(fences).toEqual([undefined, 1, 1, undefined, 2, 2])
  })
})
