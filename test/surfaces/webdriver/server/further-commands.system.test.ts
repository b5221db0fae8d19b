/** A suite's further commands over real HTTP, on a simulated phone that shows what they did. */
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startWebDriverLab,
  type TestSession,
  VAULT,
  type WebDriverLab,
} from '../../../support/webdriver/webdriver-lab.ts'

let lab: WebDriverLab
let session: TestSession

beforeAll(async () => {
  lab = await startWebDriverLab()
  session = await lab.session({ 'appium:appPackage': VAULT })
})
afterAll(async () => {
  await lab.close()
})

const mobile = async (name: string, args?: object) =>
  session.post('/execute/sync', { script: `mobile: ${name}`, args: args === undefined ? [] : [args] })

const value = async (name: string, args?: object) => {
  const answer = await mobile(name, args)
  if (answer.status !== 200) throw new Error(`${name}: ${answer.value.message}`)
  return answer.value
}

const shows = async (text: string) => (await session.get('/source')).value.includes(text)

const finger = (actions: object[]) => ({
  actions: [{ type: 'pointer', id: 'f', parameters: { pointerType: 'touch' }, actions }],
})
const tapOn = (elementId: string) =>
  finger([
    { type: 'pointerMove', duration: 0, x: 0, y: 0, origin: { 'element-6066-11e4-a52e-4f735466cecf': elementId } },
    { type: 'pointerDown', button: 0 },
    { type: 'pause', duration: 50 },
    { type: 'pointerUp', button: 0 },
  ])

const logIn = async () => {
  await session.post('/appium/device/activate_app', { appId: VAULT })
  await mobile('clearApp', { appId: VAULT })
  await value('activateApp', { appId: VAULT })
  for (const [id, text] of [
    ['name', 'ada'],
    ['pin', '1234'],
  ]) {
    const field = await session.find('id', String(id))
    await session.post('/actions', tapOn(field))
    await value('type', { text })
  }
  await value('hideKeyboard')
  await session.post('/actions', tapOn(await session.find('accessibility id', 'log in')))
}

test('taps by actions, typing and scrolling to an element bring one to the end of a list', async () => {
  await logIn()
  expect(await shows('Welcome, Ada')).toBe(true)
  await value('clickGesture', {
    elementId: await session.find('-android uiautomator', 'new UiSelector().text("Items")'),
  })
  const list = await session.find('id', 'list')
  await value('scroll', { strategy: '-android uiautomator', selector: 'new UiSelector().text("Item 10")' })
  expect(await shows('Item 10')).toBe(true)
  expect(await value('scrollGesture', { elementId: list, direction: 'up', percent: 0.5 })).toBe(true)
  let more = true
  for (let turn = 0; more && turn < 20; turn++)
    more = await value('scrollGesture', { elementId: list, direction: 'up', percent: 1 })
  expect(more).toBe(false)
  expect(await shows('Item 1"')).toBe(true)
})

test('each command that acts names its execution, and one of several gestures is one', async () => {
  const swipe = finger([
    { type: 'pointerMove', duration: 0, x: 500, y: 1_500, origin: 'viewport' },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerMove', duration: 200, x: 500, y: 900, origin: 'viewport' },
    { type: 'pointerUp', button: 0 },
    { type: 'pause', duration: 120 },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ])
  const answer = await session.post('/actions', swipe)
  expect(answer).toMatchObject({ status: 200, value: null })
  const executionId = answer.headers.get('svc-execution-id') ?? ''
  const found = await (await lab.lab.services.service())['executions.get'](
    { executionId },
    { context: { caller: 'cli' } },
  )
  expect(found).toMatchObject({ ok: true, value: { execution: { state: 'settled' } } })
  expect(JSON.stringify(found)).toContain('"actionType":"swipe"')
  expect(JSON.stringify(found)).toContain('"actionType":"click"')
})

test('what the phone is asked', async () => {
  await value('activateApp', { appId: VAULT })
  expect(await value('getCurrentPackage')).toBe(VAULT)
  expect(await value('getCurrentActivity')).toMatch(/Activity$/)
  expect((await session.get('/appium/device/current_package')).value).toBe(VAULT)
  expect((await session.get('/appium/device/system_time')).value).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/,
  )
  expect((await session.get('/appium/device/is_keyboard_shown')).value).toBe(false)
  expect(await value('getDisplayDensity')).toBeGreaterThan(0)
  expect(await value('deviceInfo')).toMatchObject({ platformVersion: '15' })
  expect(await value('batteryInfo')).toMatchObject({ level: expect.any(Number) })
  expect(await value('isLocked')).toBe(false)
  expect((await session.get('/orientation')).value).toBe('PORTRAIT')
  expect(Object.keys(await value('listApps'))).toContain(VAULT)
  expect(await value('getNotifications')).toEqual({ statusBarNotifications: [] })
  expect(Array.isArray((await session.post('/se/log', { type: 'logcat' })).value)).toBe(true)
})

test('applications', async () => {
  expect(await value('isAppInstalled', { appId: 'com.example.missing' })).toBe(false)
  expect(await value('isAppInstalled', { appId: VAULT })).toBe(true)
  expect(await value('queryAppState', { appId: VAULT })).toBe(4)
  await value('backgroundApp', { seconds: -1 })
  expect(await value('queryAppState', { appId: VAULT })).toBe(3)
  expect(await value('terminateApp', { appId: VAULT })).toBe(true)
  expect(await value('terminateApp', { appId: VAULT })).toBe(false)
  expect((await session.post('/appium/device/app_state', { appId: VAULT })).value).toBe(1)
  expect(await value('removeApp', { appId: 'com.example.missing' })).toBe(false)
})

describe('files', () => {
  const ownFolders = () => readdirSync(tmpdir()).filter(name => name.startsWith('svc-webdriver-'))

  test('go there and back, and nothing of them stays on the host', async () => {
    const payload = Buffer.from('été\n').toString('base64')
    await value('pushFile', { remotePath: '/sdcard/Download/a.txt', payload })
    expect(await value('pullFile', { remotePath: '/sdcard/Download/a.txt' })).toBe(payload)
    expect((await session.post('/appium/device/pull_file', { path: '/sdcard/Download/a.txt' })).value).toBe(payload)
    expect((await mobile('pullFile', { remotePath: '/sdcard/Download/none' })).value.error).toBe('invalid argument')
    expect(ownFolders()).toEqual([])
  })
  test('a folder comes as a zip', async () => {
    await value('pushFile', { remotePath: '/sdcard/Download/box/deep/b.txt', payload: 'Yg==' })
    const zip = Buffer.from(await value('pullFolder', { remotePath: '/sdcard/Download/box' }), 'base64')
    expect(zip.readUInt32LE(0)).toBe(0x04034b50)
    expect(zip.toString('latin1')).toContain('deep/b.txt')
    expect(await value('deleteFile', { remotePath: '/sdcard/Download/box/deep/b.txt' })).toBe(true)
    expect(await value('deleteFile', { remotePath: '/sdcard/Download/box/deep/b.txt' })).toBe(false)
  })
})

test('settings of the phone', async () => {
  await value('setUiMode', { mode: 'night', value: 'yes' })
  expect(await value('getUiMode', { mode: 'night' })).toBe('yes')
  await value('setGeolocation', { latitude: 48.85, longitude: 2.35 })
  expect(await value('getGeolocation')).toEqual({ latitude: 48.85, longitude: 2.35, altitude: 0 })
  expect(await value('getConnectivity', { services: ['airplaneMode'] })).toEqual({ airplaneMode: false })
  await session.post('/orientation', { orientation: 'LANDSCAPE' })
  expect((await session.get('/orientation')).value).toBe('LANDSCAPE')
  await session.post('/orientation', { orientation: 'PORTRAIT' })
})

test('the clipboard', async () => {
  await value('setClipboard', { content: 'aGk=' })
  expect(await value('getClipboard')).toBe('aGk=')
})

test('the screen is switched off and on again', async () => {
  await value('lock')
  expect(await value('isLocked')).toBe(true)
  await value('unlock')
  expect(await value('isLocked')).toBe(false)
})

test('what is not there is told in words that clients look for', async () => {
  const unknown = await mobile('shake')
  expect(unknown).toMatchObject({ status: 405, value: { error: 'unknown method' } })
  expect(unknown.value.message).toContain('unknown method')
  expect(unknown.value.message).toContain('clickGesture')
  expect((await mobile('shell', { command: 'ls' })).value.data.code).toBe('SHELL_DENIED')
})
