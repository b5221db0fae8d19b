/** Elements over real HTTP: a form that is filled, a list that scrolls, elements that are gone, and what is read of them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { payloadOf } from '../../../support/executions/lab.ts'
import { until } from '../../../support/until.ts'
import {
  elementIdIn,
  startWebDriverLab,
  type TestSession,
  VAULT,
  type WebDriverLab,
} from '../../../support/webdriver/webdriver-lab.ts'

let lab: WebDriverLab
let session: TestSession
beforeAll(async () => {
  lab = await startWebDriverLab()
})
afterAll(() => lab.close())
beforeEach(async () => {
  if (session) await session.end()
  session = await lab.session({ 'appium:appPackage': VAULT })
})

const ID = `${VAULT}:id`
const byId = (name: string) => session.find('id', `${ID}/${name}`)
const byText = (text: string) => session.find('xpath', `//*[@text="${text}"]`)
const read = async (element: string, what: string) => (await session.get(`/element/${element}/${what}`)).value

const leaseId = async (): Promise<string> => {
  const listed = await (await lab.lab.services.service())['leases.list']({}, { context: { caller: 'cli' } })
  return (listed.ok && listed.value.leases[0]?.leaseId) || ''
}

const logIn = async () => {
  expect(
    (await session.post(`/element/${await byId('name')}/value`, { text: 'ada', value: ['a', 'd', 'a'] })).status,
  ).toBe(200)
  await session.post(`/element/${await byId('pin')}/value`, { text: '1234' })
  return session.post(`/element/${await session.find('accessibility id', 'log in')}/click`)
}

describe('a form', () => {
  test('is filled and sent, each command as one execution with a receipt', async () => {
    const clicked = await logIn()
    expect(clicked).toMatchObject({ status: 200, value: null })
    expect(await read(await byId('welcome'), 'text')).toBe('Welcome, Ada')
    const executionId = clicked.headers.get('svc-execution-id') ?? ''
    const service = await lab.lab.services.service()
    const found = await service['executions.get']({ executionId }, { context: { caller: 'cli' } })
    expect(found).toMatchObject({ ok: true, value: { execution: { state: 'settled', taskId: session.id } } })
  })

  test('typed text is added to what is there, and cleared', async () => {
    const name = await byId('name')
    await session.post(`/element/${name}/value`, { text: 'ada' })
    await session.post(`/element/${name}/value`, { text: 'byron' })
    expect(await read(name, 'text')).toBe('adabyron')
    expect((await session.post(`/element/${name}/clear`)).status).toBe(200)
    expect(await read(name, 'text')).toBe('Name')
    expect((await session.post(`/element/${name}/clear`)).status).toBe(200)
    await session.post(`/element/${name}/value`, { text: 'ab\uE003c' })
    expect(await read(name, 'text')).toBe('ac')
  })
})

test('what is no field takes no text and has none to clear, and nothing of it is touched', async () => {
  const login = await byId('login')
  const before = lab.lab.fleet.devices[0]?.phone.tree()
  for (const [command, body] of [
    ['value', { text: 'x' }],
    ['clear', {}],
  ] as const) {
    const refused = await session.post(`/element/${login}/${command}`, body)
    expect(refused, command).toMatchObject({ status: 400, value: { error: 'invalid element state' } })
  }
  expect(lab.lab.fleet.devices[0]?.phone.tree()).toEqual(before)
})

describe('what is read of an element', () => {
  test('is what Appium says', async () => {
    const login = await byId('login')
    expect(await read(login, 'text')).toBe('Log in')
    expect(await read(login, 'name')).toBe('android.widget.Button')
    expect(await read(login, 'attribute/content-desc')).toBe('log in')
    expect(await read(login, 'attribute/clickable')).toBe('true')
    expect(await read(login, 'property/resource-id')).toBe(`${ID}/login`)
    expect(await read(login, 'enabled')).toBe(true)
    expect(await read(login, 'selected')).toBe(false)
    expect(await read(login, 'displayed')).toBe(true)
    const { width, height } = await read(login, 'rect')
    expect(width).toBeGreaterThan(0)
    const png = Buffer.from(await read(login, 'screenshot'), 'base64')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height])
  })

  test('an attribute that there is not is refused by name', async () => {
    const answer = await session.get(`/element/${await byId('login')}/attribute/colour`)
    expect(answer.value.error).toBe('invalid argument')
    expect(answer.value.message).toContain('colour')
  })

  test('the focus, and what lies below an element', async () => {
    expect((await session.get('/element/active')).value.error).toBe('no such element')
    const name = await byId('name')
    await session.post(`/element/${name}/click`)
    expect(elementIdIn(await session.get('/element/active'))).toBe(name)
    await logIn()
    await session.post(`/element/${await byText('Items')}/click`)
    const list = await byId('list')
    const items = await session.post(`/element/${list}/elements`, {
      using: 'class name',
      value: 'android.widget.TextView',
    })
    expect(items.value.length).toBeGreaterThan(3)
    const first = await session.post(`/element/${list}/element`, { using: 'xpath', value: './/*[@text="Item 1"]' })
    expect(await read(elementIdIn(first), 'text')).toBe('Item 1')
  })
})

describe('finding', () => {
  test('waits as long as the implicit timeout says, and no longer than needed', async () => {
    await session.post('/timeouts', { implicit: 20_000 })
    const found = session.post('/element', { using: 'xpath', value: '//*[@text="Here at last"]' })
    await until(() => lab.lab.services.journal().last(`session:${session.id}`)?.to === 'active.commanding', 'a look')
    const call = { context: { caller: 'cli', leaseId: await leaseId() } } as const
    const service = await lab.lab.services.service()
    const execution = payloadOf([{ id: 'l', type: 'click', params: { matcher: { textEquals: 'Later' } } }])
    expect((await service.execute({ execution, waitMs: 10_000 } as never, call)).ok).toBe(true)
    expect((await found).status).toBe(200)
  })

  test('nothing is an empty list, or no such element', async () => {
    expect((await session.post('/elements', { using: 'id', value: 'none' })).value).toEqual([])
    expect(await session.post('/element', { using: 'id', value: 'none' })).toMatchObject({
      status: 404,
      value: { error: 'no such element' },
    })
  })

  test.each([
    ['xpath', '//['],
    ['-android uiautomator', 'new UiSelector().nonsense()'],
    ['name', 'x'],
  ])('%s %s is an invalid selector', async (using, value) => {
    expect(await session.post('/element', { using, value })).toMatchObject({
      status: 400,
      value: { error: 'invalid selector' },
    })
  })

  test.each([{}, { using: 'id' }, { using: 3, value: 'x' }, { using: 'id', value: 3 }])(
    'the body %j is an invalid argument',
    async body => {
      expect((await session.post('/element', body)).value.error).toBe('invalid argument')
    },
  )

  test('scrolls a list for UiScrollable, and taps what it found there', async () => {
    await logIn()
    await session.post(`/element/${await byText('Items')}/click`)
    expect((await session.get('/source')).value).not.toContain('"Item 10"')
    const found = await session.post('/element', {
      using: '-android uiautomator',
      value: 'new UiScrollable(new UiSelector().scrollable(true)).scrollIntoView(new UiSelector().text("Item 10"))',
    })
    expect(await read(elementIdIn(found), 'displayed')).toBe(true)
    await session.post(`/element/${await byText('Item 9')}/click`)
    expect(await read(await byId('welcome'), 'text')).toBe('Welcome, Ada')
  })
})

describe('an element that is gone', () => {
  test('is stale, and nothing is touched', async () => {
    const login = await byId('login')
    await logIn()
    const before = lab.lab.fleet.devices[0]?.phone.tree()
    for (const answer of [
      await session.post(`/element/${login}/click`),
      await session.post(`/element/${login}/value`, { text: 'x' }),
      await session.get(`/element/${login}/text`),
      await session.post(`/element/${login}/element`, { using: 'id', value: 'x' }),
    ])
      expect(answer).toMatchObject({ status: 404, value: { error: 'stale element reference' } })
    expect(lab.lab.fleet.devices[0]?.phone.tree()).toEqual(before)
  })

  test('was never there', async () => {
    expect(await session.post('/element/nobody/click')).toMatchObject({
      status: 404,
      value: { error: 'no such element' },
    })
  })
})

test('the source and the screen', async () => {
  expect((await session.get('/source')).value).toContain(
    '<hierarchy index="0" class="hierarchy" rotation="0" width="1080"',
  )
  expect((await session.get('/window/rect')).value).toEqual({ x: 0, y: 0, width: 1_080, height: 2_400 })
  const png = Buffer.from((await session.get('/screenshot')).value, 'base64')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_080, 2_400])
  await session.post('/back')
  expect((await session.get('/source')).value).not.toContain(VAULT)
})
