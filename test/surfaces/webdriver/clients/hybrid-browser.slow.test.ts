/** A web context whose page is one of a real Chromium, behind the inspector of a simulated app: scripts run there. */
import type { Page } from 'playwright-core'
import { Builder, By, error, until, type WebDriver } from 'selenium-webdriver'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { remote } from 'webdriverio'
import { HYBRID, hybridApp } from '../../../support/device/hybrid-app.ts'
import { hasRealPages, realPages } from '../../../support/device/real-pages.ts'
import { startWebDriverLab, type WebDriverLab } from '../../../support/webdriver/webdriver-lab.ts'

const DOCUMENTS = {
  '/shop': `<!doctype html><title>Shop</title><h1 id=t data-x=1>Goods</h1><p id=gone style="display:none">gone</p>
    <select id=size><option>Small</option><option>Large</option></select><p id=said></p>
    <iframe id=cart src="/cart"></iframe><a id=next href="/cart">Cart</a>
    <script>size.onchange = () => { said.textContent = size.value }</script>`,
  '/cart': '<!doctype html><title>Cart</title><p id=empty>Nothing in it</p>',
}

describe.skipIf(!hasRealPages())('a page of a real browser', () => {
  const real = realPages(DOCUMENTS)
  let lab: WebDriverLab
  let driver: WebDriver
  let shown: Page
  const capabilities = {
    platformName: 'Android',
    'appium:automationName': 'UiAutomator2',
    'appium:appPackage': HYBRID,
  }
  beforeAll(async () => {
    lab = await startWebDriverLab({ scenario: hybridApp(), inspectors: { [HYBRID]: () => real.socket() } })
  })
  afterAll(() => lab.close())
  beforeEach(async () => {
    shown = await real.open('/shop')
    driver = await new Builder()
      .usingServer(lab.url)
      .withCapabilities({ browserName: '', ...capabilities })
      .build()
    const path = `/session/${(await driver.getSession()).getId()}`
    expect((await lab.ask('POST', `${path}/context`, { name: `WEBVIEW_${HYBRID}` })).status).toBe(200)
    for (const handle of await driver.getAllWindowHandles()) {
      await driver.switchTo().window(handle)
      if ((await driver.getTitle()) === 'Shop') return
    }
    throw new Error('the shop is none of the windows')
  }, 60_000)
  afterEach(async () => {
    await driver.quit()
    await shown.close()
  })

  test('scripts of selenium run there: attributes, visibility, elements both ways', async () => {
    const title = await driver.findElement(By.css('h1'))
    expect(await title.getAttribute('data-x')).toBe('1')
    expect(await title.isDisplayed()).toBe(true)
    expect(await driver.findElement(By.id('gone')).isDisplayed()).toBe(false)
    expect(await driver.executeScript('return arguments[0].id + arguments[1]', title, 2)).toBe('t2')
    const [first] = (await driver.executeScript('return [document.querySelector("h1")]')) as (typeof title)[]
    expect(await first?.getText()).toBe('Goods')
    expect(await driver.executeAsyncScript('arguments[0](document.title)')).toBe('Shop')
    await driver.manage().setTimeouts({ script: 300 })
    await expect(driver.executeAsyncScript('')).rejects.toThrow(error.ScriptTimeoutError)
    await expect(driver.executeScript('nonsense()')).rejects.toThrow(/ReferenceError/)
  }, 60_000)

  test('an option is chosen, a frame is entered and left, and a page is left and come back to', async () => {
    await driver.findElement(By.xpath('//option[text()="Large"]')).click()
    expect(await driver.findElement(By.id('said')).getText()).toBe('Large')
    await driver.switchTo().frame(driver.findElement(By.id('cart')))
    expect(await driver.findElement(By.id('empty')).getText()).toBe('Nothing in it')
    await driver.switchTo().defaultContent()
    const title = await driver.findElement(By.id('t'))
    await driver.get(`${real.origin}/cart`)
    expect(await driver.getTitle()).toBe('Cart')
    await expect(title.getText()).rejects.toThrow(error.StaleElementReferenceError)
    await driver.navigate().back()
    await driver.wait(until.titleIs('Shop'), 5_000)
    await driver.navigate().refresh()
    expect(await driver.findElement(By.id('t')).getText()).toBe('Goods')
  }, 60_000)

  test('a page that is closed is no such window, also in the middle of a script', async () => {
    const waiting = driver.executeAsyncScript('').catch(({ name }: Error) => name)
    await new Promise(resolve => setTimeout(resolve, 1_000))
    await shown.close()
    expect(await waiting).toBe('NoSuchWindowError')
    await expect(driver.findElement(By.css('h1'))).rejects.toThrow(error.NoSuchWindowError)
  }, 60_000)

  test('webdriverio asks the page by its own scripts', async () => {
    const { hostname, port } = new URL(lab.url)
    await driver.quit()
    const browser = await remote({
      ...{ hostname, port: Number(port), logLevel: 'error', connectionRetryCount: 0, capabilities },
    })
    try {
      await browser.switchContext(`WEBVIEW_${HYBRID}`)
      await browser.url(`${real.origin}/shop`)
      expect(await browser.$('#gone').isDisplayed()).toBe(false)
      expect(await browser.$('h1').isDisplayed()).toBe(true)
      expect(await browser.execute((a: number) => document.title + a, 1)).toBe('Shop1')
    } finally {
      await browser.deleteSession()
    }
    driver = { quit: async () => {} } as unknown as WebDriver
  }, 60_000)
})
