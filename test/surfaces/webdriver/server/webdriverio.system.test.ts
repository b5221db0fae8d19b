/** webdriverio as a suite uses it: from a session over a form and a list to its end. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { remote } from 'webdriverio'
import { startWebDriverLab, VAULT, type WebDriverLab } from '../../../support/webdriver/webdriver-lab.ts'

let lab: WebDriverLab
beforeAll(async () => {
  lab = await startWebDriverLab()
})
afterAll(() => lab.close())

const id = (name: string) => `id:${VAULT}:id/${name}`

test('a login, a list and an element that is gone', async () => {
  const { hostname, port } = new URL(lab.url)
  const driver = await remote({
    hostname,
    port: Number(port),
    logLevel: 'error',
    connectionRetryCount: 0,
    capabilities: {
      platformName: 'Android',
      'appium:automationName': 'UiAutomator2',
      'appium:appPackage': VAULT,
      'appium:appActivity': '.LoginActivity',
    },
  })
  try {
    expect(driver.isAndroid).toBe(true)
    await driver.setTimeout({ implicit: 500 })
    const name = await driver.$(id('name'))
    await name.setValue('ada')
    expect(await name.getText()).toBe('ada')
    await driver.$(id('pin')).addValue('1234')
    const login = await driver.$('~log in')
    expect(await login.isDisplayed()).toBe(true)
    expect(await login.isEnabled()).toBe(true)
    expect(await login.getAttribute('clickable')).toBe('true')
    await login.click()
    expect(await driver.$(id('welcome')).getText()).toBe('Welcome, Ada')
    await expect(name.getText()).rejects.toThrow()
    await driver.$('//android.widget.Button[@text="Items"]').click()
    const last = 'new UiScrollable(new UiSelector().scrollable(true)).scrollIntoView(new UiSelector().text("Item 10"))'
    expect(await driver.$(`android=${last}`).getText()).toBe('Item 10')
    expect((await driver.$$('android.widget.TextView')).length).toBeGreaterThan(3)
    expect(await driver.getPageSource()).toContain('Item 10')
    expect((await driver.takeScreenshot()).length).toBeGreaterThan(1_000)
    await driver.back()
    expect(await driver.$(id('welcome')).isExisting()).toBe(true)
  } finally {
    await driver.deleteSession()
  }
  expect((await lab.ask('GET', '/sessions')).value).toEqual([])
}, 60_000)
