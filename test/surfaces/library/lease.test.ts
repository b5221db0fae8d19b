/** The end of a reservation: asked for once, by whoever asks first, and again where the phone may still be reserved. */
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
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

/** A server that makes the reservation, and answers a moment later. */
const startSlowReserving = () => {
  const open = new Set<string>()
  const stub = startStubServer(({ method, path }, outgoing) => {
    if (method === 'DELETE') {
      open.delete(path.slice('/leases/'.length))
      return json(outgoing, { ok: true, lease: LEASE })
    }
    open.add(LEASE.leaseId)
    setTimeout(() => json(outgoing, { ok: true, lease: LEASE }), 100)
  })
  return { stub, open }
}

test.each(['an abort', 'the end of the connection'])(
  '%s gives back a reservation that is made meanwhile',
  async how => {
    const { stub, open } = startSlowReserving()
    const { url, server, asked } = await stub
    // The answer was on its way: this server does not hear of the end before.
    Object.assign(server, { httpAllowHalfOpen: true })
    const svc = await connectHere({ url })
    const controller = new AbortController()
    const call = svc.lease('phone-1', { forMs: 1_000, signal: controller.signal }).catch((error: unknown) => error)
    await until(() => asked.length === 1, 'the request to be sent')
    if (how === 'an abort') controller.abort()
    else await svc.close()
    expect(await call).toMatchObject({ code: 'EXECUTION_CANCELLED', dispatched: false })
    expect(open.size).toBe(0)
  },
)

test('a reservation that the end of the connection could not give back can be given back afterwards', async () => {
  const { url, asked } = await startReserving((outgoing, times) => {
    if (times > 1) return ended(outgoing)
    outgoing.destroy()
  })
  const svc = await connectHere({ url })
  const lease = await svc.lease('phone-1', { forMs: 1_000 })
  await expect(svc.close()).rejects.toMatchObject({ code: 'ANSWER_LOST' })
  await lease.release()
  expect(endsIn(asked)).toBe(2)
  await expect(lease.back()).rejects.toMatchObject({ code: 'USAGE', dispatched: false })
})
