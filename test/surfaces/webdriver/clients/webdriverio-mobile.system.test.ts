/** The mobile commands of webdriverio 9, as its users write them, against a simulated phone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, remote } from 'webdriverio'
import { startWebDriverLab, VAULT, type WebDriverLab } from '../../../support/webdriver/webdriver-lab.ts'

let lab: WebDriverLab
let browser: Browser

beforeAll(async () => {
  lab = await startWebDriverLab()
  const { hostname, port } = new URL(lab.url)
  browser = await remote({
    hostname,
    port: Number(port),
    logLevel: 'silent',
    connectionRetryCount: 0,
    capabilities: {
      platformName: 'Android',
      'appium:automationName': 'UiAutomator2',
      'appium:appPackage': VAULT,
    } as WebdriverIO.Capabilities,
  })
})
afterAll(async () => {
  await browser?.deleteSession()
  await lab.close()
})

const list = () => browser.$('id:com.example.vault:id/list')

test('a form is filled, and a list is swiped', async () => {
  await browser.$('id:com.example.vault:id/name').setValue('ada')
  await browser.$('id:com.example.vault:id/pin').setValue('1234')
  if (await browser.isKeyboardShown()) await browser.hideKeyboard()
  await browser.$('~log in').tap()
  await browser.$('android=new UiSelector().text("Items")').tap()
  await browser.swipe({ scrollableElement: list(), direction: 'up', duration: 300, percent: 0.9 })
  expect(await browser.$('android=new UiSelector().text("Item 1")').isExisting()).toBe(false)
  await browser.$('android=new UiSelector().text("Item 9")').scrollIntoView({ scrollableElement: list() })
  await browser.$('android=new UiSelector().text("Item 9")').tap()
  expect(await browser.$('~log in').isExisting()).toBe(false)
})

test('actions by their builder', async () => {
  await browser
    .action('pointer', { parameters: { pointerType: 'touch' } })
    .move({ x: 500, y: 1_500 })
    .down()
    .pause(10)
    .move({ x: 500, y: 700, duration: 300 })
    .up()
    .perform()
  await browser.releaseActions()
})

test('device commands', async () => {
  expect(await browser.getCurrentPackage()).toBe(VAULT)
  expect(await browser.getCurrentActivity()).toContain('Activity')
  expect(await browser.isAppInstalled(VAULT)).toBe(true)
  expect(await browser.queryAppState(VAULT)).toBe(4)
  await browser.pressKeyCode(4)
  await browser.setClipboard(Buffer.from('hi').toString('base64'), 'plaintext')
  expect(Buffer.from(await browser.getClipboard(), 'base64').toString()).toBe('hi')
  await browser.pushFile('/sdcard/Download/x.txt', Buffer.from('x').toString('base64'))
  expect(Buffer.from(await browser.pullFile('/sdcard/Download/x.txt'), 'base64').toString()).toBe('x')
  await browser.openNotifications()
  await browser.back()
  expect(await browser.isLocked()).toBe(false)
  await browser.lock()
  expect(await browser.isLocked()).toBe(true)
  await browser.unlock()
  expect(await browser.getDisplayDensity()).toBeGreaterThan(0)
  expect(await browser.getDeviceTime()).toMatch(/^\d{4}-/)
  await browser.toggleWiFi(true)
  await browser.setGeoLocation({ latitude: 48.85, longitude: 2.35, altitude: 30 })
  expect(await browser.getGeoLocation()).toMatchObject({ latitude: 48.85, longitude: 2.35 })
  await browser.updateSettings({ waitForIdleTimeout: 0 })
  expect(await browser.getSettings()).toMatchObject({ waitForIdleTimeout: 0 })
  await browser.setOrientation('LANDSCAPE')
  expect(await browser.getOrientation()).toBe('LANDSCAPE')
  await browser.setOrientation('PORTRAIT')
  expect(await browser.getLogs('logcat')).toEqual(expect.any(Array))
  await browser.background(1)
  await browser.terminateApp(VAULT)
  await browser.activateApp(VAULT)
  await browser.startActivity(VAULT, '.LoginActivity')
})

test('contexts and dialogs', async () => {
  expect(await browser.getContexts()).toEqual(['NATIVE_APP'])
  expect(await browser.getContext()).toBe('NATIVE_APP')
  await browser.switchAppiumContext('NATIVE_APP')
  await expect(browser.getAlertText()).rejects.toThrow(/no such alert|No dialog/)
})
