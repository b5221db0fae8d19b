/** An app that asks for permissions, and what becomes of the answers. */
import { describe, expect, test } from 'vitest'
import type { UiTree } from '../../../src/contracts/device/ui-tree.ts'
import { dialogIn } from '../../../src/device/screen/dialog.ts'
import { parseScenario } from '../../../src/simulator/scenario/scenario.ts'
import { phoneOf } from '../../support/simulator/simulated-phone.ts'
import { appOf, middleOf, nodeIn, scenarioOf, textsOf, type WrittenApp } from '../../support/simulator/simulated-ui.ts'

const CAMERA = 'android.permission.CAMERA'
const AUDIO = 'android.permission.RECORD_AUDIO'
const CONTACTS = 'android.permission.READ_CONTACTS'

const SCREENS: WrittenApp['screens'] = {
  main: {
    activity: '.Main',
    nodes: [
      { text: 'Picture', onTap: { askPermission: CAMERA } },
      { text: 'Video', onTap: { askPermission: [CAMERA, AUDIO] } },
      { text: 'Friends', onTap: { askPermission: CONTACTS } },
      { text: 'Camera on', showIf: { permission: { [CAMERA]: 'allow' } } },
      { text: 'Camera refused', showIf: { permission: { [CAMERA]: 'deny' } } },
    ],
  },
}

const phoneWith = (sdk = 35, more: Partial<WrittenApp> = {}) => {
  const device = { properties: { 'ro.build.version.sdk': String(sdk) } }
  const permissions = [CAMERA, AUDIO, CONTACTS]
  const phone = phoneOf({ scenario: scenarioOf({ ...appOf(SCREENS, { permissions, ...more }), device }) })
  const tree = (): UiTree => {
    const seen = phone.tree()
    if (!seen) throw new Error('the display is off')
    return seen
  }
  return {
    phone,
    tree,
    tap: (label: string) => phone.tap(middleOf(nodeIn(tree(), label))),
    labels: () => dialogIn(tree())?.buttons.map(({ label }) => label),
    state: (permission = CAMERA) => phone.permissions?.state('com.example', permission),
  }
}

describe('the dialog', () => {
  test.each([
    [27, 'Picture', ['ALLOW', 'DENY']],
    [29, 'Picture', ['Allow', 'Deny']],
    [30, 'Picture', ['While using the app', 'Only this time', 'Deny']],
    [35, 'Picture', ['While using the app', 'Only this time', 'Don’t allow']],
    [35, 'Friends', ['Allow', 'Don’t allow']],
  ])('of API level %i for %s has the buttons %j', (sdk, label, buttons) => {
    const { tap, labels, phone } = phoneWith(sdk)
    tap(label)
    expect(labels()).toEqual(buttons)
    const controller = sdk < 29 ? 'com.android.packageinstaller' : 'com.android.permissioncontroller'
    expect(phone.foreground()).toEqual({
      packageName: controller,
      activity: `${controller}.permission.ui.GrantPermissionsActivity`,
    })
  })

  test('says who asks for what, over the screen of the app', () => {
    const { tap, tree, phone } = phoneWith()
    tap('Picture')
    expect(dialogIn(tree())?.title).toBe('Allow Example to take pictures and record video?')
    expect(phone.windows().flatMap(window => ('app' in window ? [window.packageName] : []))).toEqual([
      'com.android.permissioncontroller',
      'com.example',
    ])
  })
})

describe('an answer', () => {
  test.each([
    ['While using the app', 'allow', 'Camera on'],
    ['Only this time', 'allow', 'Camera on'],
    ['Don’t allow', 'deny', 'Camera refused'],
  ])('%s', (button, expected, shown) => {
    const { tap, state, tree, phone } = phoneWith()
    tap('Picture')
    tap(button)
    expect(state()).toBe(expected)
    expect(phone.foreground().packageName).toBe('com.example')
    expect(textsOf(tree())).toContain(shown)
  })

  test('that allows is not asked for again', () => {
    const { tap, labels } = phoneWith()
    tap('Friends')
    tap('Allow')
    tap('Friends')
    expect(labels()).toBeUndefined()
  })

  test('that refuses twice is final', () => {
    const { tap, labels, tree } = phoneWith()
    tap('Picture')
    tap('Don’t allow')
    tap('Picture')
    expect(nodeIn(tree(), 'Don’t allow').resourceId).toMatch(/:id\/permission_deny_and_dont_ask_again_button$/)
    tap('Don’t allow')
    tap('Picture')
    expect(labels()).toBeUndefined()
  })

  test('for this time ends with the app', () => {
    const { tap, state, phone } = phoneWith()
    tap('Picture')
    tap('Only this time')
    phone.forceStop('com.example')
    expect(state()).not.toBe('allow')
  })

  test('is followed by the dialog of the next group', () => {
    const { tap, state, tree } = phoneWith()
    tap('Video')
    tap('While using the app')
    expect(dialogIn(tree())?.title).toBe('Allow Example to record audio?')
    tap('Don’t allow')
    expect([state(CAMERA), state(AUDIO)]).toEqual(['allow', 'deny'])
  })

  test('is none where the dialog is left', () => {
    const { tap, state, phone } = phoneWith()
    tap('Picture')
    phone.tap({ x: 5, y: 200 })
    expect(phone.foreground().packageName).toBe('com.android.permissioncontroller')
    phone.key('BACK')
    expect([state(), phone.foreground().packageName]).toEqual(['unset', 'com.example'])
  })
})

describe('the end of the app', () => {
  test('takes its dialog with it', () => {
    const { tap, phone } = phoneWith()
    tap('Picture')
    phone.forceStop('com.example')
    expect(phone.foreground().packageName).not.toMatch(/^com\.(?:example|android\.permissioncontroller)$/)
  })

  test('with its data forgets all answers', () => {
    const { tap, state, phone } = phoneWith()
    tap('Picture')
    tap('While using the app')
    phone.clearData('com.example')
    expect(state()).toBe('unset')
  })
})

test('what is changed from outside is on the screen at once', () => {
  const { tree, phone } = phoneWith()
  expect(textsOf(tree())).not.toContain('Camera on')
  phone.permissions?.grant('com.example', CAMERA)
  expect(textsOf(tree())).toContain('Camera on')
})

test('an app asks when it is started, and shows the arguments of its start', () => {
  const main = {
    activity: '.Main',
    nodes: [{ id: 'who', text: '' }],
    onStart: [{ set: { who: { text: 'for {extra.user.name}' } } }, { askPermission: CAMERA }],
  }
  const { phone, tap, tree } = phoneWith(35, { screens: { main } })
  phone.startActivity({ component: 'com.example/.Main', extras: { 'user.name': '$(id)' } })
  tap('While using the app')
  expect(textsOf(tree())).toContain('for $(id)')
})

test.each([
  [{ askPermission: AUDIO }, '/apps/0/screens/main/nodes/0/onTap/askPermission: there is no permission'],
  [{ if: { permission: { [AUDIO]: 'allow' } }, toast: 'x' }, 'there is no permission that the app asks for'],
  [{ askPermission: 'camera' }, 'must be a full name such as android.permission.CAMERA'],
])('a scenario with %j is refused', (onTap, expected) => {
  const main = { nodes: [{ text: 'a', onTap }] }
  const parsed = parseScenario({
    apps: [{ package: 'com.example', label: 'E', permissions: [CAMERA], screens: { main } }],
  })
  expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(expected) })
})
