/** What callers are told when a host of the fleet dies, is frozen, is cut off, or goes; and what can be found out later. */

import { describe, expect, test } from 'vitest'
import { payloadOf } from '../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../support/failure-codes.ts'
import { type FleetLab, fleetLab } from '../support/fleet/fleet-lab.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

type Failed = { error: { code: string; details: Record<string, unknown> } }
type Received = {
  execution: { state: string; dispatchedAt?: number; host: string; result?: { error?: { code: string } } }
}

type Told = { execution: { outcome: string; undecided?: string; steps: object[] } }

const slow = (commandId: string) =>
  payloadOf([{ id: 'a', type: 'sleep', params: { durationMs: 20_000 } }], { commandId, timeoutMs: 30_000 })
const look = payloadOf([{ id: 'a', type: 'snapshot' }], { commandId: 'look' })

const isSeen = (lab: FleetLab, phone: number, count: number) =>
  until(() => (lab.fleet.devices[phone]?.phone.arrivals().length ?? 0) >= count, `phone ${phone} to get an execution`)

describe.skipIf(!needs('nats-server')).concurrent('a fleet', () => {
  const make = fleetLab()

  test('says of an execution on a host that was killed that it was dispatched, and later how it ended', async () => {
    const lab = await make()
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    const asked = one.post<Failed>('/execute', { execution: slow('killed'), deviceId: two.serial(1) })
    await isSeen(lab, 1, 1)
    await two.kill()
    const { status, headers, body } = await asked
    const executionId = headers.get('svc-execution-id')
    expect([status, body.error.code]).toEqual([503, 'FLEET_HOST_GONE'])
    expect(body.error.details).toMatchObject({ host: 'lab2', executionId, dispatched: true })
    const mirrored = await one.get<Received>(`/executions/${executionId}`)
    expect(mirrored.body.execution).toMatchObject({
      state: expect.stringMatching(/^(accepted|dispatched)$/),
      host: 'lab2',
    })
    const refused = await one.post<Failed>('/snapshot', { deviceId: two.serial(1) })
    expect([refused.status, refused.body.error.code, refused.body.error.details.dispatched]).toEqual([
      503,
      'FLEET_HOST_GONE',
      false,
    ])

    await two.start()
    await lab.owned('lab2', 1)
    await until(async () => {
      const { body: later } = await one.get<Received>(`/executions/${executionId}`)
      return later.execution.state === 'interrupted'
    }, 'the receipt to say that the execution was interrupted')
    expect(lab.fleet.devices[1]?.phone.arrivals()).toHaveLength(1)
  })

  test('that takes over the phone of a killed host waits for the list that it still runs, and tells of that list once its host is back', async () => {
    const lab = await make({ phones: [['lab1', 'lab2']] })
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    two.plug(0)
    const isSeenByBoth = async () => (await one.post('/snapshot', { deviceId: `${two.serial(0)}@lab2` })).status === 200
    await until(isSeenByBoth, 'both to see the phone')
    const list = payloadOf([{ id: 'nap', type: 'sleep', params: { durationMs: 8_000 } }], { timeoutMs: 60_000 })
    const lost = one.post<Failed>('/execute', { execution: list, deviceId: one.serial(0) }).catch(() => undefined)
    const findLost = async () => {
      const { body } = await two.get<{ executions: { executionId: string; state: string }[] }>('/executions?limit=1')
      return body.executions.find(({ state }) => state === 'dispatched')?.executionId
    }
    let executionId: string | undefined
    const isSent = async () => {
      executionId = await findLost()
      return executionId !== undefined
    }
    await until(isSent, 'the list to be sent')
    await one.kill()
    await lost
    const next = { execution: look, deviceId: two.serial(0), operatorPackage: 'svc.shell' }
    let answered = await two.post<Failed>('/execute', next)
    const isTaken = async () => {
      answered = await two.post<Failed>('/execute', next)
      return answered.status !== 503
    }
    await until(isTaken, 'lab2 to take the phone', 30_000)
    expect([answered.status, answered.body.error?.code]).toEqual([423, DEVICE_CONFLICT])
    expect(answered.body.error.details.interrupted).toEqual({ executionId, step: 'nap', host: 'lab1' })

    const mirrored = await two.get<Told>(`/executions/${executionId}?waitMs=200`)
    expect(mirrored.body.execution).toMatchObject({
      outcome: 'unknown',
      host: 'lab1',
      undecided: 'host lab1, which has its record, does not answer',
      steps: [{ id: 'nap', outcome: 'unknown' }],
    })
    const waiting = two.get<Told>(`/executions/${executionId}?waitMs=60000`)
    await one.start()
    expect((await waiting).body.execution).toMatchObject({ outcome: 'done', host: 'lab1' })
    await until(async () => (await two.post('/execute', next)).status === 200, 'the phone to be free', 30_000)
  })

  test('does not let a frozen host act on what was sent to it meanwhile', async () => {
    const lab = await make()
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    two.freeze()
    const { status, headers, body } = await one.post<Failed>('/execute', { execution: look, deviceId: two.serial(1) })
    expect([status, body.error.code, body.error.details.dispatched]).toEqual([503, 'FLEET_HOST_GONE', 'unknown'])
    two.thaw()
    const isServed = async () => (await one.post('/snapshot', { deviceId: two.serial(1) })).status === 200
    await until(isServed, 'the host that was thawed to serve again', 30_000)
    const receipt = await one.get<Received & Failed>(`/executions/${headers.get('svc-execution-id')}`)
    const seen = lab.fleet.devices[1]?.phone.arrivals().length
    // Taken after all or not at all: the receipt says which, and the phone agrees.
    expect(seen).toBe(receipt.status === 200 && receipt.body.execution.dispatchedAt !== undefined ? 2 : 1)
  })

  test('is served by each host alone while it is cut off, and as one again afterwards', async () => {
    const lab = await make({ linked: true })
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    one.cut('loud')
    await until(async () => {
      const { body } = await one.get<{ connected: boolean }>('/fleet')
      return !body.connected
    }, 'host lab1 to notice that it is cut off')
    expect((await one.get('/fleet')).body).not.toHaveProperty('server')
    const local = await one.post('/snapshot', { deviceId: one.serial(0) })
    expect(local.status).toBe(200)
    const other = await one.post<Failed>('/snapshot', { deviceId: `${two.serial(1)}@lab2` })
    expect([other.status, other.body.error.code]).toEqual([503, 'FLEET_UNREACHABLE'])
    await until(async () => {
      const { status, body } = await two.post<Failed>('/snapshot', { deviceId: one.serial(0) })
      return status === 503 && body.error.code === 'FLEET_HOST_GONE'
    }, 'host lab2 to give up on lab1')
    one.heal()
    await until(
      async () => (await two.post('/snapshot', { deviceId: one.serial(0) })).status === 200,
      'both to be one again',
      30_000,
    )
  })

  test('drains a host: it finishes what runs, takes nothing new, and gives its phones to another that sees them', async () => {
    const lab = await make({ phones: [['lab1', 'lab2']] })
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    two.plug(0)
    const running = two.post('/execute', {
      execution: payloadOf([{ id: 'a', type: 'sleep', params: { durationMs: 3_000 } }], { commandId: 'runs' }),
      deviceId: `${one.serial(0)}@lab1`,
    })
    await isSeen(lab, 0, 1)
    expect((await two.post('/fleet/hosts/lab1/drain', {})).body).toMatchObject({ ok: true, host: 'lab1' })
    expect((await running).status).toBe(200)
    await lab.owned('lab2', 0)
    await until(async () => {
      const { status, headers } = await one.post('/snapshot', { deviceId: two.serial(0) })
      return status === 200 && headers.get('svc-host') === 'lab2'
    }, 'lab1 to send requests to lab2')
  })

  test('has a used Idempotency-Key answered by a host that drains, and named when that host is gone', async () => {
    const lab = await make()
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    const headers = { 'idempotency-key': 'key-of-the-gone' }
    const ask = () => one.post<Failed>('/execute', { execution: look, deviceId: `${two.serial(1)}@lab2` }, headers)
    const first = await ask()
    expect(first.status).toBe(200)
    await one.post('/fleet/hosts/lab2/drain', {})
    const isRefused = async () => (await one.post('/snapshot', { deviceId: two.serial(1) })).status === 503
    await until(isRefused, 'lab1 to know that lab2 drains')
    const repeated = await ask()
    expect(repeated.body).toEqual(first.body)
    expect(repeated.headers.get('svc-execution-id')).toBe(first.headers.get('svc-execution-id'))
    await two.kill()
    const { status, body } = await ask()
    const executionId = first.headers.get('svc-execution-id')
    expect({ status, error: body.error }).toMatchObject({
      status: 503,
      error: { code: 'FLEET_HOST_GONE', details: { host: 'lab2', executionId, dispatched: true } },
    })
  })

  test('forgets a host that is gone, and not one that is alive', async () => {
    const lab = await make()
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    await until(async () => {
      const { status, body } = await one.remove<Failed>('/fleet/hosts/lab2')
      return status === 409 && body.error.code === 'FLEET_HOST_TAKEN'
    }, 'lab1 to know that lab2 is alive')
    await two.kill()
    type Status = { hosts: { host: string; state: string }[] }
    const stateOf = async () => (await one.get<Status>('/fleet')).body.hosts.find(({ host }) => host === 'lab2')?.state
    await until(async () => (await stateOf()) === 'gone', 'lab2 to be gone')
    expect((await one.remove('/fleet/hosts/lab2')).body).toMatchObject({ ok: true, state: 'forgotten' })
    expect(await stateOf()).toBeUndefined()
  })

  test('ends without waiting, and its phones are free at once', async () => {
    const lab = await make({ phones: [['lab1', 'lab2']] })
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    two.plug(0)
    await until(async () => {
      const { body } = await two.get<{ devices: { host: string }[] }>('/devices')
      return body.devices.length === 1 && body.devices[0]?.host === 'lab1'
    }, 'both to list the phone once')
    await one.stop()
    await lab.owned('lab2', 0)
    expect((await two.post('/snapshot', { deviceId: two.serial(0) })).status).toBe(200)
  })
})
