/** One link per device: shared while it opens, left alone after a failure, opened anew after a loss. */
import { describe, expect, test } from 'vitest'
import { type Link, LinkError } from '../../../src/device/link/link.ts'
import { createLinkSlot, type OpenedLink } from '../../../src/device/link/link-slot.ts'
import { createLoss } from '../../../src/device/link/transport.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { codeOf } from './link-suite.ts'

const refuse = () => Promise.reject(new Error('not used'))
const noBytes = () => {
  throw new Error('not used')
}

const fakeOpened = () => {
  const loss = createLoss()
  const unused = {
    shell: refuse,
    exec: refuse,
    stream: refuse,
    push: refuse,
    pull: refuse,
    read: noBytes,
    output: noBytes,
    socket: refuse,
  }
  const link: Link = { serial: 's', lost: loss.signal, ...unused, hardwareSerial: refuse }
  const transport = {
    features: [],
    serviceBytesMax: 0,
    lost: loss.signal,
    open: refuse,
    probe: () => Promise.resolve(),
    close: async () => loss.close(),
  }
  const opened: OpenedLink = { link, transport, state: 'device' }
  return { opened, lose: () => loss.lose('gone') }
}

const start = () => {
  const clock = manualClock()
  const attempts: {
    give(opened: OpenedLink): void
    fail(error: unknown): void
    ask(stage: 'asked' | 'offered'): void
    stop: AbortSignal
  }[] = []
  const slot = createLinkSlot({
    serial: 's',
    clock,
    limits: { firstPauseMs: 100, lastPauseMs: 400, stableMs: 1_000 },
    open: (stop, ask) =>
      new Promise((give, fail) => {
        attempts.push({ give, fail, ask, stop })
        stop.addEventListener('abort', () => fail(stop.reason))
      }),
  })
  const within = (ms: number) => ({ deadline: clock.now() + ms })
  /** Lets everything that is due run. */
  const settle = () => new Promise(resolve => setImmediate(resolve))
  const last = () => {
    const attempt = attempts.at(-1)
    if (!attempt) throw new Error('nothing was attempted')
    return attempt
  }
  const failOnce = async () => {
    const call = codeOf(slot.get(within(1_000)))
    await settle()
    last().fail(new LinkError('DEVICE_OFFLINE', 'no'))
    return call
  }
  return { clock, slot, attempts, within, settle, last, failOnce }
}

describe('opening', () => {
  test('all who ask at once share one opening, and the link stays', async () => {
    const { slot, attempts, within, last } = start()
    const calls = [slot.get(within(1_000)), slot.get(within(2_000)), slot.get(within(3_000))]
    const { opened } = fakeOpened()
    last().give(opened)
    expect(new Set([...(await Promise.all(calls)), await slot.get(within(1))])).toEqual(new Set([opened.link]))
    expect(attempts.length).toBe(1)
  })

  test('one who has no time left leaves the opening to the others', async () => {
    const { slot, clock, attempts, within, last } = start()
    const caller = new AbortController()
    const hasty = codeOf(slot.get(within(10)))
    const gone = codeOf(slot.get({ ...within(1_000), signal: caller.signal }))
    const patient = slot.get(within(1_000))
    clock.advance(10)
    caller.abort()
    expect([await hasty, await gone]).toEqual(['LINK_TIMEOUT', 'LINK_CANCELLED'])
    const { opened } = fakeOpened()
    last().give(opened)
    expect(await patient).toBe(opened.link)
    expect(attempts.length).toBe(1)
  })

  test('time that runs out while a person is asked is DEVICE_UNAUTHORIZED', async () => {
    const { slot, clock, within, last } = start()
    const call = codeOf(slot.get(within(10)))
    last().ask('asked')
    clock.advance(10)
    expect(await call).toBe('DEVICE_UNAUTHORIZED')
  })
})

describe('after a failure', () => {
  test('a call that has no time for the pause fails at once with the last error, and attempts nothing', async () => {
    const { slot, attempts, within, failOnce } = start()
    expect(await failOnce()).toBe('DEVICE_OFFLINE')
    expect(await codeOf(slot.get(within(100)))).toBe('DEVICE_OFFLINE')
    expect(attempts.length).toBe(1)
  })

  test('a call that has time waits for the end of the pause and tries again', async () => {
    const { slot, clock, attempts, within, settle, last, failOnce } = start()
    await failOnce()
    const call = slot.get(within(5_000))
    await settle()
    clock.advance(99)
    await settle()
    expect(attempts.length).toBe(1)
    clock.advance(1)
    await settle()
    expect(attempts.length).toBe(2)
    const { opened } = fakeOpened()
    last().give(opened)
    expect(await call).toBe(opened.link)
  })

  test('the pause doubles up to its cap', async () => {
    const { slot, clock, attempts, within, settle, last, failOnce } = start()
    const pauses: number[] = []
    await failOnce()
    for (let i = 0; i < 4; i++) {
      const call = codeOf(slot.get(within(5_000)))
      const tried = attempts.length
      let waited = 0
      for (; attempts.length === tried && waited < 2_000; waited += 50) {
        await settle()
        clock.advance(50)
        await settle()
      }
      pauses.push(waited)
      last().fail(new LinkError('DEVICE_OFFLINE', 'no'))
      await call
    }
    expect(pauses).toEqual([100, 200, 400, 400])
  })

  test('a caller that goes during the pause is let go', async () => {
    const { slot, clock, within, settle, failOnce } = start()
    await failOnce()
    const caller = new AbortController()
    const call = codeOf(slot.get({ ...within(5_000), signal: caller.signal }))
    await settle()
    caller.abort()
    expect(await call).toBe('LINK_CANCELLED')
    expect(clock.pending()).toBe(0)
  })
})

describe('after a loss', () => {
  const open = async (from: ReturnType<typeof start>) => {
    const { slot, within, last } = from
    const call = slot.get(within(5_000))
    await from.settle()
    const fake = fakeOpened()
    last().give(fake.opened)
    await call
    return fake
  }

  test('a link that had stayed is opened anew at once', async () => {
    const from = start()
    const { lose } = await open(from)
    from.clock.advance(1_000)
    lose()
    expect(from.slot.current()).toBeUndefined()
    const call = from.slot.get(from.within(1))
    const { opened } = fakeOpened()
    from.last().give(opened)
    expect(await call).toBe(opened.link)
  })

  test('a device that comes and goes is left alone like one that fails', async () => {
    const from = start()
    const { lose } = await open(from)
    lose()
    expect(await codeOf(from.slot.get(from.within(50)))).toBe('DEVICE_LINK_LOST')
    expect(from.attempts.length).toBe(1)
  })

  test('a link that is lost before anybody has it is a failure', async () => {
    const { slot, attempts, within, last } = start()
    const call = codeOf(slot.get(within(1_000)))
    const { opened, lose } = fakeOpened()
    lose()
    last().give(opened)
    expect(await call).toBe('DEVICE_LINK_LOST')
    expect(slot.current()).toBeUndefined()
    expect(await codeOf(slot.get(within(50)))).toBe('DEVICE_LINK_LOST')
    expect(attempts.length).toBe(1)
  })
})

describe('closing', () => {
  test('ends an opening and everybody who waits for it', async () => {
    const { slot, within, last } = start()
    const call = codeOf(slot.get(within(1_000)))
    await slot.close()
    expect(await call).toBe('LINK_CANCELLED')
    expect(last().stop.aborted).toBe(true)
    expect(await codeOf(slot.get(within(1_000)))).toBe('LINK_CANCELLED')
  })

  test('closes the open link', async () => {
    const { slot, within, last } = start()
    const call = slot.get(within(1_000))
    const { opened } = fakeOpened()
    last().give(opened)
    await call
    await slot.close()
    expect(opened.link.lost.reason).toMatchObject({ code: 'LINK_CANCELLED' })
  })
})
