/** The tool `lease` before simulated phones: a phone is reserved, used by the id of its reservation, extended, listed and given back. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { connectHttp, type McpCaller } from '../../support/mcp-client.ts'

interface Held {
  leaseId: string
  deviceId: string
  expiresAt: number
}

let served: HttpLab
let holder: McpCaller
let other: McpCaller
beforeAll(async () => {
  served = await startHttpLab({ count: 2 })
  holder = await connectHttp(served.url, 'modern')
  other = await connectHttp(served.url, 'legacy')
})
afterAll(async () => {
  await holder?.close()
  await other?.close()
  await served.close()
})

const serial = () => served.serials[0] ?? ''
const ask = async (args: object, caller = holder) => caller.call('lease', { ...args })
const create = async (more: object = {}): Promise<Held> => {
  const made = await ask({ action: 'create', device: serial(), forMs: 60_000, ...more })
  expect(made).toMatchObject({ isError: false })
  return made.structured.lease as Held
}
const listed = async () => (await ask({ action: 'list' })).structured.leases

test('others are refused until the phone is given back, and its id stands for the phone', async () => {
  const lease = await create()
  expect(lease.deviceId).toBe(serial())
  expect(await listed()).toEqual([lease])
  const refused = await other.call('press', { key: 'home', device: serial() })
  expect(refused).toMatchObject({
    isError: true,
    structured: { code: DEVICE_CONFLICT, dispatched: false },
  })
  expect(refused.text).toContain(lease.leaseId)
  const own = await holder.call('press', { key: 'home', device: lease.leaseId })
  expect(own).toMatchObject({ isError: false, structured: { deviceId: serial() } })

  const extended = await ask({ action: 'extend', device: lease.leaseId, forMs: 600_000 }, other)
  expect((extended.structured.lease as Held).expiresAt).toBeGreaterThan(lease.expiresAt)
  expect(extended.text).toContain(new Date((extended.structured.lease as Held).expiresAt).toISOString())

  const ended = await ask({ action: 'end', device: lease.leaseId })
  expect(ended).toMatchObject({ isError: false, structured: { lease: { leaseId: lease.leaseId } } })
  expect(await listed()).toEqual([])
  expect(await other.call('press', { key: 'home', device: serial() })).toMatchObject({ isError: false })
  for (const action of ['end', 'extend'])
    expect(
      (await ask({ action, device: lease.leaseId, ...(action === 'extend' ? { forMs: 60_000 } : {}) })).structured,
    ).toMatchObject({
      code: 'LEASE_NOT_FOUND',
      dispatched: false,
    })
})

test('a phone that somebody has is waited for, as long as the caller says', async () => {
  const first = await create()
  const refused = await ask({ action: 'create', device: serial(), forMs: 60_000 }, other)
  expect(refused.structured).toMatchObject({ code: DEVICE_CONFLICT })
  const waiting = ask({ action: 'create', device: serial(), forMs: 60_000, waitMs: 60_000 }, other)
  await ask({ action: 'end', device: first.leaseId })
  const second = (await waiting).structured.lease as Held
  expect(second.leaseId).not.toBe(first.leaseId)
  await ask({ action: 'end', device: second.leaseId })
})

test.each([
  ['create', {}, /forMs/],
  ['create', { forMs: 0.5 }, /forMs/],
  ['create', { forMs: 60_000, waitMs: 1e9 }, /waitMs/],
  ['extend', { forMs: 60_000 }, /leaseId/],
  ['end', {}, /leaseId/],
])('%s with %j is refused before a phone is asked', async (action, args, said) => {
  const device = action === 'create' ? { device: serial() } : {}
  const refused = await ask({ action, ...device, ...args })
  expect(refused).toMatchObject({ isError: true, structured: { code: 'USAGE', dispatched: false } })
  expect(refused.text).toMatch(said)
  expect(await listed()).toEqual([])
})
