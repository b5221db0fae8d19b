/** The demo suite on simulated phones: the verdict of each flow, and what its commands did to the phone. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Command } from '../../../src/service/flows/language/command.ts'
import { COMMANDS } from '../../../src/service/flows/language/command-table.ts'
import { flowLibrary } from '../../../src/service/flows/language/flow-library.ts'
import { hostFlowFiles } from '../../../src/service/flows/language/host-flow-files.ts'
import { SELECTOR_RELATIONS, SELECTOR_TEXTS, type SelectorSource } from '../../../src/service/flows/language/params.ts'
import type { SimulatedPhone } from '../../../src/simulator/device.ts'
import {
  attemptOf,
  type FlowLab,
  type Seen,
  type SeenRun,
  startFlowLab,
  suiteScenario,
} from '../../support/flows/flow-lab.ts'
import { startOrdersServer } from '../../support/flows/orders-server.ts'

const SUITE = 'test/fixtures/flows/suite'
const SCENARIO = 'test/fixtures/flows/suite.scenario.json'
const DEPOT = 'com.example.depot'

let lab: FlowLab
let orders: Awaited<ReturnType<typeof startOrdersServer>>
let seen: SeenRun

beforeAll(async () => {
  orders = await startOrdersServer()
  lab = await startFlowLab({ scenario: suiteScenario(SCENARIO), count: 3, hostScale: 0.5 })
  seen = await lab.run([SUITE], { env: { API: orders.url, USER_NAME: 'ann' } })
}, 300_000)
afterAll(async () => {
  await lab?.close()
  await orders?.close()
})

const allowed = (end: Seen, name: string) => end.permission(DEPOT, `android.permission.${name}`)

/** The values that a setting took in the course of the flow. */
const values = (flow: string, key: string) => {
  const all = seen.during(flow).map(({ settings }) => settings.get(key))
  return all.filter((value, at) => at === 0 || value !== all[at - 1])
}

const commandsOf = (flow: string) => attemptOf(seen.run, flow).commands ?? []
/** Width and height, from the header of the PNG. */
const sizeOf = (name: string) => {
  const png = readFileSync(join(lab.output, name))
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}
const verdictsOf = (flow: string) => commandsOf(flow).map(({ verdict }) => verdict)

/** What the phone, the files and the run show after a flow that passes. */
const PASSING: Record<string, (end: Seen & { phone: SimulatedPhone }) => void> = {
  'launch-app': ({ texts }) => expect(texts).toEqual(expect.arrayContaining(['Depot', 'Opened 3 times'])),
  'stop-app': ({ running }) => expect(running).not.toContain(DEPOT),
  'kill-app'({ running, texts }) {
    const runs = seen.during('kill-app').map(each => each.running.includes(DEPOT))
    expect(runs).toEqual([true, true, false, true, true, true])
    expect(running).toContain(DEPOT)
    expect(texts).toContain('Depot')
  },
  'Clear state'(end) {
    expect(end.running).not.toContain(DEPOT)
    expect(allowed(end, 'CAMERA')).toBe('unset')
  },
  'set-permissions'(end) {
    expect(allowed(end, 'CAMERA')).toBe('deny')
    expect(allowed(end, 'RECORD_AUDIO')).toBe('deny')
    expect(allowed(end, 'ACCESS_FINE_LOCATION')).toBe('allow')
  },
  'permissions-asked': end => expect(allowed(end, 'CAMERA')).toBe('allow'),
  'open-link'({ texts, running }) {
    expect(texts).toContain('Item 1')
    expect(running).toContain('com.android.chrome')
  },
  'tap-on'({ texts }) {
    expect(texts).toEqual(expect.arrayContaining(['Taps 5', 'Left 1, right 1', 'Awake']))
    const calls = commandsOf('tap-on').map(({ executionIds }) => executionIds.length)
    expect(calls).toEqual([...Array(10).fill(1), 2, 1])
  },
  'tap-on-point': ({ texts }) => expect(texts).toContain('Taps 2'),
  'long-press': ({ texts }) => expect(texts).toEqual(expect.arrayContaining(['Holds 3', 'Taps 0'])),
  'double-tap': ({ texts }) => expect(texts).toContain('Taps 4'),
  swipe: ({ texts }) => expect(texts).toEqual(expect.arrayContaining(['Shelf', 'Autumn'])),
  scroll: ({ texts }) => expect(texts).not.toContain('Item 5'),
  'scroll-until-visible'({ texts }) {
    expect(texts).toContain('Item 15')
    expect(texts).not.toContain('Item 1')
  },
  'input-text'({ texts, phone }) {
    expect(texts).toEqual(expect.arrayContaining(['Zoë & Söhne', 'Typed: Zoë & Söhne', 'Stored']))
    expect(phone.log.entries().map(({ message }) => message)).toContain('form saved')
  },
  'erase-text': ({ texts }) => expect(texts).not.toEqual(expect.arrayContaining([expect.stringMatching(/^0/)])),
  'random-input': ({ texts }) => expect(texts).toContainEqual(expect.stringMatching(/^Typed: [A-Za-z ]+$/)),
  'copy-paste': ({ texts }) => expect(texts).toContain('from company logofrom company logo'),
  'hide-keyboard': ({ phone }) =>
    expect(phone.windows().some(shown => 'title' in shown && shown.title === 'InputMethod')).toBe(false),
  keys({ running }) {
    expect(running).toContain(DEPOT)
    expect(
      seen
        .during('keys')
        .slice(-3)
        .map(each => each.isAwake),
    ).toEqual([true, false, true])
  },
  'assert-visible': ({ texts }) => expect(texts).toContain('First line\nSecond line'),
  states: () => expect(new Set(verdictsOf('states'))).toEqual(new Set(['passed'])),
  relations: ({ texts }) => expect(texts).toContain('Shared'),
  late: ({ texts }) => expect(texts).toEqual(expect.arrayContaining(['3 parcels arrived', 'Accepted'])),
  animation: ({ texts }) => expect(texts).toContain('3 parcels arrived'),
  'assert-true': () =>
    expect(verdictsOf('assert-true')).toEqual([...Array(4).fill('passed'), ...Array(4).fill('ignored')]),
  screenshots() {
    expect(sizeOf('pictures/about.png')).toEqual([1_080, 2_400])
    expect(sizeOf('logo-2.png')).toEqual([252, 252])
    expect(sizeOf('pictures/about_diff.png')).toEqual([1_080, 2_400])
    expect(commandsOf('screenshots').at(-1)).toMatchObject({
      verdict: 'ignored',
      error: { code: 'ASSERTION_FAILED', details: { files: [expect.any(String), expect.stringContaining('_diff')] } },
    })
  },
  recording() {
    for (const name of ['videos/touch.mp4', 'second.mp4']) {
      expect(readFileSync(join(lab.output, name)).toString('latin1', 4, 8)).toBe('ftyp')
    }
    expect(attemptOf(seen.run, 'recording').commands?.at(-1)?.files).toHaveLength(1)
  },
  location({ place }) {
    expect(seen.during('location').map(each => each.place)).toEqual(['52.520000,13.405000', '-33.800000,151.200000'])
    expect(place).toBe('-33.800000,151.200000')
  },
  travel: ({ place }) => expect(place).toBe('0.001000,0.000000'),
  orientation: () => expect(values('orientation', 'system/user_rotation')).toEqual(['0', '1', '2', '3', '0']),
  'airplane-mode': () =>
    expect(values('airplane-mode', 'global/airplane_mode_on')).toEqual(['1', '0', '1', '0', '1', '0']),
  'dark-mode': () => expect(values('dark-mode', 'secure/ui_night_mode')).toEqual([undefined, '2', '1', '2', '1']),
  'add-media'({ phone }) {
    const sent = ['Pictures/label.png', 'Pictures/photo.jpg', 'Movies/clip.mp4'].map(name =>
      phone.files.read(`/sdcard/${name}`),
    )
    const here = ['label.png', 'photo.jpg', 'clip.mp4'].map(name => readFileSync(join(SUITE, 'media', name)))
    expect(sent.map(file => file && Buffer.from(file.content))).toEqual(here)
  },
  'run-flow'({ texts }) {
    expect(texts).toContain('Typed: bobby')
    expect(commandsOf('run-flow').map(({ depth }) => depth)).toContain(2)
    expect(commandsOf('run-flow').map(({ text }) => text)).toContain('Signs in as bob')
  },
  conditions: () => expect(verdictsOf('conditions').filter(verdict => verdict === 'skipped')).toHaveLength(6),
  repeat: ({ texts }) => expect(texts).toEqual(expect.arrayContaining(['Taps 5', 'Left 4, right 2'])),
  retry({ texts }) {
    expect(texts).toContain('Called 7 times')
    expect(verdictsOf('retry').filter(verdict => verdict === 'failed')).toHaveLength(4)
  },
  optional({ texts }) {
    expect(texts).toContain('Item 1')
    expect(verdictsOf('optional')).toEqual(['passed', 'ignored', 'ignored', 'passed', 'ignored', 'failed', 'passed'])
  },
  'scripts-and-output': ({ texts }) => expect(texts).toContain('Taps 1'),
  http: () =>
    expect(orders.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...['POST /orders', 'GET /orders/7', 'PUT /orders/7', 'DELETE /orders/7', 'PATCH /orders/7'],
      ...['POST /upload', 'GET /missing'],
    ]),
  "A customer's journey"({ texts }) {
    expect(texts).toContain('Wiped 1 times')
    expect(seen.run.flows.find(({ name }) => name === "A customer's journey")).toMatchObject({
      tags: ['smoke', 'regression'],
      properties: { owner: 'depot-team', ticket: 'DEPOT-12' },
    })
  },
}

/** Where a flow fails, and what is said of it. */
const FAILING: Record<string, { code: string; line: number; message: string | RegExp; file?: string }> = {
  assertion: { code: 'ASSERTION_FAILED', line: 5, message: `\${1 > 2} is not true.` },
  'missing-element': {
    code: 'NODE_NOT_FOUND',
    line: 6,
    message:
      /^No element on the screen has the id "never_there" below an element with the text "Depot"; looked for 0(\.\d)? s\.$/,
  },
  'still-there': {
    code: 'NODE_STILL_VISIBLE',
    line: 4,
    message: /^An element with the text "Depot" is still on the screen after 0(\.\d)? s\.$/,
  },
  'script-throws': {
    code: 'SCRIPT_FAILED',
    line: 3,
    message: /^The script failed \(.*\/scripts\/throws\.js:3:\d+\): Error: the pallet is empty$/,
  },
  'no-app': { code: 'APP_NOT_FOUND', line: 3, message: /no application com\.example\.nowhere can be opened\.$/ },
  dark: { code: 'ASSERTION_FAILED', line: 4, message: 'The phone is in light mode, not in dark mode.' },
  picture: {
    code: 'FILE_NOT_FOUND',
    line: 3,
    message: /^There is no picture .*\/nobody\/took\/this\.png to compare with; takeScreenshot makes one\.$/,
  },
  'scroll-ends': { code: 'TARGET_NOT_FOUND', line: 5, message: /^No element on the screen has the text "Item 99"/ },
  hook: { code: 'ASSERTION_FAILED', line: 4, message: `\${false} is not true.` },
  'complete-hook': { code: 'ASSERTION_FAILED', line: 3, message: `\${output.done} is not true.` },
  'retries-used-up': { code: 'ASSERTION_FAILED', line: 9, message: `\${false} is not true.` },
  crash: { code: 'NODE_NOT_FOUND', line: 6, message: /^No element on the screen has the text "Danger zone"/ },
  value: {
    code: 'FLOW_INVALID',
    line: 3,
    message: `direction must be one of UP, DOWN, LEFT, RIGHT; here it is "sideways" (from \${'sideways'}).`,
  },
}

/** Parameters that only flows of a browser have, and selectors of a web page. */
const OF_BROWSERS = [
  'launchApp.url',
  'stopApp.url',
  'killApp.url',
  'clearState.url',
  'setPermissions.url',
  'selector.css',
]

test('every command stands in the suite, with every parameter and every key of a selector', async () => {
  const used = new Set<string>()
  const note = ({ texts, relations, containsDescendants = [] }: SelectorSource) => {
    for (const key of [...Object.keys(texts), ...Object.keys(relations)]) used.add(`selector.${key}`)
    if (containsDescendants.length > 0) used.add('selector.containsDescendants')
    for (const inner of [...Object.values(relations), ...containsDescendants]) note(inner)
  }
  const noteAll = (commands: readonly Command[]) => {
    for (const { key, params } of commands) {
      used.add(key)
      for (const [name, param] of Object.entries(params)) {
        used.add(`${key}.${name}`)
        if (param.kind === 'selector') note(param.selector)
        if (param.kind === 'commands') noteAll(param.commands)
        if (param.kind === 'condition') {
          for (const word of Object.keys(param.condition)) used.add(`condition.${word}`)
          for (const inner of [param.condition.visible, param.condition.notVisible]) if (inner) note(inner)
        }
      }
    }
  }
  const library = flowLibrary(hostFlowFiles)
  const files = readdirSync(SUITE, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter(name => name.endsWith('.yaml') && name !== 'config.yaml')) {
    const read = await library.flow(resolve(SUITE, file))
    if (!read.ok) throw new Error(`${file}: ${read.problems[0]?.message}`)
    const { commands, config } = read.flow
    noteAll([...config.onFlowStart, ...commands, ...config.onFlowComplete])
  }
  const known = Object.entries(COMMANDS).flatMap(([key, { params }]) => [
    key,
    ...Object.keys(params).map(name => `${key}.${name}`),
  ])
  const keys = [...SELECTOR_TEXTS, ...SELECTOR_RELATIONS, 'containsDescendants'].map(key => `selector.${key}`)
  const conditions = ['platform', 'visible', 'notVisible', 'isTrue'].map(word => `condition.${word}`)
  expect([...known, ...keys, ...conditions].filter(each => !used.has(each)).toSorted()).toEqual(OF_BROWSERS.toSorted())
  expect(Object.keys(COMMANDS)).toHaveLength(54)
})

test('the folder runs the flows that its configuration names, in its order', () => {
  const names = seen.run.flows.map(({ name }) => name)
  expect(names.slice(0, 2)).toEqual(['launch-app', 'permissions-asked'])
  expect(names.toSorted()).toEqual([...Object.keys(PASSING), ...Object.keys(FAILING)].toSorted())
  expect(seen.run.verdict).toBe('failed')
})

describe('a flow that passes', () => {
  test.each(Object.keys(PASSING))('%s', name => {
    const { verdict, error } = attemptOf(seen.run, name)
    expect({ verdict, error }).toEqual({ verdict: 'passed', error: undefined })
    PASSING[name]?.(seen.endOf(name))
  })
})

describe('a flow that fails', () => {
  test.each(Object.keys(FAILING))('%s', name => {
    const { verdict, error, files = [] } = attemptOf(seen.run, name)
    const { code, line, message } = FAILING[name] ?? {}
    expect(verdict).toBe('failed')
    expect(error).toMatchObject({ code, line, file: expect.stringMatching(new RegExp(`/broken/${name}\\.yaml$`)) })
    if (message instanceof RegExp) expect(error?.message).toMatch(message)
    else expect(error?.message).toBe(message)
    expect(files).toEqual(expect.arrayContaining([expect.stringMatching(/failure\.png$/)]))
    for (const file of files) expect(existsSync(join(seen.run.folder, file))).toBe(true)
  })

  test('hook: the main part is skipped, and the last hook still runs', () => {
    expect(commandsOf('hook').map(({ text }) => text)).toContain('Open depot://about')
    expect(commandsOf('hook').map(({ text }) => text)).not.toContain('Open depot://touch')
    expect(seen.endOf('hook').texts).toContain('About')
  })

  test('crash: the failure says so', () => {
    const { error } = attemptOf(seen.run, 'crash')
    expect(error?.details).toMatchObject({ crash: { exception: 'java.lang.IllegalStateException' } })
  })

  test('retries-used-up: no more than four attempts are made', () => {
    expect(seen.endOf('retries-used-up').texts).toContain('Called 4 times')
  })
})
