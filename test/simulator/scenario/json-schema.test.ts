/** The published schema of scenarios: it judges as the simulator does, except for names of what is not there. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { scenarioJsonSchema } from '../../../src/simulator/scenario/json-schema.ts'
import { WrittenScenario } from '../../../src/simulator/scenario/scenario.ts'
import { mutations } from '../../contracts/mutations.ts'

const ajv = new Ajv2020({ strict: true, strictRequired: false })
const validate = ajv.compile(scenarioJsonSchema() as object)

/** Every key of the language is in one of these. */
const SAMPLES: Record<string, unknown> = {
  device: {
    $schema: 'scenario.schema.json',
    device: {
      properties: { 'ro.product.model': 'X' },
      settings: { 'global/adb_enabled': '1' },
      size: { width: 720, height: 1_280, density: 320 },
      state: 'device',
      screenOff: false,
      locked: false,
      keyboard: false,
      durations: { dump: 10, transition: 20 },
      operator: { ways: 'none', accessibility: false, version: '2' },
    },
    apps: [],
    home: 'com.a',
    front: 'com.a',
    timeScale: 0.5,
    faults: [{ after: 1, do: 'late', ms: 5, times: 2 }],
  },
  app: {
    apps: [
      {
        package: 'com.a',
        label: 'A',
        versionName: '1',
        versionCode: 1,
        start: 'main',
        icon: '#123456',
        counters: { tries: 1, runs: { start: 0, kept: true } },
        intents: [{ action: 'x', uri: 'a:*', if: { counter: { tries: 1 } }, goTo: 'main' }],
        screens: {
          main: { activity: '.A', nodes: [], background: '#FFFFFF', frame: true, rotation: 1, keyboard: 'cover' },
          ask: {
            dialog: { bounds: [0, 0, 9, 9], at: 'bottom', cancelable: false },
            nodes: [],
            onKey: { BACK: { back: true } },
          },
        },
      },
    ],
  },
  node: {
    apps: [
      {
        package: 'com.a',
        label: 'A',
        screens: {
          main: {
            nodes: [
              {
                ...{ id: 'a', text: 'a', hint: 'b', resourceId: 'c', contentDesc: 'd', package: 'e', class: 'F' },
                ...{ checkable: true, checked: true, clickable: true, enabled: false, focusable: true, focused: true },
                ...{ scrollable: true, longClickable: true, password: true, selected: true, hidden: true, kept: true },
                ...{ bounds: [0, 0, 9, 9], clip: false, width: 1, height: 2, padding: 3, layout: 'row', columns: 2 },
                ...{ fill: true, textSize: 12, align: 'end', color: '#000000', background: '#111111', icon: '#222222' },
                appearsAfter: { ms: 1 },
                disappearsAfter: { reads: 2 },
                showIf: {
                  any: [{ screen: 'main' }, { not: { app: 'com.a' } }],
                  all: [{ node: { a: { checked: true } } }],
                },
                onText: { when: 'x', toast: 'y' },
                onScroll: [{ when: 'end', count: { n: 1, m: 'reset', o: { set: 4 } } }],
                onLongPress: { nothing: true },
                onKey: { ENTER: { keyboard: false } },
                onTap: {
                  if: { counter: { n: { atLeast: 1, atMost: 2 } }, node: { a: { textContains: 'x', hidden: false } } },
                  set: { a: { text: 'b', bounds: [1, 1, 2, 2], class: 'X' } },
                  firstOf: [{ toggle: 'a' }, { home: true }, { openApp: 'com.b', goTo: 'x' }],
                },
                nodes: [{}],
              },
            ],
          },
        },
      },
    ],
  },
}

describe.each(Object.entries(SAMPLES))('%s', (_, sample) => {
  test('is taken', () => {
    expect(v.safeParse(WrittenScenario, sample).issues ?? []).toEqual([])
    expect(validate(sample), ajv.errorsText(validate.errors)).toBe(true)
  })

  test('damaged, is judged as the simulator does', () => {
    const judged = mutations(sample).map(({ value, what }) => {
      const accepted = v.is(WrittenScenario, value)
      expect({ what, accepted: validate(value) }).toEqual({ what, accepted })
      return accepted
    })
    expect(judged).toContain(false)
  })
})
