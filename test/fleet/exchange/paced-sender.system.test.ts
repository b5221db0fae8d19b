/** Long messages to readers that are slow, or ask for more than they could read. */
import { expect, test } from 'vitest'
import { BURST_BYTES, OUTBOX_MAX, PART_BYTES } from '../../../src/fleet/exchange/limits.ts'
import { createOutbox } from '../../../src/fleet/exchange/paced-sender.ts'
import type { Wire } from '../../../src/fleet/exchange/wire.ts'
import { wait } from '../../support/until.ts'
import { clock } from './server.ts'

/** Servers that have taken nothing until they are told to. */
const slowWire = () => {
  const sent: string[] = []
  const flushes: ((taken: 'taken' | 'lost') => void)[] = []
  const wire = {
    publish: (subject: string) => sent.push(subject) > 0,
    flush: () =>
      new Promise<void>((resolve, reject) => {
        flushes.push(taken => (taken === 'taken' ? resolve() : reject(new Error('connection disconnected'))))
      }),
  } as Pick<Wire, 'publish' | 'flush'> as Wire
  return { wire, sent, flush: (taken: 'taken' | 'lost' = 'taken') => flushes.shift()?.(taken) }
}

const PER_BURST = BURST_BYTES / PART_BYTES
const part = (reply: string) => ({ reply, make: () => new Uint8Array(PART_BYTES) })

test('no more is sent at once than the servers have taken, even when messages come one by one', async () => {
  const { wire, sent, flush } = slowWire()
  const outbox = createOutbox(wire, clock)
  for (let n = 0; n < 4 * PER_BURST; n++) outbox.add(`m${n}`, part(`r${n}`))
  expect(sent).toHaveLength(PER_BURST)
  flush()
  await wait(5)
  expect(sent).toHaveLength(2 * PER_BURST)
  flush('lost')
  await wait(5)
  flush()
  await wait(5)
  expect(sent).toEqual(Array.from({ length: 4 * PER_BURST }, (_, n) => `r${n}`))
})

test('what waits already is not sent twice, and goes where it was asked for last', async () => {
  const { wire, sent, flush } = slowWire()
  const outbox = createOutbox(wire, clock)
  for (let n = 0; n < PER_BURST; n++) outbox.add(`m${n}`, part(`r${n}`))
  for (let n = 0; n < 100; n++) outbox.add('same', part(`again${n}`))
  flush()
  await wait(5)
  expect(sent.slice(PER_BURST)).toEqual(['again99'])
})

test('what does not fit in line is dropped: its asker asks again', async () => {
  const { wire, sent, flush } = slowWire()
  const outbox = createOutbox(wire, clock)
  const small = (reply: string) => ({ reply, make: () => new Uint8Array(1) })
  for (let n = 0; n < PER_BURST; n++) outbox.add(`m${n}`, part(`r${n}`))
  for (let n = 0; n < OUTBOX_MAX + 50; n++) outbox.add(`s${n}`, small(`s${n}`))
  flush()
  await wait(5)
  expect(sent).toHaveLength(PER_BURST + OUTBOX_MAX)
  outbox.add('later', small('later'))
  expect(sent.at(-1)).toBe('later')
})

test('a link that takes nothing does not stop it for good', async () => {
  const { wire, sent } = slowWire()
  const outbox = createOutbox(wire, clock)
  for (let n = 0; n < 2 * PER_BURST; n++) outbox.add(`m${n}`, part(`r${n}`))
  expect(sent).toHaveLength(PER_BURST)
  await wait(3_000)
  expect(sent.length).toBeGreaterThan(PER_BURST)
})
