/** Hosts without servers, and with fewer of them: what they refuse meanwhile, and that nothing stays broken afterwards. */
import { describe, expect, test } from 'vitest'
import { type FleetLab, fleetLab } from '../support/fleet-lab.ts'
import { payloadOf } from '../support/lab.ts'
import { needs } from '../support/needs.ts'
import { until, wait } from '../support/until.ts'

type Said = { ok: boolean; error?: { code: string; details: object }; connected?: boolean }

describe.skipIf(!needs('nats-server')).concurrent('a host', () => {
  const start = fleetLab()
  const stateAt = async (lab: FleetLab, id: string) => {
    const actor = `ownership:${lab.fleet.devices[0]?.phone.properties.get('ro.serialno')}`
    const { body } = await lab.host(id).get<{ actor?: { state: string } }>(`/actors/${actor}`)
    return body.actor?.state
  }
  const untilState = (lab: FleetLab, id: string, state: string) =>
    until(async () => (await stateAt(lab, id)) === state, `${state} at ${id}`, 30_000)
  const asked = (commandId: string) => ({
    execution: payloadOf([{ id: 'a', type: 'sleep', params: { durationMs: 1 } }], { commandId }),
  })

  test('that is cut off takes no new Idempotency-Key, and answers one that it has used', async () => {
    const lab = await start({ hosts: ['lab1'], linked: true })
    const host = lab.host('lab1')
    const isConnected = async () => (await host.get<Said>('/fleet')).body.connected === true
    const seen = () => lab.fleet.devices[0]?.phone.executions().length
    const deviceId = host.serial(0)
    const used = await host.post<Said>('/execute', { ...asked('used'), deviceId }, { 'idempotency-key': 'used' })
    expect(used.body.ok).toBe(true)
    host.cut('loud')
    await until(async () => !(await isConnected()), 'the cut')
    const again = await host.post<Said>('/execute', { ...asked('used'), deviceId }, { 'idempotency-key': 'used' })
    expect(again.body).toEqual(used.body)
    const fresh = { ...asked('fresh'), deviceId }
    const refused = await host.post<Said>('/execute', fresh, { 'idempotency-key': 'fresh' })
    expect([refused.status, refused.body.error?.code]).toEqual([503, 'FLEET_UNREACHABLE'])
    expect(refused.body.error?.details).toMatchObject({ dispatched: false })
    expect(seen()).toBe(1)
    expect((await host.post<Said>('/execute', { ...asked('plain'), deviceId })).body.ok).toBe(true)
    host.heal()
    await until(isConnected, 'the link')
    await until(
      async () => (await host.post<Said>('/execute', fresh, { 'idempotency-key': 'fresh' })).body.ok,
      'the key to be taken',
    )
    expect(seen()).toBe(3)
  })

  test('that is killed is back with its phone, while one of the servers is down', async () => {
    const lab = await start({ hosts: ['lab1', 'lab2'], nodes: 3 })
    await lab.nats.kill(0)
    await lab.host('lab1').kill()
    const gone = await lab
      .host('lab2')
      .post<Said>('/execute', { ...asked('gone'), deviceId: lab.host('lab1').serial(0) })
    expect(gone.body.ok).toBe(false)
    expect(gone.body.error?.details).toMatchObject({ dispatched: false })
    await lab.host('lab1').start()
    await lab.owned('lab1', 0).catch(() => lab.owned('lab1', 0))
    await until(
      async () =>
        (await lab.host('lab2').post<Said>('/execute', { ...asked('back'), deviceId: lab.host('lab1').serial(0) })).body
          .ok,
      'the phone to answer through the other host',
    )
    expect(lab.fleet.devices[0]?.phone.executions().length).toBe(1)
  })

  test('that is back gives a phone free that was unplugged while it was cut off', async () => {
    const lab = await start({ phones: [['lab1', 'lab2']], linked: true })
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    one.cut('loud')
    one.unplug(0)
    await untilState(lab, 'lab1', 'releasing')
    // Longer than a host that leaves waits for the servers to take its phones back, and shorter than its lease.
    await wait(4_000)
    one.heal()
    two.plug(0)
    await lab.owned('lab2', 0)
    const { body } = await two.post('/execute', { ...asked('moved'), deviceId: two.serial(0) })
    expect(body).toMatchObject({ ok: true })
  })
})
