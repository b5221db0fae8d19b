/** Sessions over real HTTP: what a phone goes through between POST and DELETE, who has it, and how a session ends. */

import { afterEach, describe, expect, test } from 'vitest'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { until } from '../../../support/until.ts'
import {
  startWebDriverLab,
  type TestSession,
  VAULT,
  type WebDriverLab,
} from '../../../support/webdriver/webdriver-lab.ts'

let lab: WebDriverLab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

const start = async (options: Parameters<typeof startWebDriverLab>[0] = {}) => {
  lab = await startWebDriverLab(options)
  return lab
}

const stateOf = ({ lab: { services } }: WebDriverLab, { id }: TestSession) =>
  services.journal().last(`session:${id}`)?.to

const leases = async ({ lab: { services } }: WebDriverLab) => {
  const listed = await (await services.service())['leases.list']({}, { context: { caller: 'cli' } })
  return listed.ok ? listed.value.leases : []
}

describe('a session', () => {
  test('tells the phone as Appium does, and the app is reset and in front', async () => {
    const lab = await start()
    const session = await lab.session({ 'appium:appPackage': VAULT, 'appium:appActivity': '.LoginActivity', 'x:y': 1 })
    expect(session.capabilities).toMatchObject({
      platformName: 'Android',
      'appium:automationName': 'UiAutomator2',
      'appium:deviceUDID': lab.serials[0],
      'appium:platformVersion': '15',
      'appium:deviceScreenSize': '1080x2400',
      'appium:appPackage': VAULT,
      'x:y': 1,
    })
    expect((await session.get('')).value).toEqual(session.capabilities)
    await session.find('xpath', '//*[@text="Opened 1 times"]')
    expect((await lab.ask('GET', '/sessions')).value).toEqual([{ id: session.id, capabilities: session.capabilities }])
    expect((await session.end()).value).toBeNull()
    expect(stateOf(lab, session)).toBe('ended.deleted')
    expect(await leases(lab)).toEqual([])
  })

  test('with noReset finds the app as it was, and without autoLaunch starts nothing', async () => {
    const lab = await start()
    const first = await lab.session({ 'appium:appPackage': VAULT })
    await first.end()
    const second = await lab.session({ 'appium:appPackage': VAULT, 'appium:noReset': true })
    await second.find('xpath', '//*[@text="Opened 2 times"]')
    await second.end()
    await lab.lab.execute([{ id: 'h', type: 'press_key', params: { key: 'home' } }])
    const third = await lab.session({ 'appium:appPackage': VAULT, 'appium:autoLaunch': false })
    expect((await third.get('/source')).value).not.toContain(VAULT)
  })

  test('that cannot be opened names the execution that failed, and gives the phone back', async () => {
    const lab = await start()
    const refused = await lab.create({ 'appium:appPackage': 'com.example.missing' })
    expect(refused).toMatchObject({
      status: 500,
      value: { error: 'session not created', data: { code: 'APP_NOT_FOUND' } },
    })
    const { executionId } = refused.value.data
    const found = await (await lab.lab.services.service())['executions.get'](
      { executionId },
      { context: { caller: 'cli' } },
    )
    expect(found).toMatchObject({ ok: true, value: { execution: { state: 'settled', deviceId: lab.serials[0] } } })
    await (await lab.session()).end()
  })

  test('of an unknown phone, or of none, is refused with what there is', async () => {
    const lab = await start()
    expect(await lab.create({ 'appium:udid': 'nobody' })).toMatchObject({
      status: 500,
      value: {
        error: 'session not created',
        message: expect.stringMatching(new RegExp(`by appium:udid.*Connected: ${lab.serials[0]}`)),
        data: { code: 'DEVICE_NOT_FOUND' },
      },
    })
  })
})

describe('two sessions', () => {
  test('get two phones; a third is told who has them', async () => {
    const lab = await start({ count: 2 })
    const [one, two] = await Promise.all([lab.session(), lab.session()])
    const phones = [one, two].map(({ capabilities }) => capabilities['appium:deviceUDID'])
    expect(phones.sort()).toEqual([...lab.serials].sort())
    const third = await lab.create()
    expect(third).toMatchObject({ status: 500, value: { error: 'session not created' } })
    const { holders } = third.value.data.details
    expect(holders.map((holder: { sessionId: string }) => holder.sessionId).sort()).toEqual([one.id, two.id].sort())
    for (const { id } of [one, two]) expect(third.value.message).toContain(id)
  })

  test('that want the same phone: the second is told the session that has it', async () => {
    const lab = await start({ count: 2 })
    const [serial] = lab.serials
    const first = await lab.session({ 'appium:udid': serial })
    const second = await lab.create({ 'appium:udid': serial })
    expect(second.value).toMatchObject({ error: 'session not created', data: { holder: { sessionId: first.id } } })
    expect(second.value.message).toMatch(
      new RegExp(`is reserved by lease \\S+ \\(session ${first.id}\\) .*Create the session again once`),
    )
    expect(second.value.message).not.toMatch(/Svc-Lease|waitMs/)
    await first.end()
    await lab.session({ 'appium:udid': serial })
  })

  test('and nobody else acts on a phone that a session has', async () => {
    const lab = await start()
    const session = await lab.session()
    const { result } = await lab.lab.execute([{ id: 'b', type: 'press_key', params: { key: 'back' } }])
    expect(result).toMatchObject({
      ok: false,
      error: { code: DEVICE_CONFLICT, details: { holder: { sessionId: session.id } } },
    })
  })
})

describe('the end of a session', () => {
  test('comes by itself once no command has come for newCommandTimeout, and its phone is free', async () => {
    const lab = await start()
    const session = await lab.session({ 'appium:newCommandTimeout': 0.3 })
    await until(() => stateOf(lab, session) === 'ended.idle', 'the session to end')
    const late = await session.get('/timeouts')
    expect(late).toMatchObject({ status: 404, value: { error: 'invalid session id' } })
    expect(late.value.message).toContain('newCommandTimeout')
    await lab.session()
  })

  test('a command in the making is no idleness', async () => {
    const lab = await start()
    const session = await lab.session({ 'appium:newCommandTimeout': 0.3 })
    await session.post('/timeouts', { implicit: 1_000 })
    expect(await session.post('/element', { using: 'id', value: 'nothing' })).toMatchObject({
      status: 404,
      value: { error: 'no such element' },
    })
  })

  test('DELETE ends a command that waits', async () => {
    const lab = await start()
    const session = await lab.session()
    await session.post('/timeouts', { implicit: 60_000 })
    const waiting = session.post('/element', { using: 'id', value: 'nothing' })
    await until(() => stateOf(lab, session) === 'active.commanding', 'the command to begin')
    expect((await session.end()).status).toBe(200)
    expect((await waiting).value.error).toBe('invalid session id')
  })

  test('comes when its client leaves before it was opened, and the phone is free', async () => {
    const lab = await start()
    const left = new AbortController()
    const asked = fetch(`${lab.url}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ capabilities: { alwaysMatch: { 'appium:appPackage': VAULT } } }),
      signal: left.signal,
    }).catch(() => undefined)
    await until(async () => (await leases(lab)).length === 1, 'the phone to be reserved')
    left.abort()
    await asked
    await until(async () => (await leases(lab)).length === 0, 'the phone to be free')
    expect((await lab.ask('GET', '/sessions')).value).toEqual([])
    await lab.session()
  })

  test('with its server leaves no reservation', async () => {
    const lab = await start()
    const session = await lab.session()
    await lab.endServer()
    expect(stateOf(lab, session)).toBe('ended.closed')
    expect(lab.lab.services.journal().leases.list()).toEqual([])
  })

  test('a reservation that is ended by another one ends the session', async () => {
    const lab = await start()
    const session = await lab.session()
    const [lease] = await leases(lab)
    const service = await lab.lab.services.service()
    await service['leases.end']({ leaseId: lease?.leaseId ?? '' }, { context: { caller: 'cli' } })
    const refused = await session.post('/back')
    expect(refused.value).toMatchObject({
      error: 'invalid session id',
      data: { code: 'LEASE_NOT_FOUND', dispatched: false },
    })
    expect((await session.get('/timeouts')).value).toMatchObject({ error: 'invalid session id' })
    await until(() => stateOf(lab, session) === 'ended.lost', 'the session to end')
    expect((await lab.ask('GET', '/sessions')).value).toEqual([])
  })
})

test('the actors of a session and of its reservation name the phone, to the end', async () => {
  const lab = await start()
  const session = await lab.session()
  await session.post('/back')
  const service = await lab.lab.services.service()
  const actors = async () => {
    const listed = await service['actors.list']({}, { context: { caller: 'cli' } })
    return listed.ok ? listed.value.actors : []
  }
  const expected = { deviceId: lab.serials[0] }
  expect((await actors()).find(({ id }) => id === `session:${session.id}`)).toMatchObject(expected)
  expect((await actors()).find(({ sessionId }) => sessionId === session.id)).toMatchObject({
    ...expected,
    machine: 'reservation',
    state: 'held.ready',
  })
  await session.end()
  const got = await service['actors.get']({ id: `session:${session.id}` }, { context: { caller: 'cli' } })
  expect(got).toMatchObject({ ok: true, value: { actor: { ...expected, state: 'ended.deleted' } } })
})

test('what a client asked is on record, each command before it happens', async () => {
  const lab = await start()
  const session = await lab.session()
  const back = await session.post('/back')
  await session.post('/element', { using: 'id', value: 'nothing' })
  await session.end()
  const records = [...lab.lab.services.journal().records({ actor: `session:${session.id}`, limit: 50 })]
  const commands = records.map(({ event }) => event).filter(({ type }) => type.startsWith('command.'))
  const executionId = back.headers.get('svc-execution-id')
  expect(commands).toMatchObject([
    { type: 'command.begun', method: 'POST', path: '/back', executionId },
    { type: 'command.ended', error: null, executionIds: [executionId] },
    { type: 'command.begun', method: 'POST', path: '/element' },
    { type: 'command.ended', error: 'no such element' },
  ])
})

test('GET /events of the server has the executions of its sessions', async () => {
  const { url, ...lab } = await start({ webDriver: 'beside' })
  const session = await lab.session({ 'appium:appPackage': VAULT, 'appium:appActivity': '.LoginActivity' })
  const button = await session.find('xpath', '//*[@text="Opened 1 times"]')
  const events = await fetch(`${url}/events`)
  await session.post(`/element/${button}/click`)
  let told = ''
  for await (const piece of events.body ?? []) {
    told += Buffer.from(piece).toString()
    if (told.includes('event: svc:execution')) break
  }
  expect(told).toContain(`"actionType":"click"`)
})
