/** The end of a reservation: asked for once, by whoever asks first, and again where the phone may still be reserved. */
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { connectHere, json, startStubServer } from './stub-server.ts'

const LEASE = { leaseId: 'l-1', deviceId: 'phone-1', expiresAt: 1 }

/** A server that has one reservation, and answers to its end as told. */
const startReserving = (end: (outgoing: ServerResponse, times: number) => void) => {
  let ends = 0
  return startStubServer(({ method }, outgoing) => {
    if (method === 'POST') return json(outgoing, { ok: true, lease: LEASE })
    ends += 1
    end(outgoing, ends)
  })
}
const ended = (outgoing: ServerResponse) => json(outgoing, { ok: true, lease: LEASE })
const endsIn = (asked: readonly { method: string }[]) => asked.filter(({ method }) => method === 'DELETE').length

test('two releases at once, and the end of the connection behind them, end it once', async () => {
  const { url, asked } = await startReserving(ended)
  const svc = await connectHere({ url })
  const lease = await svc.lease('phone-1', { forMs: 1_000 })
  await Promise.all([lease.release(), lease.release()])
  await svc.close()
  expect(endsIn(asked)).toBe(1)
})

test('a release that failed can be repeated', async () => {
  const { url, asked } = await startReserving((outgoing, times) => {
    if (times > 1) return ended(outgoing)
    outgoing.destroy()
  })
  const lease = await (await connectHere({ url })).lease('phone-1', { forMs: 1_000 })
  await expect(lease.release()).rejects.toMatchObject({ code: 'ANSWER_LOST', dispatched: 'unknown' })
  await lease.release()
  await lease.release()
  expect(endsIn(asked)).toBe(2)
})

test('a reservation whose time was over is released all the same', async () => {
  const { url } = await startReserving(outgoing =>
    json(outgoing, { ok: false, error: { code: 'LEASE_NOT_FOUND', message: 'Over.' } }, {}, 404),
  )
  const lease = await (await connectHere({ url })).lease('phone-1', { forMs: 1_000 })
  await lease.release()
})
