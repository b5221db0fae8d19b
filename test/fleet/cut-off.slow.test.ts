/** Hosts without servers, and with fewer of them: what they refuse meanwhile, and that nothing stays broken afterwards. */
import { describe, expect, test } from 'vitest'
import { payloadOf } from '../support/executions/lab.ts'
import { type FleetLab, fleetLab } from '../support/fleet/fleet-lab.ts'
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
    const seen = () => lab.fleet.devices[0]?.phone.arrivals().length
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
    expect(lab.fleet.devices[0]?.phone.arrivals().length).toBe(1)
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

  test('that is started while JetStream has no leader uses its own phones, and joins when there is one', async () => {
    const lab = await start({ hosts: ['lab1', 'lab2'], nodes: 3, notStarted: ['lab1'] })
    const host = lab.host('lab1')
    await lab.nats.kill(1)
    await lab.nats.kill(2)
    await host.start()
    expect((await host.get<Said>('/fleet')).body.connected).toBe(true)
    const other = `${lab.host('lab2').serial(1)}@lab2`
    for (const deviceId of [host.serial(0), `${host.serial(0)}@lab1`]) {
      expect((await host.post('/snapshot', { deviceId })).body).toMatchObject({ ok: true, deviceId: host.serial(0) })
    }
    for (const deviceId of [other, 'any'])
      expect((await host.post<Said>('/snapshot', { deviceId })).body.error?.code).toBe('FLEET_UNREACHABLE')
    expect((await host.get('/devices')).body).toMatchObject({ devices: [{ serial: host.serial(0) }] })
    await lab.nats.restart(1)
    await lab.nats.restart(2)
    const isServed = async () => (await host.post<Said>('/snapshot', { deviceId: other })).body.ok
    await until(isServed, 'the phone of the other host', 60_000)
  }, 150_000)

  test('whose servers come back without what they had stored is a member again, under a newer epoch', async () => {
    const lab = await start({ hosts: ['lab1', 'lab2'], phones: [['lab1', 'lab2'], ['lab2']] })
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    two.plug(0)
    const claimsAt = async (id: string) => {
      const actor = `ownership:${lab.fleet.devices[0]?.phone.properties.get('ro.serialno')}`
      type History = { events: { type: string; event: { epoch: number } }[] }
      const { events } = (await lab.host(id).get<History>(`/actors/${actor}/history`)).body
      return events.flatMap(({ type, event }) => (type === 'phone.claimed' ? [event.epoch] : []))
    }
    await untilState(lab, 'lab2', 'known.elsewhere')
    const before = await claimsAt('lab1')
    const used = { 'idempotency-key': 'of-the-old-servers' }
    const first = await two.post<Said>('/execute', { ...asked('before'), deviceId: one.serial(0) }, used)
    expect(first.body.ok).toBe(true)
    const events = await fetch(`${two.url()}/actors/events`)
    const reader = events.body?.getReader()
    let told = ''
    const reading = (async () => {
      for (;;) {
        const { value, done } = (await reader?.read().catch(() => undefined)) ?? { done: true, value: undefined }
        if (done) return
        told += Buffer.from(value ?? []).toString()
      }
    })()

    await lab.nats.kill(0)
    lab.nats.loseStore(0)
    await lab.nats.restart(0)

    await until(async () => (await claimsAt('lab1')).length > before.length, 'the phone to be claimed again', 60_000)
    const isServed = async () =>
      (await two.post<Said>('/execute', { ...asked('after'), deviceId: `${one.serial(0)}@lab1` })).body.ok
    await until(isServed, 'the phone of the other host to answer again', 60_000)
    const claims = await claimsAt('lab1')
    expect(claims).toEqual([...new Set(claims)].sort((a, b) => a - b))
    expect(await claimsAt('lab2')).toEqual([])
    expect(await stateAt(lab, 'lab2')).toBe('known.elsewhere')
    await until(() => told.includes('"execution.dispatched"') && told.includes('svc:gap'), 'the log to go on', 30_000)
    type Listed = { devices: { host: string }[] }
    const devices = async () => (await one.get<Listed>('/devices')).body.devices.map(({ host }) => host).sort()
    expect(await devices()).toEqual(['lab1', 'lab2'])
    await reader?.cancel()
    await reading
    // Whoever joins now learns of both.
    await two.stop()
    await two.start()
    await until(async () => (await devices()).length === 2, 'both to know each other')
  }, 150_000)
})
