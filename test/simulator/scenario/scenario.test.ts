import { describe, expect, test } from 'vitest'
import { parseScenario, readScenario } from '../../../src/simulator/scenario/scenario.ts'
import { appOf, scenarioOf } from '../../support/simulator/simulated-ui.ts'

const errorOf = (json: unknown): string => {
  const parsed = parseScenario(json)
  return parsed.ok ? '' : parsed.error
}

const node = (given: object) => ({
  apps: [{ package: 'com.example', label: 'Example', screens: { main: { nodes: [{}, given] }, about: { nodes: [] } } }],
})
const AT = '/apps/0/screens/main/nodes/1'

describe('what is wrong is said with its place and what to do', () => {
  test.each<[string, unknown, string]>([
    ['no object', 5, '(top): must be an object, found 5'],
    ['a list', [], '(top): must be an object, found a list'],
    ['null', null, '(top): must be an object, found null'],
    ['no apps', {}, '/apps: is missing'],
    [
      'a mistyped key at the top',
      { apps: [], front_: 1 },
      '/front_: `front_` is not known here; did you mean `front`?',
    ],
    ['a key like no other', { apps: [], qqqqqqqq: 1 }, '/qqqqqqqq: `qqqqqqqq` is not known here; known are device'],
    ['a package with a blank', { apps: [{ package: 'a b' }] }, '/apps/0/package: must be a package name such as'],
    ['an app without screens', appOf({}), '/apps/0/screens: needs a screen'],
    [
      'a mistyped key of a node',
      node({ onTapp: {} }),
      `${AT}/onTapp: \`onTapp\` is not known here; did you mean \`onTap\`?`,
    ],
    ['a wrong type', node({ text: 5 }), `${AT}/text: must be a string, found 5`],
    ['a flag that is a string', node({ enabled: 'yes' }), `${AT}/enabled: must be true or false, found "yes"`],
    [
      'a wrong word',
      node({ layout: 'rows' }),
      `${AT}/layout: must be one of column, row, grid, found "rows"; did you mean \`row\`?`,
    ],
    ['too few bounds', node({ bounds: [0, 0, 10] }), `${AT}/bounds: must be [left, top, right, bottom] in pixels`],
    ['bounds inside out', node({ bounds: [10, 0, 0, 10] }), `${AT}/bounds: must be [left, top, right, bottom]`],
    ['a fraction of a pixel', node({ bounds: [0, 0, 10.5, 10] }), `${AT}/bounds/2: must be an integer, found 10.5`],
    ['a colour by name', node({ color: 'red' }), `${AT}/color: must be a colour such as #1A73E8`],
    [
      'a key no phone has',
      node({ onKey: { ENTRE: { back: true } } }),
      `${AT}/onKey/ENTRE: there is no key \`ENTRE\`; did you mean \`ENTER\`?`,
    ],
    ['a moment of nothing', node({ appearsAfter: {} }), `${AT}/appearsAfter: needs ms or reads`],
    ['a reaction of nothing', node({ onTap: {} }), `${AT}/onTap: must have at least one of count, set, toggle`],
    [
      'a mistyped reaction',
      node({ onTap: [{ gotTo: 'about' }] }),
      `${AT}/onTap/0/gotTo: \`gotTo\` is not known here; did you mean \`goTo\`?`,
    ],
    [
      'a screen that is not there',
      node({ onTap: { goTo: 'abut' } }),
      `${AT}/onTap/goTo: there is no screen \`abut\`; did you mean \`about\`?`,
    ],
    [
      'the same in a list',
      node({ onTap: [{ back: true }, { goTo: 'abut' }] }),
      `${AT}/onTap/1/goTo: there is no screen \`abut\``,
    ],
    [
      'a screen like no other',
      node({ onTap: { goTo: 'elsewhere' } }),
      `${AT}/onTap/goTo: there is no screen \`elsewhere\``,
    ],
    [
      'a node that is not there',
      node({ id: 'wifi', onTap: { set: { wify: { text: 'x' } } } }),
      `${AT}/onTap/set/wify: there is no node with the id \`wify\`; did you mean \`wifi\`?`,
    ],
    [
      'a toggle of a text',
      node({ id: 'x', text: 'x', onTap: { toggle: 'x' } }),
      `${AT}/onTap/toggle: the node \`x\` is not checkable`,
    ],
    [
      'an app that is not there',
      node({ onTap: { openApp: 'com.exampel' } }),
      `${AT}/onTap/openApp: there is no app with the package \`com.exampel\`; did you mean \`com.example\`?`,
    ],
    [
      'a nested one',
      node({ nodes: [{ nodes: [{ onLongPress: { goTo: 'x' } }] }] }),
      `${AT}/nodes/0/nodes/0/onLongPress/goTo: there is no screen \`x\``,
    ],
    ['an id twice', node({ nodes: [{ id: 'a' }, { id: 'a' }] }), `${AT}/nodes/1/id: the id \`a\` is already taken`],
    [
      'a start that is not there',
      appOf({ main: { nodes: [] } }, { start: 'mian' }),
      '/apps/0/start: there is no screen `mian`; did you mean `main`?',
    ],
    [
      'an intent of nothing',
      appOf({ main: { nodes: [] } }, { intents: [{ goTo: 'main' }] }),
      '/apps/0/intents/0: needs an action or a uri to match',
    ],
    [
      'an intent to nowhere',
      appOf({ main: { nodes: [] } }, { intents: [{ uri: 'a:*', goTo: 'x' }] }),
      '/apps/0/intents/0/goTo: there is no screen `x`',
    ],
    [
      'a home that is not there',
      { apps: [], home: 'com.nobody' },
      '/home: there is no app with the package `com.nobody`',
    ],
    [
      'a package twice',
      { apps: [...appOf({ m: { nodes: [] } }).apps, ...appOf({ m: { nodes: [] } }).apps] },
      '/apps/1/package: the package `com.example` is already taken',
    ],
    [
      'a pointer that needs escapes',
      appOf({ 'a/b~c': { nodes: [{ text: 1 as never }] } }),
      '/apps/0/screens/a~1b~0c/nodes/0/text: must be a string',
    ],
    ['no time at all', { apps: [], timeScale: 0 }, '/timeScale: must be at least 0.001, found 0'],
    [
      'a state nobody has',
      { apps: [], device: { state: 'offlin' } },
      '/device/state: must be one of device, unauthorized, offline, recovery, found "offlin"; did you mean `offline`?',
    ],
    [
      'a screen of one pixel',
      { apps: [], device: { size: { width: 1 } } },
      '/device/size/width: must be at least 200, found 1',
    ],
    [
      'a setting without namespace',
      { apps: [], device: { settings: { adb: '1' } } },
      '/device/settings/adb: must be such as global/adb_enabled',
    ],
    [
      'a mistyped reaction in one alternative',
      node({ onTap: { firstOf: [{ back: true }, { gotTo: 'about' }] } }),
      `${AT}/onTap/firstOf/1/gotTo: \`gotTo\` is not known here; did you mean \`goTo\`?`,
    ],
    ['a reaction that is none', node({ onTap: 5 }), `${AT}/onTap: must be a list or an object, found 5`],
    ['a condition that asks nothing', node({ showIf: {} }), `${AT}/showIf: must have at least one of node, counter`],
    [
      'a condition on a node that is not there',
      node({ id: 'wifi', showIf: { any: [{ node: { wify: { checked: true } } }] } }),
      `${AT}/showIf/any/0/node/wify: there is no node with the id \`wify\`; did you mean \`wifi\`?`,
    ],
    [
      'a mistyped state',
      node({ id: 'a', onTap: { if: { node: { a: { cheked: true } } }, back: true } }),
      `${AT}/onTap/if/node/a/cheked: \`cheked\` is not known here; did you mean \`checked\`?`,
    ],
    [
      'a counter that is not there',
      node({ onTap: { count: { tries: 1 } } }),
      `${AT}/onTap/count/tries: there is no counter \`tries\`; declare it in the app: "counters": {"tries": 0}`,
    ],
    [
      'a counter in words',
      node({ onTap: { count: { tries: 'two' } } }),
      `${AT}/onTap/count/tries: must be a number or "reset" or an object, found "two"`,
    ],
    [
      'a range of something else',
      node({ showIf: { counter: { tries: { atLest: 1 } } } }),
      `${AT}/showIf/counter/tries/atLest: \`atLest\` is not known here; did you mean \`atLeast\`?`,
    ],
    [
      'a counter with the name of a placeholder',
      appOf({ main: { nodes: [] } }, { counters: { text: 0 } }),
      '/apps/0/counters/text: must be a name such as tries, and not text or uri',
    ],
    [
      'a screen in a condition that is not there',
      node({ showIf: { not: { screen: 'mian' } } }),
      `${AT}/showIf/not/screen: there is no screen \`mian\`; did you mean \`main\`?`,
    ],
    [
      'an alternative that leads nowhere',
      node({ onKey: { BACK: { firstOf: [{ goTo: 'abut' }] } } }),
      `${AT}/onKey/BACK/firstOf/0/goTo: there is no screen \`abut\`; did you mean \`about\`?`,
    ],
    [
      'set bounds inside out',
      node({ id: 'a', onTap: { set: { a: { bounds: [9, 0, 1, 5] } } } }),
      `${AT}/onTap/set/a/bounds: must be [left, top, right, bottom] in pixels, with left < right`,
    ],
    [
      'a dialog that is somewhere else',
      appOf({ main: { nodes: [], dialog: { at: 'top' } as never } }),
      '/apps/0/screens/main/dialog/at: must be one of center, bottom, found "top"',
    ],
    [
      'a list of intents by name',
      { apps: [{ package: 'a.b', label: 'a', screens: [] }] },
      '/apps/0/screens: must be an object',
    ],
    ['a fault of no kind', { apps: [], faults: [{ do: 'lat' }] }, '/faults/0/do: must be one of no-result, late'],
  ])('%s', (_, json, error) => {
    expect(errorOf(json)).toContain(error)
  })

  test('each problem has a line of its own, up to a bound', () => {
    expect(errorOf(node({ text: 1, hint: 2 })).split('\n')).toHaveLength(2)
    const many = errorOf({ apps: Array.from({ length: 30 }, () => ({})) }).split('\n')
    expect(many).toHaveLength(11)
    expect(many.at(-1)).toBe('(and 80 more)')
  })

  test('nesting without end is refused, not run into', () => {
    const deep = JSON.parse('{"nodes":['.repeat(20_000) + ']}'.repeat(20_000))
    expect(errorOf(node(deep))).toContain('is nested deeper than')
  })

  test('a file that is not JSON', () => {
    expect(readScenario('{"apps": [}')).toMatchObject({
      ok: false,
      error: expect.stringContaining('is not valid JSON'),
    })
    expect(readScenario('\uFEFF{"apps": []}')).toMatchObject({ ok: true })
  })
})

describe('what is left out is filled in', () => {
  test('a launcher with an icon for each app is the home screen', () => {
    const { home, front, apps } = scenarioOf({ apps: appOf({ main: { nodes: [] } }).apps })
    expect(home.package).toBe('com.android.launcher3')
    expect(front).toBe(home)
    expect(apps.map(app => app.package)).toEqual(['com.android.launcher3', 'com.example'])
  })

  test('an app can be the home screen itself', () => {
    const { home, apps } = scenarioOf({ ...appOf({ main: { nodes: [] } }), home: 'com.example' })
    expect(home.package).toBe('com.example')
    expect(apps).toHaveLength(1)
  })

  test.each<[string, object, object]>([
    ['a text', { text: 'a' }, { className: 'android.widget.TextView', clickable: false, focusable: false }],
    [
      'a text that can be tapped',
      { text: 'a', onTap: { back: true } },
      { className: 'android.widget.TextView', clickable: true },
    ],
    [
      'a hint',
      { hint: 'a' },
      { className: 'android.widget.EditText', editable: true, clickable: true, focusable: true },
    ],
    [
      'a check mark',
      { checked: false },
      { className: 'android.widget.Switch', checkable: true, checked: false, clickable: true },
    ],
    ['a list', { scrollable: true }, { className: 'androidx.recyclerview.widget.RecyclerView', fill: true }],
    ['nodes', { nodes: [{}] }, { className: 'android.widget.LinearLayout', clickable: false }],
    ['a picture', { contentDesc: 'a' }, { className: 'android.widget.ImageView' }],
    ['a short class', { class: 'Button', text: 'a' }, { className: 'android.widget.Button', clickable: true }],
    ['a class in full', { class: 'com.x.Y' }, { className: 'com.x.Y' }],
    ['a class of another package', { class: 'WebView' }, { className: 'android.webkit.WebView' }],
    [
      'flags that say otherwise',
      { class: 'Button', clickable: false, focusable: true },
      { clickable: false, focusable: true },
    ],
    ['something to hold', { onLongPress: { back: true } }, { longClickable: true, clickable: false }],
  ])('%s', (_, written, filled) => {
    const { front } = scenarioOf(appOf({ main: { nodes: [written] } }))
    expect(front.screens.get('main')?.nodes[0]).toMatchObject(filled)
  })

  test('activities are named after screens', () => {
    const { front } = scenarioOf(appOf({ 'sign-in': { nodes: [] }, b: { nodes: [], activity: '.Other' } }))
    expect([...front.screens.values()].map(screen => screen.activity)).toEqual(['.SignInActivity', '.Other'])
    expect(front.start).toBe('sign-in')
  })
})
