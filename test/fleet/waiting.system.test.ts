/** A request that waits at another host of a fleet for its phone, and leaves with the connection of its caller. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Receipt } from '../../src/contracts/executions/receipt.ts'
import { HOLDING, letGo } from '../support/executions/held-phone.ts'
import { type FleetLab, startFleetLab } from '../support/fleet/fleet-lab.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

describe.skipIf(!needs('nats-server'))('a request for the busy phone of another host', () => {
  let lab: FleetLab
  beforeAll(async () => {
    lab = await startFleetLab({ hosts: ['a', 'b'], phones: [['a']], inProcess: true })
    await lab.owned('a', 0)
  })
  afterAll(() => lab.close())

  const receipts = async (): Promise<Receipt[]> =>
    (await lab.host('a').get<{ executions: Receipt[] }>('/executions')).body.executions
  const waiting = (count: number) =>
    until(
      async () => (await receipts()).filter(({ state }) => state === 'waiting').length === count,
      `${count} requests to wait`,
    )

  test('waits there, runs when the phone is free, and leaves with its connection', async () => {
    const { host, fleet } = lab
    const deviceId = `${host('a').serial(0)}@a`
    const holding = host('a').post('/execute', { execution: HOLDING, deviceId: host('a').serial(0) })
    await until(() => fleet.devices[0]?.phone.arrivals().length === 1, 'the phone to be busy')
    const body = { deviceId, waitMs: 60_000 }
    const snapshot = host('b').post('/snapshot', body)
    await waiting(1)
    const leaving = request(`${host('b').url()}/snapshot`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
    })
    leaving.on('error', () => {})
    leaving.end(JSON.stringify(body))
    await waiting(2)
    leaving.destroy()
    await waiting(1)
    letGo(fleet)
    expect([(await holding).status, (await snapshot).status]).toEqual([200, 200])
    expect((await receipts()).filter(({ accepted }) => accepted === false)).toMatchObject([{ state: 'settled' }])
    expect(fleet.devices[0]?.phone.arrivals()).toHaveLength(2)
  })
})
