/** Reservations in a fleet: made, used and ended through any host, and kept by the one that has the phone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ListedDevice } from '../../src/contracts/device/device.ts'
import type { Reservation } from '../../src/contracts/reservation.ts'
import { payloadOf } from '../support/executions/lab.ts'
import { type FleetLab, startFleetLab } from '../support/fleet/fleet-lab.ts'
import { needs } from '../support/needs.ts'

const pressHome = payloadOf([{ id: 'p', type: 'press_key', params: { key: 'home' } }])

interface Answer {
  lease?: Reservation
  leases?: Reservation[]
  devices?: ListedDevice[]
  deviceId?: string
  error?: { code: string; details: Record<string, unknown> }
}

describe.skipIf(!needs('nats-server'))('a reservation in a fleet', () => {
  let lab: FleetLab
  beforeAll(async () => {
    lab = await startFleetLab({ hosts: ['a', 'b'], phones: [['a'], ['b']], inProcess: true })
    await lab.owned('a', 0)
    await lab.owned('b', 1)
  })
  afterAll(() => lab.close())

  const ask = async (host: string, method: string, path: string, body?: object, leaseId?: string) => {
    const answer = await fetch(`${lab.host(host).url()}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(leaseId === undefined ? {} : { 'svc-lease': leaseId }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer }
  }
  const there = () => `${lab.host('a').serial(0)}@a`

  test('is kept by the host of the phone, and used, extended, listed and ended through another one', async () => {
    const made = await ask('b', 'POST', '/leases', { device: there(), forMs: 60_000 })
    const { lease } = made.body
    if (!lease) throw new Error(JSON.stringify(made.body))
    expect(lease).toMatchObject({ deviceId: there(), host: 'a' })
    for (const host of ['a', 'b']) {
      const refused = await ask(host, 'POST', '/execute', { execution: pressHome, deviceId: there() })
      expect(refused).toMatchObject({
        status: 423,
        body: { error: { details: { host: 'a', holder: { leaseId: lease.leaseId } } } },
      })
      const own = await ask(host, 'POST', '/execute', { execution: pressHome }, lease.leaseId)
      expect([own.status, own.body.deviceId]).toEqual([200, lab.host('a').serial(0)])
      expect((await ask(host, 'GET', '/leases')).body.leases).toEqual([lease])
    }
    const extended = await ask('b', 'PUT', `/leases/${lease.leaseId}`, { forMs: 120_000 })
    expect(extended.body.lease?.expiresAt).toBeGreaterThan(lease.expiresAt)
    expect((await ask('b', 'DELETE', `/leases/${lease.leaseId}`)).status).toBe(200)
    expect((await ask('b', 'DELETE', `/leases/${lease.leaseId}`)).body.error).toMatchObject({
      code: 'LEASE_NOT_FOUND',
      details: { ended: { why: 'released' } },
    })
  })

  test('is listed with its phone, its note and who keeps it, whichever host is asked', async () => {
    const made = await ask('b', 'POST', '/leases', { device: there(), forMs: 60_000, note: 'nightly payments' })
    const { leaseId = '', deviceId: _, host: __, ...lease } = made.body.lease ?? {}
    expect(lease).toMatchObject({ note: 'nightly payments', keptBy: { pid: expect.any(Number) } })
    for (const host of ['a', 'b']) {
      const { devices = [] } = (await ask(host, 'GET', '/devices')).body
      const byHost = Object.fromEntries(devices.map(device => [device.host, device.lease]))
      expect(byHost).toEqual({ a: { leaseId, ...lease }, b: undefined })
    }
    await ask('b', 'DELETE', `/leases/${leaseId}`)
  })

  test('any: takes a phone that nobody has, and executions pass over reserved ones', async () => {
    const taken: Reservation[] = []
    for (const host of ['a', 'b']) {
      const { lease } = (await ask(host, 'POST', '/leases', { device: 'any', forMs: 60_000, waitMs: 5_000 })).body
      if (lease) taken.push(lease)
    }
    expect(new Set(taken.map(({ deviceId }) => deviceId)).size).toBe(2)
    expect((await ask('a', 'POST', '/leases', { device: 'any', forMs: 60_000 })).status).toBe(423)
    const [first, second] = taken
    await ask('a', 'DELETE', `/leases/${second?.leaseId}`)
    const ran = await ask('b', 'POST', '/execute', { execution: pressHome, deviceId: 'any' })
    expect(ran.status).toBe(200)
    expect(`${ran.body.deviceId}@${second?.host}`).toBe(second?.deviceId)
    await ask('b', 'DELETE', `/leases/${first?.leaseId}`)
  })

  test('a lease that no host has is refused, whichever host is asked', async () => {
    const none = '01a0c450-6c00-72b0-91e0-586a373dc163'
    expect(await ask('b', 'POST', '/execute', { execution: pressHome }, none)).toMatchObject({
      status: 404,
      body: { error: { code: 'LEASE_NOT_FOUND' } },
    })
    expect((await ask('a', 'DELETE', `/leases/${none}`)).body.error?.code).toBe('LEASE_NOT_FOUND')
  })
})
