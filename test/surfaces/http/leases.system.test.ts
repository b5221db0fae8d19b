/** Reservations over HTTP, and over processes: a server that is killed frees the phone at once. */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pause, systemClock } from '../../../src/runtime/clock.ts'
import { type Lab, payloadOf, startLab } from '../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { call } from '../../support/http/http-client.ts'
import { startHttpProcess } from '../../support/http/http-process.ts'

let lab: Lab
const children: ChildProcess[] = []
beforeEach(async () => {
  lab = await startLab()
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
  }
  await lab.close()
})

const serial = () => lab.fleet.devices[0]?.serial ?? ''
const serve = () => startHttpProcess({ home: lab.home, serial: serial(), children })
const pressHome = payloadOf([{ id: 'p', type: 'press_key', params: { key: 'home' } }])
const seen = () => lab.fleet.devices[0]?.phone.executions().length ?? 0

interface Leased {
  lease: { leaseId: string; deviceId: string; since: number; expiresAt: number }
}

const reserve = async (url: string, more: object = {}) =>
  call(`${url}/leases`, { body: { device: serial(), forMs: 60_000, ...more } })

test('a reservation is made, used, extended, listed and ended over HTTP, also by another server of the home', async () => {
  const [one, two] = await Promise.all([serve(), serve()])
  const made = await reserve(one.url)
  expect(made.status).toBe(200)
  const { lease } = made.json as Leased
  expect(lease).toMatchObject({ deviceId: serial(), expiresAt: lease.since + 60_000 })
  const headers = { 'Svc-Lease': lease.leaseId }
  expect((await call(`${two.url}/execute`, { body: { execution: pressHome }, headers })).status).toBe(200)
  for (const { url } of [one, two]) {
    const refused = await call(`${url}/execute`, { body: { execution: pressHome } })
    expect([refused.status, refused.json]).toMatchObject([
      423,
      { error: { code: DEVICE_CONFLICT, details: { holder: { leaseId: lease.leaseId } } } },
    ])
    expect((await call(`${url}/leases`)).json).toEqual({ ok: true, leases: [lease], count: 1 })
  }
  const extended = await call(`${two.url}/leases/${lease.leaseId}`, { method: 'PUT', body: { forMs: 600_000 } })
  expect((extended.json as Leased).lease.expiresAt).toBeGreaterThan(lease.expiresAt)
  expect((await call(`${two.url}/leases/${lease.leaseId}`, { method: 'DELETE' })).status).toBe(200)
  const again = await call(`${one.url}/leases/${lease.leaseId}`, { method: 'DELETE' })
  expect([again.status, again.json]).toMatchObject([
    404,
    { error: { code: 'LEASE_NOT_FOUND', details: { leaseId: lease.leaseId, ended: { why: 'released' } } } },
  ])
  const late = await call(`${one.url}/execute`, { body: { execution: pressHome }, headers })
  expect([late.status, late.json]).toMatchObject([404, { error: { code: 'LEASE_NOT_FOUND' } }])
  expect(seen()).toBe(1)
})

test('kill -9: the phone is free at once, and the next reservation has a newer fence', async () => {
  const [holder, heir] = await Promise.all([serve(), serve()])
  const { lease } = (await reserve(holder.url)).json as Leased
  expect((await reserve(heir.url)).status).toBe(423)
  const waiting = reserve(heir.url, { waitMs: 30_000 })
  holder.child.kill('SIGKILL')
  await holder.ended
  const next = (await waiting).json as Leased
  expect(next.lease.leaseId).not.toBe(lease.leaseId)
  const headers = { 'Svc-Lease': lease.leaseId }
  const late = await call(`${heir.url}/execute`, { body: { execution: pressHome }, headers })
  expect(late.json).toMatchObject({
    error: { code: 'LEASE_NOT_FOUND', details: { ended: { why: 'interrupted' } } },
  })
  // As servers do every few seconds.
  await lab.services.host().recover({ machine: 'reservation' })
  expect(lab.services.journal().last(`reservation:${lease.leaseId}`)?.to).toBe('interrupted')
  expect(lab.services.journal().leases.list()).toMatchObject([{ fence: 2, note: { leaseId: next.lease.leaseId } }])
  expect(seen()).toBe(0)
})

test.each([
  [{ forMs: 60_000 }, 'device'],
  [{ device: 'd1' }, 'forMs'],
  [{ device: 'd1', forMs: 999 }, 'forMs'],
  [{ device: 'd1', forMs: 60_000, waitMs: 600_001 }, 'waitMs'],
  [{ device: 'd1', forMs: 60_000, sessionId: 'X' }, 'sessionId'],
  [{ device: 'd1', forMs: 60_000, more: 1 }, 'more'],
])('the body %j is refused by its field', async (body, field) => {
  const { url } = await serve()
  const refused = await call(`${url}/leases`, { body })
  expect([refused.status, (refused.json as { error: { code: string } }).error.code]).toEqual([400, 'INVALID_BODY'])
  expect(JSON.stringify(refused.json)).toContain(field)
})

test('a lease that is no id, and one that nobody has, are refused before anything is sent', async () => {
  const { url } = await serve()
  const ask = (leaseId: string) =>
    call(`${url}/execute`, { body: { execution: pressHome }, headers: { 'Svc-Lease': leaseId } })
  expect((await ask('mine')).json).toMatchObject({ error: { code: 'INVALID_BODY' } })
  expect((await ask('01a0c450-6c00-72b0-91e0-586a373dc163')).json).toMatchObject({ error: { code: 'LEASE_NOT_FOUND' } })
  expect(seen()).toBe(0)
})

test('a caller that leaves has reserved nothing, whenever it leaves', async () => {
  const { url } = await serve()
  const { hostname, port } = new URL(url)
  const body = JSON.stringify({ device: serial(), forMs: 60_000 })
  const head = `POST /leases HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  for (let afterMs = 0; afterMs < 20; afterMs += 2) {
    const socket = connect(Number(port), hostname)
    let heard = ''
    socket.on('data', part => {
      heard += String(part)
    })
    socket.write(head + body)
    await pause(systemClock(), afterMs)
    // The server answers before it reads this, or hears that nobody listens.
    socket.end()
    await once(socket, 'close')
    const leaseId = /"leaseId":"([^"]+)"/.exec(heard)?.[1]
    if (leaseId !== undefined) await call(`${url}/leases/${leaseId}`, { method: 'DELETE' })
    const held = async () => ((await call(`${url}/leases`)).json as { leases: unknown[] }).leases.length
    await expect.poll(held, { timeout: 20_000 }).toBe(0)
  }
})
