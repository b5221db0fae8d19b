/** The built-in operator on a simulated phone, whose shell knows nothing of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { walk } from '../../../../src/contracts/device/ui-tree.ts'
import { Action, type ActionInput } from '../../../../src/contracts/executions/action.ts'
import { shellDriver } from '../../../../src/device/operators/shell/driver.ts'
import { runSteps } from '../../../../src/device/screen/run.ts'
import { snapshotXml } from '../../../../src/device/screen/snapshot-xml.ts'
import { runHostStep } from '../../../../src/device/steps/run-host-step.ts'
import { findPng } from '../../../../src/device/steps/take-screenshot.ts'
import { createPhone } from '../../../../src/simulator/device.ts'
import { defaultScenario } from '../../../../src/simulator/scenario/default/apps.ts'
import { phoneLink } from '../../../support/adb/phone-link.ts'
import { runOut } from '../../../support/cli/run-out.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { scenarioOf } from '../../../support/simulator/simulated-ui.ts'
import { temporary } from '../../../support/temporary.ts'

type Step = ActionInput extends infer A ? (A extends { id: string } ? Omit<A, 'id'> : never) : never

const root = temporary('svc-shell-operator-')

const setup = (scenario = defaultScenario()) => {
  const clock = manualClock()
  const phone = createPhone({ name: 'sim', serialno: 'SIM', scenario, clock })
  const link = phoneLink(phone, clock)
  const options = { clock, deadline: clock.now() + 120_000, signal: new AbortController().signal }
  const run = async (...steps: Step[]) => {
    const actions = steps.map((step, index) => v.parse(Action, { id: `s${index + 1}`, ...step }))
    return await runOut(
      runSteps(actions, { ...options, driver: shellDriver(link, options), random: () => 0 }),
      clock,
      50,
    )
  }
  const data = async (...steps: Step[]) => {
    const { stepResults, error } = await run(...steps)
    expect(error).toBeNull()
    return stepResults.map(result => result.data)
  }
  return { clock, phone, link, options, run, data }
}

const SETTINGS = 'com.android.settings'
const open = { type: 'open_app', params: { applicationId: SETTINGS } } as const
const id = (name: string) => ({ resourceId: `${SETTINGS}:id/${name}` })

test('sees the screen as it is', async () => {
  const { phone, data } = setup()
  const [, snapshot] = await data(open, { type: 'snapshot' })
  const tree = phone.tree()
  expect(snapshot).toEqual({ text: tree && snapshotXml(tree), foreground_package: SETTINGS })
  expect(phone.files.list('/data/local/tmp') ?? []).toEqual([])
})

test('opens, scrolls to the end, goes in, reads, comes back', async () => {
  const { data, phone } = setup()
  const results = await data(
    open,
    { type: 'wait_for_node', params: { matcher: { textEquals: 'Settings' } } },
    { type: 'scroll_until', params: { matcher: { textEquals: 'About phone' }, clickAfter: true } },
    { type: 'wait_for_node', params: { matcher: { textEquals: 'Android version' } } },
    { type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Android version' } } },
    { type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Model' } } },
    { type: 'press_key', params: { key: 'back' } },
    { type: 'read_text', params: { matcher: id('homepage_title') } },
    { type: 'press_key', params: { key: 'home' } },
  )
  expect(results[2]).toMatchObject({ termination_reason: 'target_found' })
  expect(results[4]).toEqual({ label: 'Android version', value: '15' })
  expect(results[5]).toEqual({ label: 'Model', value: 'Svc Sim' })
  expect(results[7]).toEqual({ text: 'Settings', count: '1' })
  expect(phone.foreground().packageName).not.toBe(SETTINGS)
})

test('reads a value beside its label below the fold', async () => {
  const { data } = setup()
  const [, , pair] = await data(
    open,
    { type: 'scroll_until', params: { matcher: { textEquals: 'Battery' } } },
    { type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Battery' } } },
  )
  expect(pair).toEqual({ label: 'Battery', value: '87%' })
})

test('tells the end of a list', async () => {
  const { data, run } = setup()
  const ends = await data(
    open,
    { type: 'scroll', params: { direction: 'up' } },
    { type: 'scroll' },
    { type: 'scroll_until' },
  )
  expect(ends[1]).toMatchObject({ scroll_outcome: 'edge_reached' })
  expect(ends[2]).toMatchObject({ scroll_outcome: 'moved' })
  expect(ends[3]).toMatchObject({ termination_reason: 'edge_reached' })
  const { error } = await run({ type: 'scroll_and_click', params: { matcher: { textEquals: 'Nothing' } } })
  expect(error?.code).toBe('TARGET_NOT_FOUND')
})

test('switches a switch', async () => {
  const { data, phone } = setup()
  await data(open, { type: 'click', params: { matcher: { ...id('wifi_switch'), role: 'switch' } } })
  const tree = phone.tree()
  expect(tree && snapshotXml(tree)).toMatch(/wifi_switch"[^\n]* checked="false"/)
})

describe('types', () => {
  const TEXTS = [
    'plain',
    'two  words',
    '100%s of %s % s',
    `it's "x" $HOME \`id\` \\ | & ; < > ( ) * ? # ~ ! [a] {b,c}`,
    '-n',
    '%',
  ]

  test.each(TEXTS)('%s', async text => {
    const { data } = setup()
    const field = { matcher: id('search') }
    const results = await data(
      open,
      { type: 'enter_text', params: { ...field, text } },
      { type: 'read_text', params: field },
      { type: 'enter_text', params: { ...field, text: '!', append: true } },
      { type: 'read_text', params: field },
      { type: 'enter_text', params: { ...field, text, submit: true } },
      { type: 'read_text', params: field },
    )
    expect([results[2], results[4], results[6]].map(result => result?.text)).toEqual([text, `${text}!`, text])
  })

  test('nothing of a text that it cannot type', async () => {
    const { run, data } = setup()
    const { error } = await run(open, { type: 'enter_text', params: { matcher: id('search'), text: 'naïve' } })
    expect(error).toMatchObject({ code: 'EXECUTION_ACTION_UNSUPPORTED', message: expect.stringContaining('U+00EF') })
    expect((await data({ type: 'read_text', params: { matcher: id('search') } }))[0]?.text).not.toContain('na')
  })
})

test('opens a uri, and knows one that nobody opens', async () => {
  const { data, run } = setup()
  const uri = `https://example.org/?a='b'&c=d;reboot`
  const [, shown] = await data(
    { type: 'open_uri', params: { uri } },
    { type: 'read_text', params: { matcher: { resourceId: 'com.android.chrome:id/page' } } },
  )
  expect(shown?.text).toBe(uri)
  expect((await run({ type: 'open_uri', params: { uri: 'nobody:opens' } })).error?.code).toBe('URI_NOT_HANDLED')
})

test('knows an application that is not there', async () => {
  const { run } = setup()
  expect((await run({ type: 'open_app', params: { applicationId: 'com.nothing' } })).error?.code).toBe('APP_NOT_FOUND')
})

test('draws nothing over the screen', async () => {
  const { run } = setup()
  const { error } = await run({ type: 'show_toast', params: { text: 'x' } })
  expect(error?.code).toBe('EXECUTION_ACTION_UNSUPPORTED')
})

test('sees nothing while the screen is off', async () => {
  const { run, phone } = setup()
  phone.sleep()
  const { error } = await run({ type: 'snapshot' })
  expect(error?.code).toBe('SNAPSHOT_HIERARCHY_UNAVAILABLE')
})

test('the steps of the host: a picture, and the end of an application', async () => {
  const { data, phone, link, options } = setup()
  await data(open)
  const path = join(root(), 'shot.png')
  const host = { ...options, link, screenshotPath: () => path }
  const shot = await runHostStep({ id: 'a', type: 'take_screenshot' }, host)
  expect(shot.error).toBeNull()
  expect(findPng(readFileSync(path)).ok).toBe(true)
  expect(readFileSync(path).equals(Buffer.from(phone.screenshot()))).toBe(true)
  const closed = await runHostStep({ id: 'b', type: 'close_app', params: { applicationId: SETTINGS } }, host)
  expect(closed.error).toBeNull()
  expect(phone.foreground().packageName).not.toBe(SETTINGS)
})

test('asks little: one round trip for a look at the screen, one for the windows over it, two to open, one to type', async () => {
  const { data, link } = setup()
  await data({ type: 'open_app', params: { applicationId: SETTINGS, skipNavigationWait: true } })
  expect(link.commands.splice(0)).toHaveLength(2)
  await data({ type: 'enter_text', params: { matcher: id('search'), text: 'a b', submit: true } })
  expect(link.commands.splice(0)).toHaveLength(3)
  await data({ type: 'click', params: { matcher: { textEquals: 'Apps' } } })
  expect(link.commands.splice(0)).toHaveLength(3)
})

describe('what lies over the screen', () => {
  const form = (nodes: object[], more: object = {}) => {
    const scenario = scenarioOf({
      front: 'com.example.form',
      apps: [
        {
          package: 'com.example.form',
          label: 'Form',
          screens: { form: { keyboard: 'cover', nodes, ...more }, done: { nodes: [{ text: 'Done' }] } },
        },
      ],
    })
    return setup(scenario)
  }
  const name = { resourceId: 'com.example.form:id/name', hint: 'Name', bounds: [40, 200, 1_040, 320] }
  const save = { class: 'Button', text: 'Save', bounds: [40, 2_000, 1_040, 2_120], onTap: { goTo: 'done' } }
  const click = (textEquals: string) => ({ type: 'click', params: { matcher: { textEquals } } }) as const

  test('a keyboard is hidden before what it covers is touched', async () => {
    const { data, link } = form([name, save])
    const results = await data(
      { type: 'enter_text', params: { matcher: { resourceId: name.resourceId }, text: 'Ada' } },
      click('Save'),
      { type: 'wait_for_node', params: { matcher: { textEquals: 'Done' } } },
    )
    expect(results[2]).toMatchObject({ label: 'Done' })
    expect(link.commands.filter(line => line === 'input keyevent KEYCODE_BACK')).toHaveLength(1)
  })

  test('a button under another is not pressed for it', async () => {
    const over = { class: 'Button', text: 'Cookies', bounds: [0, 1_900, 1_080, 2_300], onTap: { nothing: true } }
    const { run } = form([name, save, over])
    const { error } = await run(click('Save'))
    expect(error).toMatchObject({
      code: 'NODE_NOT_CLICKABLE',
      message: expect.stringContaining('is covered by "Cookies"'),
    })
  })
})

describe('something that takes no touches', () => {
  const screenOf = (...more: object[]) =>
    scenarioOf({
      front: 'com.example',
      apps: [
        {
          package: 'com.example',
          label: 'Example',
          screens: {
            main: {
              nodes: [
                { class: 'Button', text: 'Save', bounds: [40, 500, 1_040, 620], onTap: { goTo: 'done' } },
                ...more,
              ],
            },
            done: { nodes: [{ text: 'Done' }] },
          },
        },
      ],
    })
  const click = { type: 'click', params: { matcher: { textEquals: 'Save' } } } as const

  test('and may lie over a node is told with the step, which goes through', async () => {
    const { data } = setup(screenOf({ class: 'View', bounds: [0, 0, 1_080, 2_000] }))
    const results = await data(click, { type: 'wait_for_node', params: { matcher: { textEquals: 'Done' } } })
    expect(results[0]).toEqual({ click_type: 'default', covered_by_unknown: 'true' })
    expect(results[1]).toMatchObject({ label: 'Done' })
  })

  test("and lies elsewhere is nobody's concern", async () => {
    const { data } = setup(screenOf({ class: 'View', bounds: [0, 700, 1_080, 2_000] }))
    expect((await data(click))[0]).toEqual({ click_type: 'default' })
  })
})

describe('a tap reaches the node that is drawn there', () => {
  type Drawn = { id: string; at: [number, number, number, number]; order?: number; inside?: Drawn[] }
  const nodeOf = ({ id: name, at, order, inside }: Drawn): object => ({
    ...{ id: name, class: inside ? 'FrameLayout' : 'Button', bounds: at },
    ...(order === undefined ? {} : { drawingOrder: order }),
    ...(inside
      ? { nodes: inside.map(nodeOf) }
      : {
          text: name,
          onTap: { set: { said: { text: `${name} tapped` } } },
          onLongPress: { set: { said: { text: `${name} held` } } },
        }),
  })
  const screenOf = (...drawn: Drawn[]) =>
    scenarioOf({
      front: 'com.example',
      apps: [
        {
          package: 'com.example',
          label: 'Example',
          screens: {
            main: {
              nodes: [
                { id: 'root', class: 'FrameLayout', bounds: [0, 0, 1_080, 2_000], nodes: drawn.map(nodeOf) },
                { id: 'said', resourceId: 'said', text: 'nothing', bounds: [0, 2_050, 1_080, 2_100] },
              ],
            },
          },
        },
      ],
    })
  const target = { textEquals: 'target' }
  const saidAfter = async (drawn: Drawn[], clickType: 'default' | 'long_click' = 'default') => {
    const { run, phone } = setup(screenOf(...drawn))
    const { error } = await run({ type: 'click', params: { matcher: target, clickType } })
    const said = [...walk(phone.tree()?.roots ?? [])].find(({ node }) => node.resourceId.endsWith('said'))
    return { said: said?.node.text, error: error?.code, message: error?.message }
  }

  test.each([
    [
      'over one that is written later',
      [
        { id: 'target', at: [100, 100, 500, 300], order: 2 },
        { id: 'other', at: [0, 0, 1_080, 900], order: 1 },
      ],
    ],
    [
      'over the container of one that is written later',
      [
        { id: 'target', at: [100, 100, 500, 300], order: 2 },
        { id: 'box', at: [0, 0, 1_080, 900], order: 1, inside: [{ id: 'other', at: [0, 0, 1_080, 900] }] },
      ],
    ],
    [
      'beside one that is written earlier',
      [
        { id: 'other', at: [200, 0, 1_080, 900], order: 2 },
        { id: 'target', at: [100, 100, 500, 300], order: 1 },
      ],
    ],
    [
      'beside one whose container is written earlier',
      [
        { id: 'above', at: [200, 0, 1_080, 900], order: 2, inside: [{ id: 'other', at: [200, 0, 1_080, 900] }] },
        { id: 'below', at: [0, 0, 1_080, 900], order: 1, inside: [{ id: 'target', at: [100, 100, 500, 300] }] },
      ],
    ],
  ] as [string, Drawn[]][])('%s', async (_name, drawn) => {
    expect(await saidAfter(drawn)).toMatchObject({ said: 'target tapped' })
    expect(await saidAfter(drawn, 'long_click')).toMatchObject({ said: 'target held' })
  })

  test('and is refused where one that is written earlier lies over all of it', async () => {
    const drawn: Drawn[] = [
      { id: 'other', at: [0, 0, 1_080, 900], order: 2 },
      { id: 'target', at: [100, 100, 500, 300], order: 1 },
    ]
    const { said, error, message } = await saidAfter(drawn)
    expect({ said, error }).toEqual({ said: 'nothing', error: 'NODE_NOT_CLICKABLE' })
    expect(message).toContain('is covered by "other"')
  })
})
