import { describe, expect, test } from 'vitest'
import { WebDriverError } from '../../../../src/surfaces/webdriver/protocol/webdriver-error.ts'
import { wishOf } from '../../../../src/surfaces/webdriver/session/capabilities.ts'

const wish = (alwaysMatch: object, firstMatch?: object[]) =>
  wishOf({ capabilities: { alwaysMatch, ...(firstMatch ? { firstMatch } : {}) } })

const refusal = (body: Readonly<Record<string, unknown>>): WebDriverError => {
  try {
    wishOf(body)
  } catch (error) {
    if (error instanceof WebDriverError) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('what is asked for', () => {
  test('the first alternative that fits, together with what always must', () => {
    const { capabilities, udid } = wish({ platformName: 'Android' }, [
      { 'appium:automationName': 'XCUITest', 'appium:udid': 'a' },
      { 'appium:automationName': 'UiAutomator2', 'appium:udid': 'b' },
    ])
    expect(udid).toBe('b')
    expect(capabilities).toEqual({
      platformName: 'Android',
      'appium:automationName': 'UiAutomator2',
      'appium:udid': 'b',
    })
  })

  test('members of appium:options, and no values of null', () => {
    const { capabilities, app, idleMs } = wish({
      'appium:options': { appPackage: 'a.b', 'appium:newCommandTimeout': 1.5, udid: null },
    })
    expect(capabilities).toEqual({ 'appium:appPackage': 'a.b', 'appium:newCommandTimeout': 1.5 })
    expect(app.applicationId).toBe('a.b')
    expect(idleMs).toBe(1_500)
  })

  test('capabilities of others are told back', () => {
    const { capabilities } = wish({ 'appium:waitForIdleTimeout': 5, 'cloud:options': { build: 1 } })
    expect(capabilities).toEqual({ 'appium:waitForIdleTimeout': 5, 'cloud:options': { build: 1 } })
  })

  test('and those that Appium has beside ours, also where they are short', () => {
    const given = { 'appium:avd': 'a', 'appium:appWaitPackage': 'b', 'appium:adbPort': 1, 'apple:options': {} }
    expect(wish(given).capabilities).toEqual(given)
  })

  test.each([
    [{}, 'data'],
    [{ 'appium:noReset': true }, 'none'],
    [{ 'appium:fullReset': true, 'appium:app': '/a.apk' }, 'full'],
  ])('%j resets: %s', (given, reset) => {
    expect(wish(given).app.reset).toBe(reset)
  })

  test('a client has 60 s for its next command, and 0 is no end', () => {
    expect(wish({}).idleMs).toBe(60_000)
    expect(wish({ 'appium:newCommandTimeout': 0 }).idleMs).toBe(0)
  })
})

describe('what is refused names its key', () => {
  test.each([
    [{ deviceName: 'x' }, 'appium:deviceName'],
    [{ 'appium:noReset': 'true' }, 'appium:noReset'],
    [{ 'appium:newCommandTimeout': -1 }, 'appium:newCommandTimeout'],
    [{ 'appium:app': 'https://example.com/a.apk' }, 'appium:app'],
    [{ 'appium:app': 'a.apk' }, 'appium:app'],
    [{ 'appium:fullReset': true }, 'appium:app'],
    [{ 'appium:fullReset': true, 'appium:noReset': true, 'appium:app': '/a' }, 'appium:noReset'],
    [{ 'appium:appActivity': '.Main' }, 'appium:appPackage'],
    [{ timeouts: 5 }, 'timeouts'],
    [{ 'appium:options': [] }, 'appium:options'],
    [{ 'appium:udid': 'a', 'appium:options': { udid: 'b' } }, 'appium:udid'],
    [{ 'appium:options': { udid: 'a', 'appium:udid': 'b' } }, 'appium:udid'],
    [{ 'appium:udid': '' }, 'appium:udid'],
    [{ 'appium:options': { udid: ' ' } }, 'appium:udid'],
    [{ 'appium:appPackage': '' }, 'appium:appPackage'],
  ])('%j', (given, key) => {
    const error = refusal({ capabilities: { alwaysMatch: given } })
    expect(error.error).toBe('invalid argument')
    expect(error.message).toContain(key)
  })

  test.each([
    [{ 'appium:newCommandTimout': 5 }, 'appium:newCommandTimeout'],
    [{ 'appium:noreset': true }, 'appium:noReset'],
    [{ 'appium:apPackage': 'a.b' }, 'appium:appPackage'],
    [{ 'appium:option': {} }, 'appium:options'],
    [{ 'appium:options': { udi: 'a' } }, 'appium:udid'],
    [{ 'appum:udid': 'a' }, 'appium:udid'],
    [{ 'svc:operatorPackge': 'a.b' }, 'svc:operatorPackage'],
    [{ 'svc:colour': 1 }, 'svc:operatorPackage'],
    [{ platfromName: 'Android' }, 'platformName'],
    [{ newCommandTimout: 5 }, 'appium:newCommandTimeout'],
  ])('%j is a mistake, and the message says what was meant', (given, meant) => {
    const error = refusal({ capabilities: { alwaysMatch: given } })
    expect([error.error, error.message]).toEqual([
      'invalid argument',
      expect.stringMatching(new RegExp(` Did you mean ${meant}\\?$`)),
    ])
  })

  test('a key in both lists', () => {
    const error = refusal({
      capabilities: { alwaysMatch: { 'appium:udid': 'a' }, firstMatch: [{}, { 'appium:udid': 'b' }] },
    })
    expect(error.message).toContain('appium:udid')
    expect(error.message).toContain('firstMatch[1]')
  })

  test.each([
    {},
    { capabilities: [] },
    { capabilities: { alwaysMatch: 3 } },
    { capabilities: { firstMatch: [] } },
    { capabilities: { firstMatch: [1] } },
  ])('the body %j', body => {
    expect(refusal(body as never).error).toBe('invalid argument')
  })
})

test.each([{ platformName: 'iOS' }, { browserName: 'chrome' }, { 'appium:automationName': 'Espresso' }])(
  'no session is created for %j',
  given => {
    const error = refusal({ capabilities: { alwaysMatch: given } })
    expect(error.error).toBe('session not created')
    expect(error.message).toContain(Object.keys(given)[0])
  },
)
