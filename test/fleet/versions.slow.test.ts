/** Hosts of other versions in one fleet: neighbours work together, another protocol is sent nothing, and each says so. */
import { headers as natsHeaders } from '@nats-io/transport-node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FLEET_PROTOCOL } from '../../src/contracts/fleet.ts'
import { createExchange } from '../../src/fleet/exchange/exchange.ts'
import { connectFleet } from '../../src/fleet/servers/connection.ts'
import { namesOf } from '../../src/fleet/servers/names.ts'
import { openStores } from '../../src/fleet/servers/stores.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { runCliHere } from '../support/cli/cli-here.ts'
import { type FleetLab, fleetLab } from '../support/fleet/fleet-lab.ts'
import { readEvents } from '../support/http/http-client.ts'
import { needs } from '../support/needs.ts'
import { until, wait } from '../support/until.ts'

const RAN = {
  ok: true,
  deviceId: 'S9',
  terminalSource: 'svc_result',
  envelope: { commandId: 'c', taskId: 't', status: 'success', stepResults: [], error: null },
}
const NEXT = 'next'
const clock = systemClock()

/** A host that says of itself what no build of today says, and what it was asked. */
const startNext = async (lab: FleetLab, protocol: number) => {
  const names = namesOf('svc')
  const connection = await connectFleet({ urls: lab.nats.urls, names, self: NEXT }, clock)
  onTestFinished(() => connection.close())
  const { hosts } = await openStores(connection, names)
  const labels = { android: '18' }
  const device = { serial: 'S9', state: 'device', labels, phone: 'device:HW9', epoch: 3, temperature: 40 }
  const said = { host: NEXT, instance: 'next-1', version: '9.9.9', pid: 1, startedAt: 1, draining: false, labels: {} }
  const record = { protocol, ...said, devices: [device], region: 'north' }
  const revision = await hosts.put(NEXT, JSON.stringify(record))
  const asked: string[] = []
  const exchange = createExchange({ connection, names, self: NEXT, clock })
  const serving = exchange.serve('next-1', async ({ path, headers }) => {
    asked.push(`${path} under ${headers['svc-fleet-epoch']} from ${headers['svc-fleet-from']}`)
    const body = new TextEncoder().encode(JSON.stringify({ ...RAN, news: 1 }))
    return { status: 200, headers: { 'content-type': 'application/json', 'svc-execution-id': 'e9' }, body }
  })
  let isOver = false
  onTestFinished(async () => {
    isOver = true
    await serving.close()
    exchange.close()
  })
  const beat = async () => {
    const said = { instance: 'next-1', revision, head: 5, mirrored: 5, busy: [], load: 0.5 }
    while (!isOver) {
      connection.nc.publish(names.beat(NEXT), JSON.stringify(said))
      await wait(500)
    }
  }
  void beat()
  return { asked, connection, names }
}

type Devices = { devices: { serial: string; host: string }[] }
const listed = (lab: FleetLab) =>
  until(async () => {
    const { body } = await lab.host('lab1').get<Devices>('/devices')
    return body.devices.some(({ serial, host }) => serial === 'S9' && host === NEXT)
  }, 'the phone of the other version to be listed')

const status = async (lab: FleetLab) => (await lab.host('lab1').get<{ hosts: object[] }>('/fleet')).body.hosts

describe.skipIf(!needs('nats-server'))('a host of the next version', () => {
  const make = fleetLab()

  test('is listed, and answers for its phones: what it says more is passed over', async () => {
    const lab = await make({ inProcess: true, hosts: ['lab1'] })
    const { asked } = await startNext(lab, FLEET_PROTOCOL)
    await listed(lab)
    expect(await status(lab)).toContainEqual(
      expect.objectContaining({ host: NEXT, state: 'serving', version: '9.9.9', protocol: FLEET_PROTOCOL }),
    )
    const answered = await lab.host('lab1').post('/snapshot', { deviceId: 'any:android>=18' })
    expect([answered.status, answered.body]).toEqual([200, RAN])
    // Whoever lists phones asks for their reservations, which this host does not know.
    expect(asked.filter(each => !each.startsWith('/leases '))).toEqual(['/execute under 3 from lab1'])
  })

  test('that speaks another protocol is listed and sent nothing; its phones are refused by its name and version', async () => {
    const lab = await make({ inProcess: true, hosts: ['lab1'] })
    const { asked } = await startNext(lab, FLEET_PROTOCOL + 1)
    await listed(lab)
    expect(await status(lab)).toContainEqual(expect.objectContaining({ host: NEXT, protocol: FLEET_PROTOCOL + 1 }))
    const one = lab.host('lab1')
    const refused = await one.post('/snapshot', { deviceId: `S9@${NEXT}` })
    expect(refused).toMatchObject({
      status: 503,
      body: {
        error: {
          code: 'FLEET_HOST_GONE',
          message: `Host ${NEXT} (svc 9.9.9) speaks protocol ${FLEET_PROTOCOL + 1} of fleets and this host protocol ${FLEET_PROTOCOL}; nothing was sent.`,
          hint: expect.stringContaining('one version of svc'),
          details: { host: NEXT, protocol: FLEET_PROTOCOL + 1, dispatched: false },
        },
      },
    })
    expect(await one.post('/snapshot', { deviceId: 'any:android>=18' })).toMatchObject({
      body: { error: { code: 'NO_DEVICES' } },
    })
    // A phone of the own version goes on, and lists say whose answers are missing.
    await lab.owned('lab1', 0)
    expect((await one.post('/snapshot', { deviceId: 'any:host=lab1' })).status).toBe(200)
    const { body } = await one.get('/executions')
    expect(body).toMatchObject({ unanswered: [{ host: NEXT, code: 'FLEET_HOST_GONE' }] })
    expect(asked).toEqual([])
  })

  test('alone in the fleet of a command: the command says which versions are there', async () => {
    const lab = await make({ inProcess: true, hosts: ['lab1'], notStarted: ['lab1'] })
    const starting = lab.host('lab1')
    await starting.start()
    await starting.stop()
    const { asked } = await startNext(lab, FLEET_PROTOCOL + 1)
    const env = { HOME: starting.home, PATH: '', SVC_FLEET: lab.nats.urls.join(','), SVC_NO_DAEMON: '1' }
    const said = await runCliHere(['snapshot', '--device', `S9@${NEXT}`], { env })
    const text = said.stdout + said.stderr
    expect(text).toContain('FLEET_UNREACHABLE')
    expect(text).toContain(`next (svc 9.9.9, protocol ${FLEET_PROTOCOL + 1})`)
    expect(asked).toEqual([])
  })

  test('writes forms into the log that this one does not know: a gap names them, and no other record is lost', async () => {
    const lab = await make({ inProcess: true, hosts: ['lab1'] })
    const { connection, names } = await startNext(lab, FLEET_PROTOCOL)
    const step = { actor: 'device:S9', machine: 'device', event: 'x', from: '', to: 'idle', at: 1 }
    const known = { seq: 4, ...step, weight: 2 }
    const entries = [known, { seq: 5, form: 2, steps: [step] }, { ...known, seq: 6 }]
    const put = async (data: object, seq: number) => {
      const headers = natsHeaders()
      for (const [name, value] of [
        ['Svc-Journal', 'j'],
        ['Svc-Seq', `${seq}`],
        ['Svc-Digest', 'd'],
      ] as const)
        headers.set(name, value)
      await connection.js.publish(names.log(NEXT), JSON.stringify(data), { headers })
    }
    await put({ entries }, 6)
    await put({ form: 2, packed: 'x' }, 9)
    await put({ entries: [{ ...known, seq: 10 }] }, 10)

    const reader = await readEvents(`${lab.host('lab1').url()}/actors/events`, { 'Last-Event-ID': '0.0' })
    onTestFinished(() => reader.close())
    type Told = { host?: string; seq?: number; reason?: string; from?: number }
    const ofNext = () => reader.events.map(({ data }) => data as Told).filter(({ host }) => host === NEXT)
    await until(() => ofNext().some(({ seq }) => seq === 10), 'the last record')
    expect(ofNext().map(({ seq, reason, from }) => (reason === undefined ? seq : `${reason} ${from}`))).toEqual([
      4,
      'records-unreadable 5',
      6,
      'records-unreadable undefined',
      10,
    ])
  })
})
