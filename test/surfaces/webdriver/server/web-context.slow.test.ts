/** A web context over a simulated phone: the page of a hybrid app is read, touched and left, and each act has a receipt. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLOSED, HYBRID, hybridApp, SITE } from '../../../support/device/hybrid-app.ts'
import {
  elementIdIn,
  startWebDriverLab,
  type TestSession,
  type WebDriverLab,
} from '../../../support/webdriver/webdriver-lab.ts'

const WEB = `WEBVIEW_${HYBRID}`

let lab: WebDriverLab
let session: TestSession
beforeAll(async () => {
  lab = await startWebDriverLab({ scenario: hybridApp(), webDriver: 'beside' })
})
afterAll(() => lab.close())
beforeEach(async () => {
  session = await lab.session({ 'appium:appPackage': HYBRID })
})
afterEach(() => session.end())

const inPage = async () => {
  const switched = await session.post('/context', { name: WEB })
  expect(switched).toMatchObject({ status: 200, value: null })
}
const css = (value: string) => session.find('css selector', value)
const native = (text: string) => session.find('xpath', `//*[@text="${text}"]`)

test('contexts are listed by application, and a wrong name says which there are', async () => {
  expect((await session.get('/contexts')).value).toEqual(['NATIVE_APP', WEB])
  expect((await session.get('/context')).value).toBe('NATIVE_APP')
  const detailed = await session.post('/execute/sync', { script: 'mobile: getContexts', args: [{}] })
  expect(detailed.value).toEqual([
    {
      proc: expect.stringMatching(/^@webview_devtools_remote_\d+$/),
      webview: expect.stringMatching(/^WEBVIEW_\d+$/),
      webviewName: WEB,
      info: { 'Android-Package': HYBRID },
      pages: [expect.objectContaining({ id: 'PAGE0', title: 'Hybrid: sign in', url: `${SITE}/login`, type: 'page' })],
    },
  ])
  expect(await session.post('/context', { name: 'WEBVIEW_com.example.hybri' })).toMatchObject({
    status: 404,
    value: {
      error: 'no such context',
      message: expect.stringMatching(/NATIVE_APP, WEBVIEW_com\.example\.hybrid.*Did you mean/),
    },
  })
  await inPage()
  expect((await session.get('/context')).value).toBe(WEB)
})

test('a page is read: title, address, source and its elements', async () => {
  await inPage()
  expect((await session.get('/title')).value).toBe('Hybrid: sign in')
  expect((await session.get('/url')).value).toBe(`${SITE}/login`)
  expect((await session.get('/source')).value).toContain('<h1 id="title">Sign in</h1>')
  const button = await css('#login')
  const read = async (what: string) => (await session.get(`/element/${button}/${what}`)).value
  expect(await read('text')).toBe('Log in')
  expect(await read('name')).toBe('button')
  expect(await read('attribute/type')).toBe('submit')
  expect(await read('property/className')).toBe('main button')
  expect(await read('css/visibility')).toBe('visible')
  expect([await read('displayed'), await read('enabled'), await read('selected')]).toEqual([true, true, false])
  expect(await read('rect')).toMatchObject({ width: expect.any(Number) })
  for (const [using, value] of [
    ['xpath', '//button[@id="login"]'],
    ['id', 'login'],
    ['class name', 'main'],
    ['tag name', 'button'],
  ] as const)
    expect(await session.find(using, value)).toBe(button)
  expect(await session.find('link text', 'I need help')).toBe(await session.find('partial link text', 'need'))
  expect((await session.post('/elements', { using: 'css selector', value: 'input' })).value).toHaveLength(2)
})

test.each(['com.svc.operator', 'svc.shell'])(
  'a login by touches and keys of %s, each with a receipt',
  async operator => {
    await session.end()
    session = await lab.session({ 'appium:appPackage': HYBRID, 'svc:operatorPackage': operator })
    await inPage()
    const typed = await session.post(`/element/${await css('#user')}/value`, { text: 'adam' })
    expect(typed).toMatchObject({ status: 200 })
    await session.post(`/element/${await css('#user')}/clear`)
    expect((await session.get(`/element/${await css('#user')}/property/value`)).value).toBe('')
    await session.post(`/element/${await css('#user')}/value`, { text: 'ada' })
    await session.post(`/element/${await session.find('name', 'pin')}/value`, { text: '1234' })
    const clicked = await session.post(`/element/${await css('#login')}/click`)
    expect(clicked).toMatchObject({ status: 200, value: null })
    const id = clicked.headers.get('svc-execution-id') ?? ''
    const receipt = await (await fetch(`${lab.url}/executions/${id}`)).json()
    expect(receipt).toMatchObject({ execution: { executionId: id } })
    expect(JSON.stringify(receipt)).toContain('"click"')
    expect((await session.get(`/element/${await css('#welcome')}/text`)).value).toBe('Welcome, Ada')
    expect((await session.post('/context', { name: 'NATIVE_APP' })).status).toBe(200)
    expect(await native('Welcome, Ada')).toBeTruthy()
  },
)

test('what only reads has no receipt in its answer', async () => {
  await inPage()
  expect((await session.get('/title')).headers.get('svc-execution-id')).toBeNull()
})

test('an element is stale once its page is left, and is not touched', async () => {
  await inPage()
  const title = await css('#title')
  await session.post('/url', { url: `${SITE}/help` })
  expect((await session.get('/title')).value).toBe('Hybrid: help')
  for (const answer of [await session.get(`/element/${title}/text`), await session.post(`/element/${title}/click`)])
    expect(answer).toMatchObject({ status: 404, value: { error: 'stale element reference' } })
  await session.post('/back')
  expect((await session.get('/title')).value).toBe('Hybrid: sign in')
  expect((await session.get(`/element/${title}/text`)).value).toBe('Sign in')
  await session.post('/refresh')
  expect((await session.get(`/element/${title}/text`)).value.error).toBe('stale element reference')
})

test('a link leads to its page', async () => {
  await inPage()
  await session.post(`/element/${await session.find('link text', 'I need help')}/click`)
  expect((await session.get('/url')).value).toBe(`${SITE}/help`)
})

test('elements of the two contexts never mix', async () => {
  const button = await native('Settings')
  await inPage()
  const title = await css('#title')
  expect((await session.post(`/element/${button}/click`)).value).toMatchObject({
    error: 'no such element',
    message: expect.stringContaining('switch to NATIVE_APP'),
  })
  await session.post('/context', { name: 'NATIVE_APP' })
  expect((await session.post(`/element/${title}/click`)).value).toMatchObject({
    error: 'no such element',
    message: expect.stringContaining('switch to the web view'),
  })
})

test('a page that is gone is no such window', async () => {
  await inPage()
  const title = await css('#title')
  await session.post('/context', { name: 'NATIVE_APP' })
  const settings = await native('Settings')
  await inPage()
  await session.post('/context', { name: 'NATIVE_APP' })
  await session.post(`/element/${settings}/click`)
  expect((await session.get('/contexts')).value).toEqual(['NATIVE_APP'])
  expect(title).toBeTruthy()
  expect((await session.post('/context', { name: WEB })).value.error).toBe('no such context')
})

test('pages of one application are windows', async () => {
  await session.post(`/element/${await native('Both')}/click`)
  await inPage()
  const handles: string[] = (await session.get('/window/handles')).value
  expect(handles).toHaveLength(2)
  expect((await session.get('/window')).value).toBe(handles[0])
  const first = await css('#p')
  expect((await session.get(`/element/${first}/text`)).value).toBe('The first')
  await session.post('/window', { handle: handles[1] })
  expect((await session.get(`/element/${await css('#p')}/text`)).value).toBe('The second')
  expect((await session.get(`/element/${first}/text`)).value.error).toBe('no such element')
  expect((await session.post('/window', { handle: 'X' })).value).toMatchObject({
    error: 'no such window',
    message: expect.stringContaining(handles.join(', ')),
  })
})

test('an application that forbids it says how to change that', async () => {
  await session.end()
  session = await lab.session({ 'appium:appPackage': CLOSED })
  expect((await session.post('/context', { name: `WEBVIEW_${CLOSED}` })).value).toMatchObject({
    error: 'no such context',
    message: expect.stringContaining('setWebContentsDebuggingEnabled(true)'),
  })
})

test('Chrome is named as Appium names it', async () => {
  await session.end()
  session = await lab.session({ 'appium:appPackage': 'com.android.chrome' })
  expect((await session.get('/contexts')).value).toContain('WEBVIEW_chrome')
  await session.post('/context', { name: 'WEBVIEW_chrome' })
  expect((await session.get('/title')).value).toBe('A tab')
})

test('what is not offered is refused by its name', async () => {
  expect((await session.get('/title')).value).toMatchObject({
    error: 'unsupported operation',
    message: expect.stringContaining('switch to a web view'),
  })
  await inPage()
  expect((await session.get('/cookie')).value.error).toBe('unsupported operation')
  expect((await session.post('/frame', { id: 0 })).value.error).toBe('no such frame')
  expect((await session.post('/url', { url: 'javascript:alert(1)' })).value.error).toBe('invalid argument')
  expect((await session.post('/execute/sync', { script: 'return 1', args: [] })).value).toMatchObject({
    error: 'unsupported operation',
    message: expect.stringMatching(/a simulated page runs no scripts\. Run the script in a page of a real device/),
  })
  expect((await session.post('/element', { using: 'css selector', value: 'li[' })).value.error).toBe('invalid selector')
  expect((await session.post('/element', { using: 'css selector', value: '#nothing' })).value.error).toBe(
    'no such element',
  )
  expect((await session.post('/element', { using: 'accessibility id', value: 'x' })).value.error).toBe(
    'invalid selector',
  )
  const pointers = {
    actions: [
      {
        type: 'pointer',
        id: 'f',
        parameters: { pointerType: 'touch' },
        actions: [
          { type: 'pointerMove', duration: 0, x: 1, y: 1 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ],
  }
  expect((await session.post('/actions', pointers)).value.error).toBe('unsupported operation')
  expect((await session.post('/execute/sync', { script: 'mobile: getCurrentPackage', args: [] })).value).toBe(HYBRID)
  expect(elementIdIn(await session.get('/element/active'))).toBeTruthy()
})

test('a selector that is none says why, however long it is, and that nothing was touched', async () => {
  await inPage()
  for (const [using, value] of [
    ['css selector', `li[${'x'.repeat(5_000)}`],
    ['xpath', `//li[${'x'.repeat(5_000)}`],
  ] as const)
    expect((await session.post('/element', { using, value })).value).toMatchObject({
      error: 'invalid selector',
      message: expect.stringContaining('of a simulated page'),
      data: { dispatched: false, reason: 'invalid selector', details: { reason: 'invalid selector' } },
    })
  expect((await session.post(`/element/${await css('#title')}/value`, { text: 'x' })).value.data).toMatchObject({
    dispatched: false,
    reason: 'not interactable',
  })
})

test('an application that has ended is told as such', async () => {
  await inPage()
  await session.post('/execute/sync', { script: 'mobile: terminateApp', args: [{ appId: HYBRID }] })
  const { value } = await session.get('/title')
  expect(value).toMatchObject({
    error: 'no such window',
    message: expect.stringMatching(/it has ended, or.*Start the application again.*setWebContentsDebuggingEnabled/),
  })
})

test('an address that is none is refused in the words of the command', async () => {
  await inPage()
  for (const url of ['help', 'javascript:alert(1)', 7])
    expect((await session.post('/url', { url })).value).toMatchObject({
      error: 'invalid argument',
      message: expect.stringMatching(/^url must be an address with a scheme/),
    })
  expect((await session.post('/frame', { id: 1_001 })).value.error).toBe('no such frame')
})

test('gestures of mobile methods touch elements of the page, or say that they cannot', async () => {
  await inPage()
  const gesture = async (name: string, args: object) =>
    await session.post('/execute/sync', { script: `mobile: ${name}`, args: [args] })
  const login = await css('#login')
  for (const name of ['clickGesture', 'longClickGesture', 'doubleClickGesture']) {
    expect(await gesture(name, { elementId: login })).toMatchObject({ status: 200, value: null })
    expect((await session.get(`/element/${await css('#problem')}/text`)).value).toBe('Wrong name or PIN')
  }
  for (const [name, more] of [
    ['scrollGesture', { direction: 'down', percent: 1 }],
    ['swipeGesture', { direction: 'up', percent: 0.5 }],
    ['flingGesture', { direction: 'up' }],
    ['pinchOpenGesture', { percent: 0.5 }],
    ['dragGesture', { endX: 5, endY: 5 }],
  ] as const)
    expect((await gesture(name, { elementId: login, ...more })).value).toMatchObject({
      error: 'unsupported operation',
      message: expect.stringContaining('is of a page'),
    })
  await session.post('/url', { url: `${SITE}/help` })
  expect((await gesture('clickGesture', { elementId: login })).value.error).toBe('stale element reference')
})

test('the history of pages goes back and forward, and ends at its first page', async () => {
  await inPage()
  const title = async () => (await session.get('/title')).value
  const go = async (path: string, body: object = {}) => expect((await session.post(path, body)).status).toBe(200)
  await go('/back')
  expect(await title()).toBe('Hybrid: sign in')
  const first = await css('#title')
  await go('/url', { url: `${SITE}/help` })
  await go('/url', { url: `${SITE}/home` })
  await go('/back')
  await go('/back')
  expect(await title()).toBe('Hybrid: sign in')
  expect((await session.get(`/element/${first}/text`)).value).toBe('Sign in')
  await go('/forward')
  await go('/forward')
  await go('/forward')
  expect(await title()).toBe('Hybrid: home')
  await go('/back')
  await go('/url', { url: `${SITE}/moving` })
  await go('/forward')
  expect(await title()).toBe('Hybrid: moving')
})

test('names that every object has are no properties and styles of elements', async () => {
  await inPage()
  const title = await css('#title')
  expect((await session.get(`/element/${title}/property/__proto__`)).value).toBeNull()
  expect((await session.get(`/element/${title}/css/__proto__`)).value).toBe('')
})

test('receipts say which element was touched, by the selector that found it', async () => {
  await inPage()
  const receiptOf = async (path: string, body: object = {}) => {
    const { headers } = await session.post(path, body)
    return await (await fetch(`${lab.url}/executions/${headers.get('svc-execution-id')}`)).text()
  }
  const [input] = (await session.post('/elements', { using: 'css selector', value: 'input' })).value
  const [user = ''] = Object.values(input as Record<string, string>)
  expect(await receiptOf(`/element/${user}/value`, { text: 'ada' })).toContain('“input [1]” of the page')
  expect(await receiptOf(`/element/${user}/clear`)).toContain('“input [1]” of the page')
  expect(await receiptOf(`/element/${await css('#login')}/click`)).toContain('Click “#login” of the page')
})

test('a session may begin in the web view of its application', async () => {
  await session.end()
  session = await lab.session({ 'appium:appPackage': HYBRID, 'appium:autoWebview': true })
  expect((await session.get('/context')).value).toBe(WEB)
  await session.end()
  const refused = await lab.create({
    'appium:appPackage': CLOSED,
    'appium:autoWebview': true,
    'appium:autoWebviewTimeout': 100,
  })
  expect(refused.value).toMatchObject({
    error: 'session not created',
    message: expect.stringMatching(
      /appium:autoWebview found no page.*within 100 ms.*setWebContentsDebuggingEnabled.*appium:autoWebviewTimeout/,
    ),
  })
  for (const name of [HYBRID, WEB]) {
    session = await lab.session({
      'appium:appPackage': HYBRID,
      'appium:autoWebview': true,
      'appium:autoWebviewName': name,
    })
    expect((await session.get('/context')).value).toBe(WEB)
    await session.end()
  }
  session = await lab.session({ 'appium:appPackage': HYBRID })
})

describe('keys', () => {
  const [BACK_SPACE, ENTER] = ['\uE003', '\uE007']
  const pin = () => session.find('name', 'pin')
  const send = (element: string, text: string) => session.post(`/element/${element}/value`, { text })

  test('alone go to the field that is named, which a touch gives the focus', async () => {
    await inPage()
    await send(await css('#user'), 'adam')
    await send(await pin(), '12')
    expect(await send(await css('#user'), BACK_SPACE)).toMatchObject({ status: 200 })
    expect(await send(await css('#user'), ENTER)).toMatchObject({ status: 200 })
    expect((await session.get(`/element/${await css('#user')}/property/value`)).value).toBe('ada')
  })

  test.each([['#title'], ['#login']])('and text for %s are refused, and go to no other field', async selector => {
    await inPage()
    const user = await css('#user')
    await send(user, 'ada')
    for (const text of ['zzz', BACK_SPACE])
      expect(await send(await css(selector), text)).toMatchObject({
        status: 400,
        value: { error: 'element not interactable', message: expect.stringContaining('Nothing was touched') },
      })
    expect(await session.post(`/element/${await css(selector)}/clear`)).toMatchObject({
      status: 400,
      value: { error: 'invalid element state' },
    })
    expect((await session.get(`/element/${user}/property/value`)).value).toBe('ada')
    expect((await session.get(`/element/${await css('#problem')}/text`)).value).toBe('Please log in')
  })

  test('are not sent where a touch moves the focus elsewhere', async () => {
    await inPage()
    await session.post('/url', { url: `${SITE}/moving` })
    for (const text of ['ada', ENTER])
      expect(await send(await css('#far'), text)).toMatchObject({
        status: 400,
        value: {
          error: 'element not interactable',
          message: expect.stringContaining('did not take the focus'),
          data: { dispatched: true, reason: 'no focus' },
        },
      })
    for (const selector of ['#near', '#far'])
      expect((await session.get(`/element/${await css(selector)}/property/value`)).value).toBe('')
  })

  test('for the body go where the focus is', async () => {
    await inPage()
    const user = await css('#user')
    await send(user, 'adam')
    expect(await send(await css('body'), BACK_SPACE)).toMatchObject({ status: 200 })
    expect((await session.get(`/element/${user}/property/value`)).value).toBe('ada')
  })
})
