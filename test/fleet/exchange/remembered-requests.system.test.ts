/** What a host remembers of the requests of others, and when it forgets. */
import { describe, expect, test } from 'vitest'
import {
  ANSWERS_BYTES_MAX,
  KEEP_MS,
  LATE_MS,
  REMEMBERED_MAX,
  REMEMBERED_PER_PEER_MAX,
} from '../../../src/fleet/exchange/limits.ts'
import { createRememberedRequests } from '../../../src/fleet/exchange/remembered-requests.ts'
import { manualClock } from '../../support/manual-clock.ts'

const start = () => {
  const clock = manualClock()
  const kept = createRememberedRequests(clock)
  const until = clock.now() + 10_000
  const handled = () => {
    const [abort, cancel, silence] = [new AbortController(), new AbortController(), new AbortController()]
    return { state: { kind: 'handled' as const, abort, cancel, silence }, reply: 'r', until }
  }
  const add = (id: string, from = 'a') => {
    const added = kept.add(from, id, handled())
    if (!added) throw new Error(`there is no room for ${id}`)
    return added
  }
  const answered = (bytes: number) => ({
    kind: 'answered' as const,
    answer: { status: 200, headers: {}, body: new Uint8Array(bytes) },
    partBytes: 1,
  })
  return { clock, kept, until, handled, add, answered }
}

describe('time', () => {
  test('a request is forgotten no earlier than one with the same end would be refused', () => {
    const { clock, kept, until, add, answered } = start()
    const request = add('r')
    kept.become(request, answered(1))
    kept.become(request, { kind: 'gone' })
    request.keepMs = 0
    clock.advance(10_000 + LATE_MS)
    kept.sweep()
    expect([kept.isInTime(until), kept.find('a', 'r') === request]).toEqual([true, true])
    clock.advance(1)
    expect([kept.isInTime(until), kept.sweep(), kept.find('a', 'r')]).toEqual([false, false, undefined])
  })

  test('a clock that is set back brings nothing back that was forgotten', () => {
    const { clock, kept, until } = start()
    clock.advance(10_000 + LATE_MS + 1)
    clock.set(-60 * 60_000)
    expect(kept.isInTime(until)).toBe(false)
  })

  test('a clock that is set forward, or a host that slept, takes nothing that is late', () => {
    const { clock, kept, until } = start()
    clock.set(60 * 60_000)
    expect(kept.isInTime(until)).toBe(false)
  })

  test('an answer that was not fetched is kept for longer', () => {
    const { clock, kept, add, answered } = start()
    kept.become(add('r'), answered(1))
    clock.advance(10_000 + KEEP_MS)
    kept.sweep()
    expect(kept.find('a', 'r')?.state.kind).toBe('answered')
    clock.advance(1)
    kept.sweep()
    expect(kept.find('a', 'r')).toBeUndefined()
  })

  test('what is still handled is not forgotten, and told that nobody waits any more', () => {
    const { clock, kept, add } = start()
    const { state } = add('r')
    clock.advance(10_000 + KEEP_MS + 1)
    expect(kept.sweep()).toBe(true)
    expect(state.kind === 'handled' && state.abort.signal.aborted).toBe(true)
  })
})

describe('room', () => {
  test('one peer cannot take all of it', () => {
    const { kept, handled, add } = start()
    for (let n = 0; n < REMEMBERED_PER_PEER_MAX; n++) add(`r${n}`)
    expect(kept.add('a', 'one more', handled())).toBeUndefined()
    expect(kept.add('b', 'of another', handled())).toBeDefined()
  })

  test('all peers together cannot take more than there is, and forgetting makes room', () => {
    const { clock, kept, handled, add } = start()
    for (let n = 0; n < REMEMBERED_MAX; n++) kept.become(add(`r${n}`, `peer${n % 100}`), { kind: 'cancelled' })
    expect(kept.add('b', 'one more', handled())).toBeUndefined()
    clock.advance(10_000 + KEEP_MS + 1)
    expect(kept.sweep()).toBe(false)
    expect(kept.add('b', 'one more', handled())).toBeDefined()
  })

  test('the answer that was not touched for longest goes first, and its request stays known', () => {
    const { kept, add, answered } = start()
    const third = Math.floor(ANSWERS_BYTES_MAX / 3)
    const [one, two, three] = ['1', '2', '3'].map(id => add(id))
    if (!one || !two || !three) throw new Error('there are three')
    kept.become(one, answered(third))
    kept.become(two, answered(third))
    kept.touch(one)
    kept.become(three, answered(2 * third))
    expect([one, two, three].map(({ state }) => state.kind)).toEqual(['answered', 'gone', 'answered'])
    kept.become(add('4'), answered(third))
    expect([one, three].map(({ state }) => state.kind)).toEqual(['gone', 'answered'])
    kept.touch(three)
    kept.become(add('5'), answered(third))
    expect([three.state.kind, kept.find('a', '4')?.state.kind]).toEqual(['answered', 'gone'])
  })

  test('counts what is handled for each peer', () => {
    const { kept, add, answered } = start()
    const request = add('1')
    add('2')
    add('3', 'b')
    expect([kept.handledOf('a'), kept.handledOf('b'), kept.handledOf('c')]).toEqual([2, 1, 0])
    kept.become(request, answered(1))
    kept.become(request, { kind: 'gone' })
    expect(kept.handledOf('a')).toBe(1)
  })
})
