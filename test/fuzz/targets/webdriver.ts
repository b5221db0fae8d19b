/** WebDriver: bodies, capabilities and actions. */
import { readActions } from '../../../src/surfaces/webdriver/gestures/read-actions.ts'
import { readObject, refuseWireCapabilities } from '../../../src/surfaces/webdriver/protocol/read-body.ts'
import { WebDriverError } from '../../../src/surfaces/webdriver/protocol/webdriver-error.ts'
import { errorAnswer, valueAnswer } from '../../../src/surfaces/webdriver/protocol/wire.ts'
import { wishOf } from '../../../src/surfaces/webdriver/session/capabilities.ts'
import { mutateJson } from '../mutate/json.ts'
import { expectSame, expectThat, stateless, type Target } from '../target.ts'

const CAPABILITIES = {
  capabilities: {
    alwaysMatch: {
      platformName: 'Android',
      'appium:udid': 'emulator-5554',
      'appium:options': { newCommandTimeout: 60 },
    },
    firstMatch: [{ 'appium:appPackage': 'a.b', 'appium:appActivity': '.Main', timeouts: { implicit: 100 } }, {}],
  },
}
const ACTIONS = {
  actions: [
    {
      type: 'pointer',
      id: 'finger',
      parameters: { pointerType: 'touch' },
      actions: [
        { type: 'pointerMove', duration: 0, x: 10, y: 20, origin: 'viewport' },
        { type: 'pointerDown', button: 0 },
        { type: 'pause', duration: 100 },
        { type: 'pointerMove', x: 1, y: 1, origin: { 'element-6066-11e4-a52e-4f735466cecf': 'e1' } },
        { type: 'pointerUp' },
      ],
    },
    {
      type: 'key',
      id: 'keys',
      actions: [
        { type: 'keyDown', value: 'a' },
        { type: 'keyUp', value: 'a' },
      ],
    },
    { type: 'none', id: 'wait', actions: [{ type: 'pause', duration: 5 }] },
  ],
}

const judged = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof WebDriverError)) throw error
    JSON.parse(errorAnswer(error).json)
    expectThat(/[.?]$/.test(error.message), `no sentence: ${error.message}`)
    return undefined
  }
}

export const webdriverBodies: Target = {
  name: 'webdriver-bodies',
  seeds: [JSON.stringify(CAPABILITIES), JSON.stringify(ACTIONS), '{"using":"id","value":"a.b:id/save"}', ''],
  mutate: mutateJson,
  open: stateless(async input => {
    const text = input.toString('utf8')
    const body = await readObject({ readBody: async () => ({ kind: 'whole', text }) }).catch(error => {
      if (error instanceof WebDriverError) return undefined
      throw error
    })
    if (!body) return 'refused'
    if (text.trim() !== '') expectSame('the body', body, JSON.parse(text))
    valueAnswer(body)
    judged(() => refuseWireCapabilities(body))
    const wish = judged(() => wishOf(body))
    if (wish) {
      expectThat(Number.isSafeInteger(wish.idleMs) && wish.idleMs >= 0, 'a wait that is none')
      expectThat(!/undefined/.test(String(wish.udid)) || wish.udid === undefined || wish.udid !== '', 'no phone')
    }
    const actions = judged(() => readActions(body))
    return wish || actions ? 'accepted' : 'refused'
  }),
}
