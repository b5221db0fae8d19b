/** One request as its asker sees it, by what it hears of its sendings. */
import { expect, test } from 'vitest'
import { startAsk } from '../../../src/fleet/exchange/ask.ts'
import { REPEAT_MS } from '../../../src/fleet/exchange/limits.ts'
import type { ToHost } from '../../../src/fleet/exchange/messages.ts'
import type { Exchanged } from '../../../src/fleet/exchange/request.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { alive } from './hosts.ts'

const WITHIN_MS = 2_000

const start = () => {
  const clock = manualClock()
  const sent: { kind: ToHost['kind']; sending: number }[] = []
  const ended: Exchanged[] = []
  const request = { id: 'r', instance: 'i1', method: 'POST', path: '/', headers: {}, withinMs: WITHIN_MS } as const
  const ask = startAsk(request, new Uint8Array(), alive, {
    clock,
    isUp: () => true,
    send: ({ kind }, _, sending) => sent.push({ kind, sending }) > 0,
    finish: exchanged => ended.push(exchanged),
  })
  const refuse = (sending: number) =>
    ask.heard({ head: { kind: 'refused', why: 'full', instance: 'i1' }, bytes: new Uint8Array() }, sending)
  return { clock, sent, ended, refuse }
}

test('a host that has had no room for any sending has taken nothing', () => {
  const { clock, sent, ended, refuse } = start()
  for (let ms = 0; ms < WITHIN_MS; ms += REPEAT_MS) {
    refuse(sent.length - 1)
    clock.advance(REPEAT_MS)
  }
  expect(sent.length).toBeGreaterThan(2)
  expect(ended).toEqual([{ kind: 'not sent', reason: 'absent' }])
})

test('one sending of which nothing was heard may have been taken', () => {
  const { clock, sent, ended, refuse } = start()
  clock.advance(REPEAT_MS)
  for (let ms = REPEAT_MS; ms < WITHIN_MS; ms += REPEAT_MS) {
    refuse(sent.length - 1)
    clock.advance(REPEAT_MS)
  }
  expect(ended).toEqual([{ kind: 'unknown', accepted: false }])
})
