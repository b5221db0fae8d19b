/** selenium-webdriver, whose requests are those of the clients in Java, Python, C# and Ruby. */
import { Builder, By, error, until } from 'selenium-webdriver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWebDriverLab, VAULT, type WebDriverLab } from '../../../support/webdriver/webdriver-lab.ts'

let lab: WebDriverLab
beforeAll(async () => {
  lab = await startWebDriverLab()
})
afterAll(() => lab.close())

const byId = (name: string) => new By('id', `${VAULT}:id/${name}`)

test('a login, an implicit wait and an element that is gone', async () => {
  const driver = await new Builder()
    .usingServer(`${lab.url}/wd/hub`)
    .withCapabilities({
      browserName: '',
      platformName: 'Android',
      'appium:automationName': 'UiAutomator2',
      'appium:appPackage': VAULT,
    })
    .build()
  try {
    await driver.manage().setTimeouts({ implicit: 200 })
    expect(await driver.manage().getTimeouts()).toMatchObject({ implicit: 200 })
    const name = await driver.findElement(byId('name'))
    await name.sendKeys('ada')
    await driver.findElement(byId('pin')).sendKeys('12', '34')
    const login = await driver.findElement(new By('accessibility id', 'log in'))
    expect(await login.getTagName()).toBe('android.widget.Button')
    expect((await login.getRect()).width).toBeGreaterThan(0)
    await login.click()
    const welcome = await driver.wait(until.elementLocated(byId('welcome')), 5_000)
    expect(await welcome.getText()).toBe('Welcome, Ada')
    await expect(login.click()).rejects.toThrow(error.StaleElementReferenceError)
    await expect(driver.findElement(byId('nothing'))).rejects.toThrow(error.NoSuchElementError)
    expect(await driver.findElements(byId('nothing'))).toEqual([])
    expect((await driver.takeScreenshot()).length).toBeGreaterThan(1_000)
    await driver.navigate().back()
  } finally {
    await driver.quit()
  }
  expect((await lab.ask('GET', '/sessions')).value).toEqual([])
}, 60_000)
