/** webdriverio and selenium-webdriver drive a hybrid app as its suites do: into the web view, through a login, and back. */
import { Builder, By, error } from 'selenium-webdriver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { remote } from 'webdriverio'
import { HYBRID, hybridApp, SITE } from '../../../support/device/hybrid-app.ts'
import { startWebDriverLab, type WebDriverLab } from '../../../support/webdriver/webdriver-lab.ts'

let lab: WebDriverLab
beforeAll(async () => {
  lab = await startWebDriverLab({ scenario: hybridApp() })
})
afterAll(() => lab.close())

const WEB = `WEBVIEW_${HYBRID}`

test('webdriverio logs in within the page', async () => {
  const { hostname, port } = new URL(lab.url)
  const driver = await remote({
    hostname,
    port: Number(port),
    logLevel: 'error',
    connectionRetryCount: 0,
    capabilities: {
      platformName: 'Android',
      'appium:automationName': 'UiAutomator2',
      'appium:appPackage': HYBRID,
    },
  })
  try {
    expect(await driver.getContexts()).toEqual(['NATIVE_APP', WEB])
    const detailed = await driver.getContexts({ returnDetailedContexts: true, isAndroidWebviewVisible: true })
    expect(detailed).toMatchObject([
      { id: 'NATIVE_APP' },
      { id: WEB, title: 'Hybrid: sign in', packageName: HYBRID, webviewPageId: 'PAGE0' },
    ])
    await driver.switchContext({ title: 'Hybrid: sign in' })
    expect(await driver.getContext()).toBe(WEB)
    expect(await driver.getTitle()).toBe('Hybrid: sign in')
    const user = await driver.$('#user')
    await user.addValue('ada')
    expect(await user.getValue()).toBe('ada')
    await driver.$('//input[@name="pin"]').addValue('1234')
    await driver.$('//button[text()="Log in"]').click()
    expect(await driver.$('#welcome').getText()).toBe('Welcome, Ada')
    await expect(user.getTagName()).rejects.toThrow()
    expect(await driver.getUrl()).toBe(`${SITE}/home`)
    await driver.switchContext('NATIVE_APP')
    expect(await driver.$('android=new UiSelector().text("Welcome, Ada")').isExisting()).toBe(true)
  } finally {
    await driver.deleteSession()
  }
}, 60_000)

test('selenium-webdriver logs in within the page', async () => {
  const driver = await new Builder()
    .usingServer(`${lab.url}/wd/hub`)
    .withCapabilities({
      browserName: '',
      platformName: 'Android',
      'appium:automationName': 'UiAutomator2',
      'appium:appPackage': HYBRID,
    })
    .build()
  const context = async (name: string) => {
    const session = (await driver.getSession()).getId()
    expect((await lab.ask('POST', `/session/${session}/context`, { name })).status).toBe(200)
  }
  try {
    await context(WEB)
    await driver.manage().setTimeouts({ implicit: 300 })
    expect(await driver.getTitle()).toBe('Hybrid: sign in')
    const user = await driver.findElement(By.id('user'))
    await user.sendKeys('grace')
    await user.clear()
    await user.sendKeys('ada')
    await driver.findElement(By.name('pin')).sendKeys('1234')
    const login = await driver.findElement(By.xpath('//button[text()="Log in"]'))
    expect(await login.getCssValue('visibility')).toBe('visible')
    expect(await login.isEnabled()).toBe(true)
    await login.click()
    expect(await driver.findElement(By.css('p#welcome')).getText()).toBe('Welcome, Ada')
    await expect(login.click()).rejects.toThrow(error.StaleElementReferenceError)
    await expect(driver.findElement(By.css('#nothing'))).rejects.toThrow(error.NoSuchElementError)
    await driver.navigate().back()
    await driver.findElement(By.linkText('I need help')).click()
    expect(await driver.getCurrentUrl()).toBe(`${SITE}/help`)
    expect(await driver.getAllWindowHandles()).toEqual([await driver.getWindowHandle()])
    await expect(driver.executeScript('return 1')).rejects.toThrow('a simulated page runs no scripts')
    await context('NATIVE_APP')
    expect(await driver.findElement(By.xpath('//*[@text="Call us"]')).getText()).toBe('Call us')
  } finally {
    await driver.quit()
  }
}, 60_000)
