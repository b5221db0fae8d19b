/** Sessions in a fleet: on a phone of another host, named or chosen by its labels, and what a client is told when that host dies. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Reservation } from '../../../../src/contracts/reservation.ts'
import { type FleetLab, startFleetLab } from '../../../support/fleet/fleet-lab.ts'
import { needs } from '../../../support/needs.ts'
import { until } from '../../../support/until.ts'
import { type TestSession, VAULT, vaultScenario, wireClient } from '../../../support/webdriver/webdriver-lab.ts'

const there = (lab: FleetLab) => `${lab.host('lab2').serial(1)}@lab2`
const at = (lab: FleetLab, host: string) => wireClient(lab.host(host).url())
const leases = async (lab: FleetLab, host: string) =>
  (await lab.host(host).get<{ leases: Reservation[] }>('/leases')).body.leases

const WEBDRIVER = { scenario: vaultScenario(), flags: ['--webdriver'] }

describe.skipIf(!needs('nats-server'))('a session through one host on the phone of another', () => {
  let lab: FleetLab
  const sessions: TestSession[] = []
  beforeAll(async () => {
    lab = await startFleetLab({ ...WEBDRIVER, inProcess: true })
  }, 120_000)
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.end()
  })
  afterAll(() => lab?.close())

  const open = async (host: string, capabilities: object) => {
    const session = await at(lab, host).session(capabilities)
    sessions.push(session)
    return session
  }

  test('finds, types, clicks and sees what is stale, and DELETE gives the phone back', async () => {
    const session = await open('lab1', { 'appium:udid': there(lab), 'appium:appPackage': VAULT })
    expect(session.capabilities).toMatchObject({ 'appium:deviceUDID': there(lab), 'appium:appPackage': VAULT })
    expect(await leases(lab, 'lab2')).toMatchObject([{ deviceId: there(lab), sessionId: session.id }])
    for (const [name, text] of [
      ['name', 'ada'],
      ['pin', '1234'],
    ]) {
      const field = await session.find('id', `${VAULT}:id/${name}`)
      expect((await session.post(`/element/${field}/value`, { text })).status).toBe(200)
    }
    const login = await session.find('accessibility id', 'log in')
    const clicked = await session.post(`/element/${login}/click`)
    expect(clicked).toMatchObject({ status: 200, value: null })
    const welcome = await session.find('id', `${VAULT}:id/welcome`)
    expect((await session.get(`/element/${welcome}/text`)).value).toBe('Welcome, Ada')
    const executionId = clicked.headers.get('svc-execution-id')
    for (const host of ['lab1', 'lab2'])
      expect((await lab.host(host).get(`/executions/${executionId}`)).body).toMatchObject({
        execution: { state: 'settled', host: 'lab2', taskId: session.id },
      })

    const before = lab.fleet.devices[1]?.phone.tree()
    const stale = await session.post(`/element/${login}/click`)
    expect(stale).toMatchObject({ status: 404, value: { error: 'stale element reference' } })
    expect(lab.fleet.devices[1]?.phone.tree()).toEqual(before)
    const picture = Buffer.from((await session.get('/screenshot')).value, 'base64')
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1_080, 2_400])

    expect((await session.end()).status).toBe(200)
    expect(await leases(lab, 'lab2')).toEqual([])
    await open('lab2', { 'appium:udid': lab.host('lab2').serial(1) })
  })

  test('is on a phone that its labels name', async () => {
    const session = await open('lab1', { 'appium:udid': 'any:host=lab2' })
    expect(session.capabilities['appium:deviceUDID']).toBe(there(lab))
    expect((await session.post('/back')).status).toBe(200)
    expect(await at(lab, 'lab1').create({ 'appium:udid': 'any:host=nowhere' })).toMatchObject({
      status: 500,
      value: { error: 'session not created', data: { dispatched: false } },
    })
  })

  test('without a udid takes a phone of any host, and one that comes then is told who has them', async () => {
    const [one, two] = [await open('lab1', {}), await open('lab1', {})]
    const taken = [one, two].map(({ capabilities }) => capabilities['appium:deviceUDID'])
    expect(new Set(taken)).toEqual(new Set([`${lab.host('lab1').serial(0)}@lab1`, there(lab)]))
    const third = await at(lab, 'lab2').create()
    expect(third).toMatchObject({ status: 500, value: { error: 'session not created' } })
    for (const { id } of [one, two]) expect(third.value.message).toContain(id)
  })

  test('that another session has is refused by whichever host is asked, and names that session', async () => {
    const first = await open('lab1', { 'appium:udid': there(lab) })
    for (const host of ['lab1', 'lab2']) {
      for (const udid of [there(lab), 'any:host=lab2']) {
        const refused = await at(lab, host).create({ 'appium:udid': udid })
        expect(refused, `${udid} at ${host}`).toMatchObject({
          status: 500,
          value: {
            error: 'session not created',
            message: expect.stringContaining(first.id),
            data: { holder: { sessionId: first.id } },
          },
        })
      }
    }
  })
})

describe.skipIf(!needs('nats-server'))('when the host of the phone dies', () => {
  let lab: FleetLab | undefined
  afterEach(() => lab?.close())

  test('commands say so, and the session ends once nobody can extend its reservation', async () => {
    lab = await startFleetLab(WEBDRIVER)
    const client = at(lab, 'lab1')
    const session = await client.session({ 'appium:udid': there(lab), 'appium:newCommandTimeout': 600 })
    const name = await session.find('class name', 'android.widget.EditText')
    const named = there(lab)
    const phone = lab.fleet.devices[1]?.phone
    const seen = phone?.executions().length ?? 0
    const typing = session.post(`/element/${name}/value`, { text: 'x'.repeat(5_000) })
    await until(() => (phone?.executions().length ?? 0) > seen, 'the phone to have it')
    await lab.host('lab2').kill()
    const lost = await typing
    const executionId = lost.headers.get('svc-execution-id')
    expect(lost).toMatchObject({
      status: 500,
      value: { error: 'unknown error', data: { code: 'FLEET_HOST_GONE', executionId } },
    })
    // Whether the host had told the others that it was sent.
    expect([true, 'unknown']).toContain(lost.value.data.dispatched)
    expect(lost.value.message).toContain('lab2')

    const refused = await session.post(`/element/${name}/click`)
    expect(refused).toMatchObject({
      status: 500,
      value: { error: 'unknown error', data: { code: 'FLEET_HOST_GONE', dispatched: false } },
    })
    expect([refused.value.data.executionId, refused.headers.get('svc-execution-id')]).toEqual([undefined, null])
    expect(await client.create({ 'appium:udid': named })).toMatchObject({
      status: 500,
      value: { error: 'session not created', data: { code: 'FLEET_HOST_GONE', dispatched: false } },
    })

    await lab.host('lab2').start()
    await lab.owned('lab2', 1)
    // The reservation ended with the process that kept it.
    await until(async () => (await session.get('/timeouts')).status === 404, 'the session to be over', 40_000)
    // While the session closes, it says that its phone is given back.
    const why = async () => (await session.post('/back')).value.message as string
    await until(async () => (await why()).includes('the reservation of its phone was lost'), 'the end to be told')
    expect(await session.post('/back')).toMatchObject({ status: 404, value: { error: 'invalid session id' } })
    await (await client.session({ 'appium:udid': there(lab) })).end()
  }, 180_000)
})
