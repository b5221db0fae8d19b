// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** What the source of the format says of selectors, scripts and configurations, each as commands on a simulated phone. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseScenario } from '../../../../src/simulator/scenario/scenario.ts'
import { attemptOf, type FlowLab, startFlowLab } from '../../../support/flows/flow-lab.ts'

const id = (name: string) => `com.example.facts:id/${name}`
const tapped = (name: string) => ({ set: { result: { text: `Tapped ${name}` } } })

const SCENARIO = {
  timeScale: 0.05,
  front: 'com.example.facts',
  apps: [
    {
      package: 'com.example.facts',
      label: 'Facts',
      start: 'home',
      intents: [{ uri: 'facts://home', goTo: 'home' }],
      screens: {
        home: {
          activity: '.Main',
          nodes: [
            { id: 'result', resourceId: id('result'), text: 'Nothing' },
            { resourceId: id('price'), text: 'Price (EUR) 3.20' },
            { resourceId: id('lines'), text: 'First line\nSecond line' },
            { class: 'EditText', resourceId: id('name'), hint: 'Your name' },
            { resourceId: id('icon'), contentDesc: 'Basket' },
            {
              resourceId: id('pay'),
              contentDesc: 'Pay',
              clickable: true,
              onTap: tapped('outer'),
              nodes: [{ text: 'Pay', resourceId: id('pay_text') }],
            },
            { text: 'Twin' },
            { class: 'Button', text: 'Twin', onTap: tapped('button') },
            { class: 'CheckBox', text: 'Terms', checkable: true, checked: true },
            { class: 'Button', text: 'Later', enabled: false },
            { text: 'Chosen', selected: true },
            { text: 'word '.repeat(60).trim(), resourceId: id('long') },
          ],
        },
      },
    },
  ],
}

const FACTS: readonly [fact: string, commands: readonly string[]][] = [
  ['a text is matched in any case', ['assertVisible: basket']],
  ['a text is matched as a whole', ['assertNotVisible: Bask']],
  ['a text is a regular expression', ['assertVisible: "B.s[a-k]+et"']],
  ['a text that is written just so counts, too', ['assertVisible: Price (EUR) 3.20']],
  ['a line feed is a blank', ['assertVisible: First line Second line']],
  ['a dot takes a line feed', ['assertVisible: First.*line']],
  ['a hint is a text', ['assertVisible: Your name']],
  ['an id is matched behind its last slash', ['assertVisible: { id: price }']],
  ['an id is matched as a whole', ['assertVisible: { id: "com.example.facts:id/price" }']],
  ['an id is matched in any case', ['assertVisible: { id: PRICE }']],
  ['a part of an id is none', ['assertNotVisible: { id: pri }']],
  ['the deepest match wins', ['copyTextFrom: Pay', "assertTrue: ${maestro.copiedText == 'Pay'}"]],
  ['text with id is the element that has both', ['assertVisible: { text: Pay, id: pay }']],
  ['what can be clicked comes first', ['tapOn: Twin', 'assertVisible: Tapped button']],
  ['enabled', ['assertVisible: { text: Later, enabled: false }', 'assertNotVisible: { text: Later, enabled: true }']],
  ['checked', ['assertVisible: { text: Terms, checked: true }', 'assertNotVisible: { text: Terms, checked: false }']],
  ['selected', ['assertVisible: { text: Chosen, selected: true }']],
  ['focused', ['tapOn: { id: name }', 'assertVisible: { id: name, focused: true }']],
  ['an index counts from above', ['assertVisible: { text: Twin, index: 1, above: Terms }']],
  ['an index counts from the end', ['assertVisible: { text: Twin, index: -1, above: Terms }']],
  ['an index beyond the matches is none', ['assertNotVisible: { text: Twin, index: 2 }']],
  ['below', ['assertVisible: { text: Twin, below: Pay }', 'assertNotVisible: { text: Basket, below: Pay }']],
  ['above', ['assertVisible: { text: Basket, above: Pay }', 'assertNotVisible: { text: Later, above: Pay }']],
  [
    'containsChild',
    ['assertVisible: { id: pay, containsChild: Pay }', 'assertNotVisible: { id: icon, containsChild: Pay }'],
  ],
  ['containsDescendants', ['assertVisible: { id: pay, containsDescendants: [{ id: pay_text }, Pay] }']],
  [
    'childOf',
    ['assertVisible: { id: pay_text, childOf: { id: pay } }', 'assertNotVisible: { id: icon, childOf: { id: pay } }'],
  ],
  [
    'traits',
    ['assertVisible: { id: long, traits: long-text }', 'assertNotVisible: { id: price, traits: [long-text] }'],
  ],
  ['optional makes a warning of a failure', ['tapOn: { id: none, optional: true }']],
  ['an empty list is true', ['assertTrue: ${[]}']],
  ['an object is true', ['assertTrue: ${new Object()}']],
  [
    'blank, false, undefined, null and 0 are false',
    ["''", "'  '", "'False'", 'undefined', 'null', '0'].map(
      value => `runFlow: { when: { true: "\${${value}}" }, commands: [{ assertTrue: "\${false}" }] }`,
    ),
  ],
  ['a name that nobody declared is undefined', ['assertTrue: ${nobody === undefined}']],
  ['output keeps functions', ['evalScript: ${output.twice = x => 2 * x}', 'assertTrue: ${output.twice(4) === 8}']],
  ['values of env are texts', ['runFlow: { env: { A: 1, B: 2 }, commands: [{ assertTrue: "${A + B === \'12\'}" }] }']],
  ['the name of the file has no extension', ["assertTrue: ${MAESTRO_FILENAME == 'facts'}"]],
  ['shards exist without shards', ["assertTrue: ${MAESTRO_SHARD_ID == '1' && MAESTRO_SHARD_INDEX == '0'}"]],
  ['the phone has a name', ['assertTrue: ${MAESTRO_DEVICE_UDID.length > 0}']],
  ['the platform is android', ["assertTrue: ${maestro.platform == 'android'}"]],
  [
    'a condition for another platform is false',
    ['runFlow: { when: { platform: iOS }, commands: [{ assertTrue: "${false}" }] }'],
  ],
  [
    'a condition holds where all of it does',
    [
      'runFlow: { when: { platform: Android, visible: Pay, true: "${false}" }, commands: [{ assertTrue: "${false}" }] }',
    ],
  ],
  ['a link is opened by its app', ['openLink: { link: "facts://home", autoVerify: true }', 'assertVisible: Twin']],
  [
    'a script is given its env',
    ['runScript: { file: script.js, env: { A: 4 } }', "assertTrue: ${output.a === '4' && typeof A === 'undefined'}"],
  ],
  [
    'retry with 3 makes four attempts',
    [
      'evalScript: ${output.n = 0}',
      'retry: { maxRetries: 3, commands: [{ evalScript: "${output.n += 1}" }, { assertTrue: "${output.n === 4}" }] }',
    ],
  ],
]

let lab: FlowLab
let attempt: ReturnType<typeof attemptOf>

beforeAll(async () => {
  const parsed = parseScenario(SCENARIO)
  if (!parsed.ok) throw new Error(parsed.error)
  lab = await startFlowLab({ scenario: parsed.scenario, hostScale: 0.2 })
  const folder = join(lab.home, 'facts')
  mkdirSync(folder)
  writeFileSync(join(folder, 'script.js'), 'output.a = A\n')
  const commands = FACTS.map(([fact, each]) => {
    const list = each.map(command => `        - ${command}\n`).join('')
    return `- runFlow:\n    label: ${fact}\n    commands:\n${list}`
  })
  writeFileSync(join(folder, 'facts.yaml'), `appId: com.example.facts\n---\n- launchApp\n${commands.join('')}`)
  attempt = attemptOf((await lab.run([join(folder, 'facts.yaml')])).run, 'facts')
}, 120_000)
afterAll(() => lab?.close())

test.each(FACTS.map(([fact]) => fact))('on a phone: %s', fact => {
  const { commands = [], error } = attempt
  const found = commands.find(({ depth, text }) => depth === 0 && text === fact)
  expect([found?.verdict, found?.verdict === 'failed' ? error : undefined]).toEqual(['passed', undefined])
})
