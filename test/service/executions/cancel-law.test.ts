/** The cancel law: whenever a caller cancels before the dispatch, nothing is sent, and the answer and the receipt say so. */
import { describe, expect, test } from 'vitest'
import { LinkError } from '../../../src/device/link/link.ts'
import { systemIds } from '../../../src/runtime/ids.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import type { ExecutorOptions } from '../../../src/service/executions/execute.ts'
import { NO_FENCE } from '../../../src/service/executions/fence.ts'
import { deeds, phone, pressHome, svcProcess } from '../../support/executions/executor-bench.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'

/** Holds the first who passes until it is opened. */
const latch = () => {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  let isReached = false
  return {
    isReached: () => isReached,
    open,
    pass: async <T>(value: T) => {
      isReached = true
      await opened
      return value
    },
  }
}
type Latch = ReturnType<typeof latch>

interface World {
  journal: Journal
  shell: (command: string) => Promise<void>
  parts: Partial<ExecutorOptions>
  wakefulness: 'Awake' | 'Asleep'
}

const holdShell = (held: Latch, part: string) => async (command: string) => {
  if (command.includes(part)) await held.pass(undefined)
}

const holdLook = (world: World, held: Latch) => void Object.assign(world, { shell: holdShell(held, 'dumpsys power') })

const holdJournal = (journal: Journal, held: Latch, name: 'begin' | 'append', isIt: (type: string) => boolean) => {
  const real = journal[name].bind(journal) as (...given: unknown[]) => Promise<never>
  Object.assign(journal, {
    [name]: async (...given: unknown[]) => {
      const record = (name === 'begin' ? given[1] : given[0]) as { event: { type: string } }
      if (isIt(record.event.type)) await held.pass(undefined)
      return real(...given)
    },
  })
}

/** Each holds an execution up at one point of its way to the phone; whatever it waits for there comes in the end. */
const STAGES: [string, (world: World, held: Latch) => void][] = [
  [
    'its device is listed',
    ({ parts }, held) => {
      parts.links = {
        list: () => held.pass({ devices: [{ serial: 'd1', state: 'device' }] }),
        probe: async () => undefined,
        current: () => undefined,
      } as Partial<ExecutorOptions['links']> as ExecutorOptions['links']
    },
  ],
  [
    'its operator is chosen',
    ({ parts }, held) =>
      void Object.assign(parts, {
        operatorChoice: { choose: () => held.pass('svc.shell'), forget: () => {} },
      }),
  ],
  [
    'the policy is asked',
    ({ parts }, held) => {
      parts.policy = {
        concerns: () => true,
        brokenFor: async () => undefined,
        permit: () => held.pass({ ok: true as const }),
      }
    },
  ],
  ['its lease is waited for', ({ journal }, held) => holdJournal(journal, held, 'begin', () => true)],
  ['the screen is looked at', holdLook],
  [
    'the screen wakes',
    (world, held) => {
      world.wakefulness = 'Asleep'
      world.shell = holdShell(held, 'WAKEUP')
    },
  ],
]

type Process = ReturnType<typeof svcProcess>
interface Door {
  id: string
  here: Process
  other: Process
  signal: AbortController
}

/** How callers cancel. */
const DOORS: [string, (door: Door) => unknown][] = [
  ['its caller', ({ signal }) => signal.abort()],
  ['its id', ({ here, id }) => here.executions.cancel(id)],
  ['its id in another process', ({ other, id }) => other.executions.cancel(id)],
]

const setup = (hold: (world: World, held: Latch) => void) => {
  const clock = manualClock(Date.now())
  const journal = memoryJournal({ alive: () => true, clock })
  const held = latch()
  const world: World = { journal, shell: async () => {}, parts: {}, wakefulness: 'Awake' }
  hold(world, held)
  const link = phone(clock, undefined, world.wakefulness)
  const shell = link.shell.bind(link)
  link.shell = async (command, options) => {
    await world.shell(command)
    if (options.signal?.aborted) throw new LinkError('LINK_CANCELLED', 'the call was cancelled')
    return shell(command, options)
  }
  const { links, ...parts } = world.parts
  const here = svcProcess({ journal, clock, link, ...(links ? { links } : {}), parts })
  const other = svcProcess({ journal, clock, link, pid: 2 })
  return { clock, journal, held, link, here, other }
}

const later = async (clock: ReturnType<typeof manualClock>, ms: number) => {
  for (let left = ms; left > 0; left -= 100) {
    await settled()
    clock.advance(100)
  }
  await settled()
}

const ask = { ...pressHome(), screenshots: { relativeTo: '/nowhere', newFilesIn: '/nowhere' } }
const full = () => new JournalError('full', 'the disk is full')
const TAP = 'shell input keyevent KEYCODE_HOME'

describe.each(STAGES)('cancelled while %s', (_stage, hold) => {
  test.each(DOORS)('by %s: nothing is sent', async (_door, cancel) => {
    const { clock, journal, held, link, here, other } = setup(hold)
    const id = systemIds().at(clock.now())
    const signal = new AbortController()
    const running = here.executions.executeAs(id, { ...ask, operatorPackage: undefined, cancel: signal.signal })
    await settled()
    expect(held.isReached()).toBe(true)
    const cancelled = cancel({ id, here, other, signal })
    await later(clock, 300)
    held.open()
    await later(clock, 8_000)
    expect(await running).toMatchObject({
      result: { ok: false, error: { code: 'EXECUTION_CANCELLED', details: { dispatched: false } } },
    })
    await cancelled
    await later(clock, 8_000)
    expect(deeds(link)).not.toContain(TAP)
    expect(journal.receipt(id)?.dispatchedAt).toBeUndefined()
    expect(journal.leases.list()).toEqual([])
  })
})

test('cancelled in the moment before its dispatch is recorded: nothing is sent', async () => {
  const signal = new AbortController()
  let asked = 0
  const fence = {
    ...NO_FENCE,
    refusal: () => {
      // The first question is that of the executor; the second is asked right before the dispatch.
      if (++asked === 2) signal.abort()
      return undefined
    },
  }
  const { clock, link, here } = setup(({ parts }) => void Object.assign(parts, { fence }))
  const running = here.executions.execute({ ...ask, cancel: signal.signal })
  await later(clock, 1_000)
  expect(await running).toMatchObject({ result: { ok: false, error: { details: { dispatched: false } } } })
  expect(asked).toBeGreaterThanOrEqual(2)
  expect(deeds(link)).toEqual([])
})

test('a request to cancel on record before the dispatch holds, whether the machine has heard of it or not', async () => {
  const { clock, held, journal, link, here, other } = setup(holdLook)
  const running = here.executions.execute(ask)
  await settled()
  const id = journal.receipts()[0]?.executionId ?? ''
  const cancelling = other.executions.cancel(id)
  await settled()
  // No time passes: whoever looks now and then has not looked yet.
  held.open()
  await settled()
  expect(await running).toMatchObject({
    executionId: id,
    result: { ok: false, error: { code: 'EXECUTION_CANCELLED', details: { dispatched: false } } },
  })
  await later(clock, 2_000)
  expect(await cancelling).toMatchObject({ kind: 'cancelled', receipt: { executionId: id } })
  expect(deeds(link)).toEqual([])
})

test('an id that was cancelled before its request came runs nothing, in whichever process', async () => {
  const { clock, link, here, other } = setup(() => {})
  const id = systemIds().at(clock.now())
  const cancelling = other.executions.cancel(id)
  await later(clock, 2_000)
  expect(await cancelling).toEqual({ kind: 'unknown' })
  const executed = await here.executions.executeAs(id, { ...ask, deviceId: 'd1' })
  const { commandId } = ask.execution
  const holder = { pid: expect.any(Number), executionId: id, commandId, since: expect.any(Number) }
  expect(executed).toMatchObject({
    result: {
      ok: false,
      error: {
        code: 'EXECUTION_CANCELLED',
        details: { executionId: id, deviceId: 'd1', holder, dispatched: false },
        hint: expect.stringContaining('new id'),
      },
    },
  })
  expect(deeds(link)).toEqual([])
  // From then on its receipt says so, at every process.
  const { result } = executed as { result: unknown }
  for (const process of [here, other]) expect(await process.executions.receipt(id)).toMatchObject({ commandId, result })
})

test('one that another process prepares is cancelled with the receipt that it leaves', async () => {
  const [, hold] = STAGES[0] ?? ['', () => {}]
  const { clock, held, here, other } = setup(hold)
  const id = systemIds().at(clock.now())
  const running = here.executions.executeAs(id, { ...ask, operatorPackage: undefined })
  await settled()
  const cancelling = other.executions.cancel(id)
  await later(clock, 2_000)
  held.open()
  await later(clock, 2_000)
  const { result } = (await running) as { result: unknown }
  const receipt = await other.executions.receipt(id)
  expect(receipt).toMatchObject({ executionId: id, state: 'settled', result })
  expect(await cancelling).toEqual({ kind: 'cancelled', receipt })
})

test('an id that was cancelled while it was prepared runs nothing when it is asked for again, in whichever process', async () => {
  const [, hold] = STAGES[0] ?? ['', () => {}]
  const { clock, journal, held, link, here, other } = setup(hold)
  const id = systemIds().at(clock.now())
  const running = here.executions.executeAs(id, { ...ask, operatorPackage: undefined })
  await settled()
  expect([held.isReached(), journal.receipt(id)]).toEqual([true, undefined])
  const cancelling = here.executions.cancel(id)
  await later(clock, 300)
  held.open()
  await later(clock, 2_000)
  const answered = await cancelling
  expect(answered).toMatchObject({ kind: 'cancelled' })
  const cancelled = { result: { ok: false, error: { code: 'EXECUTION_CANCELLED', details: { dispatched: false } } } }
  expect(await running).toMatchObject(cancelled)
  for (const process of [here, other]) expect(await process.executions.executeAs(id, ask)).toMatchObject(cancelled)
  const restarted = svcProcess({ journal, clock, link, pid: 3 })
  for (const process of [here, other, restarted]) {
    expect({ kind: 'cancelled', receipt: await process.executions.receipt(id) }).toEqual(answered)
    expect(await process.executions.cancel(id)).toEqual({ ...answered, kind: 'settled' })
  }
  expect(deeds(link)).not.toContain(TAP)
})

test('what is cancelled where it is prepared runs nothing in another process that its request reaches meanwhile', async () => {
  const { clock, journal, held, link, other } = setup(() => {})
  const slow: Journal = Object.create(journal)
  holdJournal(slow, held, 'begin', () => true)
  const here = svcProcess({ journal: slow, clock, link, pid: 3 })
  const id = systemIds().at(clock.now())
  const running = here.executions.executeAs(id, ask)
  await settled()
  expect([held.isReached(), journal.receipt(id)]).toEqual([true, undefined])
  const cancelling = here.executions.cancel(id)
  await settled()
  const elsewhere = other.executions.executeAs(id, ask)
  await later(clock, 2_000)
  expect(deeds(link)).toEqual([])
  held.open()
  await later(clock, 2_000)
  const cancelled = { result: { ok: false, error: { code: 'EXECUTION_CANCELLED', details: { dispatched: false } } } }
  expect([await elsewhere, await running]).toMatchObject([cancelled, cancelled])
  expect(await cancelling).toMatchObject({ kind: 'cancelled' })
  expect(deeds(link)).toEqual([])
})

test('a cancellation is answered once the disk has it', async () => {
  const { clock, journal, other } = setup(() => {})
  let synced = 0
  journal.synced = async () => {
    synced += 1
  }
  const cancelling = other.executions.cancel(systemIds().at(clock.now()))
  await later(clock, 2_000)
  expect([await cancelling, synced]).toEqual([{ kind: 'unknown' }, 1])
})

test('a cancellation of what was accepted, and not dispatched yet, is answered once the disk has it', async () => {
  const { clock, journal, held, here } = setup(holdLook)
  const id = systemIds().at(clock.now())
  const running = here.executions.executeAs(id, ask)
  await settled()
  expect([held.isReached(), journal.receipt(id)?.state]).toEqual([true, 'accepted'])
  const disk = latch()
  journal.synced = () => disk.pass(undefined)
  let isAnswered = false
  const cancelling = here.executions.cancel(id).finally(() => {
    isAnswered = true
  })
  await settled()
  expect([disk.isReached(), isAnswered]).toEqual([true, false])
  disk.open()
  expect(await cancelling).toMatchObject({ kind: 'cancelled', receipt: { executionId: id } })
  held.open()
  await running
})

test('an id that nobody can be preparing any more is unknown at once, and leaves nothing on record', async () => {
  const { clock, journal, here } = setup(() => {})
  const id = systemIds().at(clock.now() - 24 * 60 * 60_000)
  expect(await here.executions.cancel(id)).toEqual({ kind: 'unknown' })
  expect(journal.head()).toBe(0)
})

test('cancelled after its dispatch: the receipt says that it may have executed', async () => {
  const signal = new AbortController()
  const { clock, journal, held, link, here } = setup((world, latch) => {
    world.shell = holdShell(latch, 'HOME')
  })
  const running = here.executions.execute({ ...ask, cancel: signal.signal })
  await settled()
  signal.abort()
  await settled()
  const { executionId = '', result } = await running
  expect(result).toMatchObject({ error: { code: 'EXECUTION_CANCELLED', details: { executionId, dispatched: true } } })
  expect(result.ok === false && result.error.message).toContain('may have run: step ')
  expect(journal.receipt(executionId)).toMatchObject({
    state: 'settled',
    dispatchedAt: expect.any(Number),
    result: { error: { code: 'EXECUTION_CANCELLED', details: { executionId, dispatched: true } } },
  })
  held.open()
  await later(clock, 8_000)
  expect(journal.leases.list()).toEqual([])
  expect(deeds(link).length).toBeLessThanOrEqual(1)
})

test('a cancellation that cannot be recorded stops the execution all the same', async () => {
  const signal = new AbortController()
  const { clock, journal, held, link, here } = setup(holdLook)
  const append = journal.append.bind(journal)
  journal.append = (record, options) =>
    record.event.type === 'execution.cancelled' ? Promise.reject(full()) : append(record, options)
  const running = here.executions.execute({ ...ask, cancel: signal.signal })
  await settled()
  signal.abort()
  held.open()
  await later(clock, 8_000)
  expect(await running).toMatchObject({
    result: { ok: false, error: { code: 'JOURNAL_UNAVAILABLE', details: { dispatched: false } } },
  })
  expect(deeds(link)).toEqual([])
})
