import { describe, expect, test, vi } from 'vitest'
import type { DeviceEmitted } from '../../machines/device/device-setup.ts'
import { ACTOR_REST_MS, CHECKPOINT_RECORDS } from '../../src/contracts/limits/limits.ts'
import { JournalError } from '../../src/runtime/journal/fault.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
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

const setup = (operator = promptOperator) => {
  const clock = manualClock()
  const journal = memoryJournal({ alive: () => true, clock })
  const troubles: string[] = []
  const host = deviceHost({ journal, clock, operator, troubles: { tell: what => void troubles.push(what) } })
  return { clock, journal, host, troubles }
}
const types = (journal: ReturnType<typeof setup>['journal'], actor = 'device:d1') =>
  journal.records({ actor }).map(record => record.event.type)

describe('asking', () => {
  test('an execution is answered, recorded, and leaves no lease', async () => {
    const { clock, journal, host } = setup()
    const answer = await host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 60_000,
    })
    expect(answer).toMatchObject({ kind: 'answered', emitted: { result: { ok: true, executionId: 'e1' } } })
    expect(types(journal)).toEqual([
      'actor.created',
      'execution.requested',
      'execution.dispatched',
      'execution.settled',
    ])
    expect(journal.records({ actor: 'device:d1' }).map(({ from, to }) => `${from}>${to}`)).toEqual([
      '>idle',
      'idle>running.accepted',
      'running.accepted>running.dispatched',
      'running.dispatched>idle',
    ])
    expect(journal.leases.read('device:d1')).toBeUndefined()
    expect(journal.receipt('e1')).toMatchObject({ state: 'settled', result: { ok: true, executionId: 'e1' } })
    expect(clock.pending()).toBe(2)
  })

  test('a second execution meanwhile is refused by the machine, with the holder', async () => {
    const { held, operator } = heldOperator()
    const { clock, journal, host } = setup(operator)
    const until = clock.now() + 60_000
    const first = host.ask<DeviceEmitted>(target(), request('e1', clock), { matches: answerFor('e1'), until })
    const second = await host.ask<DeviceEmitted>(target(), request('e2', clock), { matches: answerFor('e2'), until })
    expect(second).toMatchObject({
      kind: 'answered',
      emitted: { type: 'execution.refused', holder: { executionId: 'e1' } },
    })
    expect(journal.receipt('e2')).toBeUndefined()
    expect(journal.leases.read('device:d1')).toMatchObject({ holder: { instance: 'i1' }, note: { actor: 'device:d1' } })
    await held[0]?.send({ type: 'execution.dispatched', executionId: 'e1', segment: 0 })
    await held[0]?.send({ type: 'execution.settled', executionId: 'e1', ok: true, body: 'done' })
    expect(await first).toMatchObject({ kind: 'answered', emitted: { result: 'done' } })
  })

  test('the wait has an end of its own, and the actor goes on', async () => {
    const { operator } = heldOperator()
    const { clock, host } = setup(operator)
    const answer = host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 500,
    })
    await settled()
    clock.advance(501)
    expect(await answer).toEqual({ kind: 'expired' })
    expect(host.inFlight()).toEqual(['device:d1'])
  })

  test('a caller that leaves cancels nothing', async () => {
    const { held, operator } = heldOperator()
    const { clock, journal, host } = setup(operator)
    const gone = new AbortController()
    const answer = host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 60_000,
      leave: gone.signal,
    })
    await settled()
    gone.abort()
    expect(await answer).toEqual({ kind: 'left' })
    await held[0]?.send({ type: 'execution.dispatched', executionId: 'e1', segment: 0 })
    await held[0]?.send({ type: 'execution.settled', executionId: 'e1', ok: true, body: 1 })
    expect(journal.receipt('e1')?.state).toBe('settled')
  })

  test('an event the machine cannot take is refused before the journal', async () => {
    const { journal, host } = setup()
    const told = await host.tell(target(), { type: 'no.such-event' })
    expect(told).toMatchObject({ kind: 'unrecorded', error: { reason: 'unhandled' } })
    expect(types(journal)).toEqual([])
    expect(journal.leases.read('device:d1')).toBeUndefined()
  })

  test('an actor that is over takes nothing more', async () => {
    const { host, journal } = setup()
    const provisioning = { id: 'provision:p1', machine: 'provision', input: { requestId: 'p1' } }
    const requested = {
      type: 'provision.requested',
      requestId: 'p1',
      derivedName: 'n',
      abi: null,
      spec: { image: 'i', deviceProfile: 'p', storageGb: 12 },
      options: { wipe: false, window: true },
      limits: { installMs: 1, createMs: 1, registerMs: 1, bootMs: 1, prepareMs: 1, goneMs: 1 },
    }
    const found = {
      type: 'emulators.looked-up',
      running: { avdName: 'n', serial: 's', booted: true },
      startable: null,
      derivedNameTaken: false,
      details: null,
    }
    for (const event of [requested, found]) expect(await host.tell(provisioning, event)).toEqual({ kind: 'told' })
    expect(journal.checkpoint('provision:p1')).toMatchObject({
      n: 3,
      snapshot: { value: 'provisioned', status: 'done' },
    })
    const head = journal.head()
    expect(await host.tell(provisioning, requested)).toMatchObject({
      kind: 'unrecorded',
      error: { reason: 'unhandled' },
    })
    expect(journal.head()).toBe(head)
  })

  test('a port that nobody provided breaks the actor loudly, and the next opening settles it', async () => {
    const { host, clock, journal } = setup()
    const run = { id: 'skill-run:r1', machine: 'skill-run', input: { runId: 'r1' } }
    const answer = await host.ask(
      run,
      {
        type: 'run.requested',
        runId: 'r1',
        skillId: 's',
        deviceId: null,
        operatorPackage: 'p',
        argv: [],
        timeoutMs: null,
      },
      { matches: () => true, until: clock.now() + 1_000 },
    )
    expect(answer).toMatchObject({ kind: 'broken', error: { message: 'port gate is not provided' } })
    expect(journal.leases.list()).toEqual([])
    expect(await host.recover()).toEqual(['skill-run:r1'])
    expect(journal.last('skill-run:r1')).toMatchObject({ to: 'failed', tags: [] })
  })

  test('every emitted event is heard once, and a listener that throws is reported and hears the next', async () => {
    const { clock, host, troubles } = setup()
    const heard = vi.fn()
    const broken = vi.fn(() => {
      throw new Error('a listener broke')
    })
    host.onEmitted(broken)
    host.onEmitted((id, emitted) => heard(id, emitted.type))
    const answer = await host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 1,
    })
    expect(answer.kind).toBe('answered')
    expect(heard.mock.calls).toEqual([
      ['device:d1', 'execution.accepted'],
      ['device:d1', 'execution.answered'],
    ])
    expect(broken).toHaveBeenCalledTimes(2)
    expect(troubles).toEqual([expect.stringContaining('execution.accepted'), expect.stringContaining('answered')])
  })
})

describe('deadlines are ports', () => {
  test('an execution that is never dispatched is given up at its time', async () => {
    const { operator } = heldOperator()
    const { clock, host } = setup(operator)
    const answer = host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 60_000,
    })
    await settled()
    clock.advance(10_000)
    expect(await answer).toMatchObject({
      emitted: { result: { error: { code: 'DEVICE_LINK_LOST' } }, dispatched: false },
    })
  })

  test('the port of an execution that is over has no say any more', async () => {
    const { held, operator } = heldOperator()
    const { clock, journal, host } = setup(operator)
    await host.tell(target(), request('e1', clock))
    clock.advance(10_000)
    await settled()
    expect(held[0]?.signal.aborted).toBe(true)
    expect(await held[0]?.send({ type: 'execution.dispatched', executionId: 'e1', segment: 0 })).toBe(false)
    expect(types(journal)).not.toContain('execution.dispatched')
  })

  test('a port that throws ends in an answer', async () => {
    const { clock, host } = setup(() => Promise.reject(new Error('driver bug')))
    const answer = await host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 60_000,
    })
    expect(answer).toMatchObject({ emitted: { by: 'port.failed', result: { error: { code: 'INTERNAL_ERROR' } } } })
  })
})

describe('two hosts on one journal', () => {
  const two = (operator = promptOperator) => {
    const clock = manualClock()
    const alive = new Set([1, 2])
    const journal = memoryJournal({ alive: holder => alive.has(holder.pid), clock })
    const one = deviceHost({ journal, clock, operator, instance: 'i1', pid: 1 })
    const other = deviceHost({ journal, clock, operator: promptOperator, instance: 'i2', pid: 2 })
    return { clock, alive, journal, one, other }
  }

  test('a device that another host drives is held, by lease, and nothing is recorded', async () => {
    const { operator } = heldOperator()
    const { clock, journal, one, other } = two(operator)
    await one.tell(target('d1', 'serial-1'), request('e1', clock))
    const before = journal.head()
    expect(await other.tell(target('d1-wifi', 'serial-1'), request('e2', clock))).toMatchObject({
      kind: 'held',
      lease: { key: 'serial-1', holder: { pid: 1 }, note: { actor: 'device:d1' } },
    })
    expect(journal.head()).toBe(before)
  })

  test('they take turns on one device, each going on from what the other wrote', async () => {
    const { clock, journal, one, other } = two()
    const hosts = [one, other, other, one, other]
    for (const [index, host] of hosts.entries()) {
      const answer = await host.ask<DeviceEmitted>(target(), request(`e${index}`, clock), {
        matches: answerFor(`e${index}`),
        until: clock.now() + 1,
      })
      expect(answer).toMatchObject({ kind: 'answered', emitted: { type: 'execution.answered' } })
    }
    expect(journal.records({ actor: 'device:d1' }).map(record => record.n)).toEqual([...Array(16).keys()])
  })

  test('what a dead host left in flight is settled at once by the next, and not repeated', async () => {
    const { held, operator } = heldOperator()
    const { clock, alive, journal, one, other } = two(operator)
    await one.tell(target('d1', 'serial-1'), request('e1', clock))
    await held[0]?.send({ type: 'execution.dispatched', executionId: 'e1', segment: 0 })
    expect(await other.recover()).toEqual([])
    alive.delete(1)
    expect(await other.recover()).toEqual(['device:d1'])
    expect(journal.receipt('e1')).toMatchObject({
      state: 'interrupted',
      result: { error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } },
    })
    expect(held).toHaveLength(1)
    expect(journal.leases.list()).toEqual([])
    expect(await other.recover()).toEqual([])
  })

  test('one that settles itself just as another host comes to settle it is left to what it wrote', async () => {
    const { held, operator } = heldOperator()
    const { clock, journal, one, other } = two(operator)
    await one.tell(target(), request('e1', clock))
    const { begin } = journal
    // The owner ends its work between the look of the other host and its write.
    journal.begin = async (...asked) => {
      journal.begin = begin
      await held[0]?.send({ type: 'execution.dispatched', executionId: 'e1', segment: 0 })
      await held[0]?.send({ type: 'execution.settled', executionId: 'e1', ok: true, body: 'done' })
      return begin(...asked)
    }
    const [recovered, told] = await Promise.all([other.recover(), other.tell(target(), request('e2', clock))])
    expect([recovered, told]).toEqual([[], { kind: 'told' }])
    await settled()
    expect(journal.receipt('e1')).toMatchObject({ state: 'settled', result: 'done' })
    expect(journal.receipt('e2')?.state).toBe('settled')
  })

  test('a host that was thought dead cannot write over its successor', async () => {
    const { held, operator } = heldOperator()
    const { clock, alive, journal, one, other } = two(operator)
    await one.tell(target(), request('e1', clock))
    alive.delete(1)
    await other.recover()
    expect(await held[0]?.send({ type: 'execution.dispatched', executionId: 'e1', segment: 0 })).toBe(false)
    expect(types(journal).filter(type => type === 'execution.dispatched')).toEqual([])
  })
})

describe('memory', () => {
  test('an actor that rests is dropped, and opened again where it was', async () => {
    const { clock, journal, host } = setup()
    await host.tell(target(), request('e1', clock))
    await settled()
    expect(host.snapshot('device:d1')).toBeDefined()
    clock.advance(2 * ACTOR_REST_MS + 1)
    expect(host.snapshot('device:d1')).toBeUndefined()
    await host.tell(target(), request('e2', clock))
    await settled()
    expect(journal.receipt('e2')?.state).toBe('settled')
    expect(types(journal).filter(type => type === 'actor.created')).toHaveLength(1)
  })

  test('an actor in flight is not dropped, however long it takes', async () => {
    const { operator } = heldOperator()
    const { clock, host } = setup(operator)
    await host.tell(target(), request('e1', clock, { acceptUntil: clock.now() + 10 * ACTOR_REST_MS }))
    clock.advance(5 * ACTOR_REST_MS)
    expect(host.inFlight()).toEqual(['device:d1'])
  })

  test('a long history gets a checkpoint, and opens from it to the same state', async () => {
    const { clock, journal, host } = setup()
    for (let index = 0; index * 3 < CHECKPOINT_RECORDS + 10; index++) {
      await host.tell(target(), request(`e${index}`, clock))
      await settled()
    }
    const checkpoint = journal.checkpoint('device:d1')
    expect(checkpoint?.n).toBeGreaterThanOrEqual(CHECKPOINT_RECORDS)
    expect(checkpoint?.snapshot).toEqual({
      value: 'idle',
      context: { serial: 'd1', current: null, queue: [], doubts: [] },
      status: 'active',
    })
    const next = deviceHost({ journal, clock, operator: promptOperator, instance: 'i9' })
    await next.tell(target(), request('after', clock))
    await settled()
    expect(journal.receipt('after')?.state).toBe('settled')
  })
})

describe('stopping', () => {
  test('takes nothing new, records what is in flight as interrupted, frees leases, ends every wait', async () => {
    const { held, operator } = heldOperator()
    const { clock, journal, host } = setup(operator)
    const answer = host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 60_000,
    })
    await settled()
    await held[0]?.send({ type: 'execution.dispatched', executionId: 'e1', segment: 0 })
    const stopped = host.stop({ graceMs: 0 })
    expect(await stopped).toEqual({ interrupted: ['device:d1'] })
    expect(await answer).toMatchObject({ emitted: { by: 'execution.interrupted', dispatched: true } })
    expect(journal.receipt('e1')?.state).toBe('interrupted')
    expect(journal.leases.list()).toEqual([])
    expect(held[0]?.signal.aborted).toBe(true)
    expect(await host.tell(target(), request('e2', clock))).toMatchObject({
      kind: 'unrecorded',
      error: { reason: 'closed' },
    })
    expect(clock.pending()).toBe(0)
  })

  test('waits for what is being recorded, which then has its grace', async () => {
    const { held, operator } = heldOperator()
    const clock = manualClock()
    const inner = memoryJournal({ alive: () => true, clock })
    let write = () => {}
    const mayWrite = new Promise<void>(resolve => {
      write = resolve
    })
    const begin: Journal['begin'] = async (...given) => {
      await mayWrite
      return inner.begin(...given)
    }
    const host = deviceHost({ journal: { ...inner, begin }, clock, operator })
    const answer = host.ask<DeviceEmitted>(target(), request('e1', clock), {
      matches: answerFor('e1'),
      until: clock.now() + 60_000,
    })
    await settled()
    const stopped = host.stop({ graceMs: 5_000 })
    write()
    await settled()
    await held[0]?.send({ type: 'execution.settled', executionId: 'e1', ok: true, body: { ok: true } })
    clock.advance(1_000)
    expect(await stopped).toEqual({ interrupted: [] })
    expect(await answer).toMatchObject({ kind: 'answered', emitted: { by: 'execution.settled' } })
  })

  test('waits for what is in flight within its grace', async () => {
    const { held, operator } = heldOperator()
    const { clock, host } = setup(operator)
    await host.tell(target(), request('e1', clock))
    const stopped = host.stop({ graceMs: 5_000 })
    await held[0]?.send({ type: 'execution.settled', executionId: 'e1', ok: true, body: 1 })
    clock.advance(5_001)
    expect(await stopped).toEqual({ interrupted: [] })
  })
})

describe('bookkeeping that fails', () => {
  test.each([
    ['rejects', () => Promise.reject(new JournalError('full', 'the disk is full'))],
    [
      'throws',
      () => {
        throw new JournalError('full', 'the disk is full')
      },
    ],
  ])('ends nothing: a checkpoint that %s', async (_, saveCheckpoint) => {
    const { clock, journal, host } = setup()
    Object.assign(journal, { saveCheckpoint })
    for (let index = 0; index * 3 < CHECKPOINT_RECORDS + 10; index++) {
      await host.tell(target(), request(`e${index}`, clock))
      await settled()
    }
    const answer = await host.ask<DeviceEmitted>(target(), request('after', clock), {
      matches: answerFor('after'),
      until: clock.now() + 60_000,
    })
    expect(answer).toMatchObject({ kind: 'answered', emitted: { result: { ok: true } } })
  })
})
