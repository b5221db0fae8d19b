import { describe, expect, test } from 'vitest'
import { appOf, nodeIn, tap, textsOf, uiOf, type WrittenApp } from '../../support/simulator/simulated-ui.ts'

type Node = object

const screens = (...nodes: Node[]): WrittenApp['screens'] => ({
  main: { nodes: nodes as [] },
  done: { nodes: [{ text: 'done' }, { text: 'again', onTap: { goTo: 'main' } }] },
})
const uiWith = (counters: WrittenApp['counters'], ...nodes: Node[]) =>
  uiOf(appOf(screens(...nodes), { counters: counters ?? {} }))
const log = { id: 'log', text: 'nothing' }
const says = (text: string) => ({ set: { log: { text } } })

describe('counters', () => {
  test('are shown where a text names them, and no other braces are touched', () => {
    const ui = uiWith({ tries: 2 }, { text: 'tried {tries} of {most}', onTap: { count: { tries: 1 } } })
    expect(textsOf(ui.tree())).toEqual(['tried 2 of {most}'])
    tap(ui, 'tried 2 of {most}')
    expect(textsOf(ui.tree())).toEqual(['tried 3 of {most}'])
  })

  test('are added to, set and reset, before anything is set with them', () => {
    const ui = uiWith(
      { n: { start: 5 } },
      { ...log },
      { text: 'down', onTap: { count: { n: -2 }, ...says('n is {n}') } },
      { text: 'forty', onTap: { count: { n: { set: 40 } }, ...says('n is {n}') } },
      { text: 'reset', onTap: { count: { n: 'reset' }, ...says('n is {n}') } },
    )
    const after = (label: string) => {
      tap(ui, label)
      return textsOf(ui.tree())[0]
    }
    expect(['down', 'forty', 'down', 'reset'].map(after)).toEqual(['n is 3', 'n is 40', 'n is 38', 'n is 5'])
  })

  test('decide what a tap does', () => {
    const ui = uiWith({ tries: 0 }, log, {
      text: 'try',
      onTap: {
        count: { tries: 1 },
        firstOf: [
          { if: { counter: { tries: { atLeast: 3 } } }, goTo: 'done' },
          { if: { counter: { tries: 2 } }, ...says('once more') },
          says('wrong'),
        ],
      },
    })
    const seen = [1, 2, 3].map(() => {
      tap(ui, 'try')
      return textsOf(ui.tree())[0]
    })
    expect(seen).toEqual(['wrong', 'once more', 'done'])
  })

  test('a typed text is not a template', () => {
    const ui = uiWith({ n: 7 }, { hint: 'name', onText: says('hello {text}, {n}') }, log)
    tap(ui, 'name')
    ui.type('{n}')
    expect(textsOf(ui.tree())).toEqual(['{n}', 'hello {n}, 7'])
  })
})

describe('a condition', () => {
  const agreed = { id: 'agree', text: 'I agree', class: 'CheckBox' }
  const go = (condition: object) => ({
    text: 'go',
    onTap: [
      { if: condition, goTo: 'done' },
      { if: { not: condition }, ...says('no') },
    ],
  })

  test('asks nodes for what they are now', () => {
    const ui = uiWith({}, agreed, go({ node: { agree: { checked: true } } }), log)
    tap(ui, 'go')
    expect(textsOf(ui.tree())).toContain('no')
    tap(ui, 'I agree')
    tap(ui, 'go')
    expect(textsOf(ui.tree())).toContain('done')
  })

  test('asks fields for what was typed, and who has the focus', () => {
    const wanted = { node: { name: { textContains: 'da', focused: true }, agree: { checked: false } } }
    const ui = uiWith({}, { id: 'name', hint: 'name' }, agreed, go(wanted), log)
    tap(ui, 'name')
    ui.type('ab')
    tap(ui, 'go')
    expect(textsOf(ui.tree())).toContain('no')
    ui.type('da')
    tap(ui, 'go')
    expect(textsOf(ui.tree())).toContain('done')
  })

  test('asks what is in front, also of the intent that comes', () => {
    const ui = uiOf({
      ...appOf(screens(log), {
        intents: [
          { uri: 'x:*', if: { screen: 'done' }, ...says('from done') },
          { uri: 'x:*', if: { not: { app: 'com.example' } }, ...says('from elsewhere') },
          { uri: 'x:*', ...says('from {uri}') },
        ],
      }),
    })
    const open = () => {
      ui.start({ data: 'x:y', extras: {} })
      return textsOf(ui.tree())[0]
    }
    expect(open()).toBe('from x:y')
    ui.key('HOME')
    expect(open()).toBe('from elsewhere')
    ui.start({ component: 'com.example/.DoneActivity', extras: {} })
    expect(open()).toBe('from done')
  })

  test.each<[object, boolean]>([
    [{ all: [{ counter: { n: 1 } }, { screen: 'main' }] }, true],
    [{ all: [{ counter: { n: 1 } }, { screen: 'done' }] }, false],
    [{ any: [{ counter: { n: 2 } }, { screen: 'main' }] }, true],
    [{ any: [{ counter: { n: 2 } }, { screen: 'done' }] }, false],
    [{ not: { any: [{ counter: { n: 2 } }] } }, true],
    [{ counter: { n: { atMost: 1, atLeast: 1 } } }, true],
    [{ counter: { n: { atLeast: 2 } } }, false],
    [{ app: 'com.example', node: { log: { text: 'nothing', hidden: false } } }, true],
  ])('%j is %s', (condition, expected) => {
    const ui = uiWith({ n: 1 }, log, { text: 'shown', showIf: condition })
    expect(textsOf(ui.tree()).includes('shown')).toBe(expected)
  })

  test('shows and hides nodes as things change, and only where they are on a screen do they take a tap', () => {
    const ui = uiWith(
      { n: 0 },
      { text: 'more', onTap: { count: { n: 1 } } },
      { text: 'late', showIf: { counter: { n: { atLeast: 2 } } }, onTap: { goTo: 'done' } },
    )
    tap(ui, 'more')
    expect(textsOf(ui.tree())).toEqual(['more'])
    tap(ui, 'more')
    tap(ui, 'late')
    expect(textsOf(ui.tree())).toContain('done')
  })

  test('of a key that does not hold leaves the key to the system', () => {
    const ui = uiOf(
      appOf({
        main: { nodes: [{ text: 'edit', onTap: { goTo: 'edit' } }] },
        edit: {
          nodes: [{ id: 'dirty', text: 'note', class: 'CheckBox' }],
          onKey: { BACK: { if: { node: { dirty: { checked: true } } }, goTo: 'ask' } },
        },
        ask: { nodes: [{ text: 'Discard?' }] },
      }),
    )
    tap(ui, 'edit')
    ui.key('BACK')
    expect(textsOf(ui.tree())).toEqual(['edit'])
    tap(ui, 'edit')
    tap(ui, 'note')
    ui.key('BACK')
    expect(textsOf(ui.tree())).toEqual(['Discard?'])
  })
})

describe('set', () => {
  test('changes everything that is drawn', () => {
    const look = {
      ...{ text: 'b', contentDesc: 'desc', resourceId: 'id/x', class: 'Button', checkable: true, checked: true },
      ...{ clickable: true, longClickable: true, enabled: false, focusable: true, scrollable: true, selected: true },
      ...{ package: 'com.other', focused: true, bounds: [10, 1_000, 110, 1_200] },
    }
    const ui = uiWith({}, { text: 'go', onTap: { set: { it: look } } }, { id: 'it', text: 'a' })
    tap(ui, 'go')
    expect(nodeIn(ui.tree(), 'b')).toMatchObject({
      ...{ className: 'android.widget.Button', packageName: 'com.other', resourceId: 'id/x', contentDesc: 'desc' },
      ...{ checkable: true, checked: true, clickable: true, longClickable: true, enabled: false, focusable: true },
      ...{ scrollable: true, selected: true, focused: true },
      bounds: { left: 10, top: 1_000, right: 110, bottom: 1_200 },
    })
  })

  test('of a class makes a field that can be typed into, with its hint; of a flag makes a thing that can be tapped', () => {
    const change = { set: { it: { class: 'EditText', text: '', hint: 'type here', focused: true } } }
    const ui = uiWith({}, { text: 'go', onTap: change }, { id: 'it', text: 'a', onTap: { goTo: 'done' } })
    tap(ui, 'go')
    expect(textsOf(ui.tree())).toEqual(['go', 'type here'])
    ui.type('hi')
    expect(textsOf(ui.tree())).toEqual(['go', 'hi'])
  })

  test('hides, shows and moves', () => {
    const ui = uiWith(
      {},
      { text: 'go', onTap: { set: { it: { hidden: false, height: 200, layout: 'row' } } } },
      { id: 'it', text: 'a', hidden: true },
    )
    expect(textsOf(ui.tree())).toEqual(['go'])
    tap(ui, 'go')
    const { top, bottom } = nodeIn(ui.tree(), 'a').bounds
    expect(bottom - top).toBe(525)
  })
})
