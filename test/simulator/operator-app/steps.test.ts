import { describe, expect, test } from 'vitest'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import {
  broadcast,
  envelopesIn,
  operatorLines,
  phoneOf,
  requestOf,
  type WrittenStep,
} from '../../support/simulator/simulated-phone.ts'
import { appOf, scenarioOf } from '../../support/simulator/simulated-ui.ts'
import { until } from '../../support/until.ts'

const S = 'com.android.settings'
const OPEN: WrittenStep = { type: 'open_app', params: { applicationId: S } }

const run = async (steps: readonly WrittenStep[], phone = phoneOf()) => {
  const before = envelopesIn(operatorLines(phone)).length
  broadcast(phone, requestOf(`id-${before}.0`, steps))
  await until(() => envelopesIn(operatorLines(phone)).length > before, 'the answer')
  const envelope = envelopesIn(operatorLines(phone)).at(-1)
  if (!envelope) throw new Error('there is no answer')
  return envelope
}
const lastData = async (steps: readonly WrittenStep[], phone = phoneOf()) => {
  const { stepResults, error } = await run(steps, phone)
  return { ...stepResults.at(-1)?.data, failed: error?.code }
}

describe('the engine over the screen', () => {
  test('finds its way to the Android version', async () => {
    const envelope = await run([
      { type: 'click', params: { matcher: { textEquals: 'Settings' } } },
      { type: 'scroll_until', params: { matcher: { textEquals: 'About phone' }, clickAfter: true } },
      { type: 'wait_for_node', params: { matcher: { textEquals: 'Android version' } } },
      { type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Android version' } } },
      { type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Model' } } },
      { type: 'press_key', params: { key: 'back' } },
      { type: 'read_text', params: { matcher: { textEquals: 'About phone' } } },
    ])
    expect(envelope).toMatchObject({ status: 'success', error: null })
    const data = envelope.stepResults.map(step => step.data)
    expect(data.slice(3, 5)).toEqual([
      { label: 'Android version', value: '15' },
      { label: 'Model', value: 'Svc Sim' },
    ])
  })

  test('reads Battery and 87% after it has scrolled there', async () => {
    const pair = { type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Battery' } } }
    const scroll = { type: 'scroll_until', params: { matcher: { textEquals: 'Battery' } } }
    expect(await lastData([OPEN, pair])).toMatchObject({ failed: 'NODE_NOT_FOUND' })
    expect(await lastData([OPEN, scroll, pair])).toMatchObject({ label: 'Battery', value: '87%', failed: undefined })
  })

  test('comes to the edge of a list', async () => {
    const up = { type: 'scroll', params: { direction: 'up' } }
    const down = { type: 'scroll', params: { direction: 'down' } }
    expect(await lastData([OPEN, up])).toMatchObject({ scroll_outcome: 'edge_reached' })
    expect(await lastData([OPEN, down])).toMatchObject({ scroll_outcome: 'moved' })
    expect(await lastData([OPEN, down, up, up])).toMatchObject({ scroll_outcome: 'edge_reached' })
  })

  test('types, replaces and reads', async () => {
    const matcher = { resourceId: `${S}:id/search` }
    const enter = (text: string, more = {}) => ({ type: 'enter_text', params: { matcher, text, ...more } })
    const read = { type: 'read_text', params: { matcher } }
    expect(await lastData([OPEN, enter('ab'), enter('ç😀', { append: true }), read])).toMatchObject({ text: 'abç😀' })
    expect(await lastData([OPEN, enter('ab'), enter('xy', { submit: true }), read])).toMatchObject({
      text: 'xy',
    })
  })

  test('brings up the keyboard by typing, which the first back closes', async () => {
    const phone = phoneOf()
    const isShown = () => phone.windows().some(window => JSON.stringify(window).includes('InputMethod'))
    const enter = { type: 'enter_text', params: { matcher: { resourceId: `${S}:id/search` }, text: 'ab' } }
    await run([OPEN, enter], phone)
    expect(isShown()).toBe(true)
    const { packageName } = phone.foreground()
    phone.key('BACK')
    expect([isShown(), phone.foreground().packageName]).toEqual([false, packageName])
  })

  test('toggles the switch', async () => {
    const phone = phoneOf()
    await run([OPEN, { type: 'click', params: { matcher: { resourceId: `${S}:id/wifi_switch` } } }], phone)
    const switchOf = () => phone.tree()?.roots[0]?.children.find(node => node.resourceId.endsWith('wifi_switch'))
    expect(switchOf()?.checked).toBe(false)
    await run([{ type: 'click', params: { matcher: { textEquals: 'Wi-Fi' } } }], phone)
    expect(switchOf()?.checked).toBe(true)
  })

  test('touches by coordinate and swipes', async () => {
    const phone = phoneOf()
    await run([OPEN, { type: 'swipe', params: { start: { x: 500, y: 2_000 }, end: { x: 500, y: 1_000 } } }], phone)
    const texts = JSON.stringify(phone.tree())
    expect(texts).not.toContain('Network & internet')
    await run([OPEN, { type: 'click', params: { coordinate: { x: 500, y: 760 } } }], phone)
    expect(phone.foreground().activity).toBe('.SubSettings')
  })

  test('is told what is not there', async () => {
    const open = { type: 'open_app', params: { applicationId: 'com.nobody' } }
    expect(await lastData([open])).toMatchObject({ failed: 'APP_NOT_FOUND' })
    const uri = { type: 'open_uri', params: { uri: 'nobody://x' } }
    expect(await lastData([uri])).toMatchObject({ failed: 'URI_NOT_HANDLED' })
  })

  test('waits for what comes later, by the clock of the device', async () => {
    const late = { text: 'late', appearsAfter: { ms: 3_000 } }
    const scenario = scenarioOf({ ...appOf({ main: { nodes: [late] } }), timeScale: 0.05 })
    const wait = (timeoutMs: number) => ({
      type: 'wait_for_node',
      params: { matcher: { textEquals: 'late' }, timeoutMs },
    })
    const phone = phoneOf({ scenario })
    expect(
      await lastData([{ type: 'open_app', params: { applicationId: 'com.example' } }, wait(500)], phone),
    ).toMatchObject({ failed: 'NODE_NOT_FOUND' })
    const data = await lastData([wait(60_000)], phone)
    expect(data).toMatchObject({ label: 'late' })
  })

  test('has no screen while the display is off', async () => {
    const phone = phoneOf()
    phone.sleep()
    expect(await lastData([{ type: 'snapshot' }], phone)).toMatchObject({ failed: 'SNAPSHOT_HIERARCHY_UNAVAILABLE' })
  })
})

describe('what lies over the screen', () => {
  const log = (params: object) => ({ type: 'set_on_screen_log', params })

  test('knows the values of templates', async () => {
    const names = ['foreground_app.package_name', 'foreground_app.version_name', 'foreground_app.version_code']
    const template = [...names, 'device.manufacturer', 'device.model', 'system.language_code', 'system.language_tag']
    const steps = [OPEN, log({ template: [...template, 'system.language_name'].map(name => `{{${name}}}`).join('|') })]
    const data = await lastData(steps)
    const model = defaultScenario().apps.find(app => app.package === S)
    expect(data).toMatchObject({
      rendered: `${S}|${model?.versionName}|${model?.versionCode}|Svc|Svc Sim|en|en-US|English`,
      truncated: 'false',
      visible: 'true',
    })
  })

  test('is cut where the screen ends', async () => {
    const text = Array.from({ length: 300 }, (_, i) => `${i}`).join('\n')
    const { rendered = '', truncated } = (await lastData([log({ text })])) as Record<string, string | undefined>
    expect(truncated).toBe('true')
    expect(text.startsWith(rendered)).toBe(true)
    expect(rendered.split('\n').length).toBeGreaterThan(20)
  })

  test('is in the picture and not among the nodes, until it is cleared', async () => {
    const phone = phoneOf()
    const bare = phone.screenshot()
    await run(
      [log({ text: 'over the screen' }), { type: 'show_toast', params: { text: 'a toast', duration: 'long' } }],
      phone,
    )
    expect(Buffer.compare(phone.screenshot(), bare)).not.toBe(0)
    expect(JSON.stringify(phone.tree())).not.toContain('over the screen')
    await run([{ type: 'clear_on_screen_log' }, { type: 'cancel_toast' }], phone)
    expect(Buffer.compare(phone.screenshot(), bare)).toBe(0)
  })

  test('goes by itself', async () => {
    const phone = phoneOf()
    const bare = phone.screenshot()
    await run([log({ text: 'soon gone', ttlMs: 1_000 })], phone)
    await until(() => Buffer.compare(phone.screenshot(), bare) === 0, 'the log to go')
  })
})
