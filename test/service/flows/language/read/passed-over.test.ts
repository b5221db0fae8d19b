/** What the format accepts and what has no effect, or another one than it says, is told by a warning. */
import { describe, expect, test } from 'vitest'
import { readWorkspace } from '../../../../../src/service/flows/language/plan/read-workspace.ts'
import { readFlow } from '../../../../../src/service/flows/language/read/read-flow.ts'

const warningsOf = (yaml: string) => {
  const read = readFlow(yaml, '/f.yaml')
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join(' '))
  return read.warnings.map(({ line, message }) => `${line}: ${message}`)
}
const ofCommand = (command: string) => warningsOf(`appId: a\n---\n- ${command}\n`)

describe('in a command', () => {
  test.each([
    ['assertVisible: {text: x, point: "50%,50%"}', 'assertVisible makes no use of point: it has no effect.'],
    ['assertNotVisible: {text: x, repeat: 3}', 'assertNotVisible makes no use of repeat: it has no effect.'],
    [
      'copyTextFrom: {id: x, retryTapIfNoChange: true}',
      'copyTextFrom makes no use of retryTapIfNoChange: it has no effect.',
    ],
    ['tapOn: {text: x, start: "1,1"}', 'tapOn makes no use of start: it has no effect.'],
    ['tapOn: {text: x, below: {text: y, point: "1,1"}}', 'A selector makes no use of point here: it has no effect.'],
    [
      'tapOn: {text: x, below: {text: y, optional: true}}',
      'A selector makes no use of optional here: it has no effect.',
    ],
    [
      'scrollUntilVisible: {element: {id: x, point: "1,1"}}',
      'A selector makes no use of point here: it has no effect.',
    ],
    ['extendedWaitUntil: {visible: {id: x, delay: 3}}', 'A selector makes no use of delay here: it has no effect.'],
    ['tapOn: {text: x, tolerance: 4}', 'tolerance has no effect without width or height.'],
    ['runFlow: {commands: [back], when: {}}', 'The condition when asks for nothing: it always holds.'],
    [
      'repeat: {times: 2, while: {label: x}, commands: [back]}',
      'The condition while asks for nothing: it always holds.',
    ],
    [
      'openLink: {link: x, autoVerify: true}',
      'autoVerify has no effect: where the phone asks which app opens the link, tap it in the flow.',
    ],
    ['retry: {maxRetries: 9, commands: [back]}', 'maxRetries is at most 3: the commands run 4 times at most.'],
    ['tapOn: {text: x, waitToSettleTimeoutMs: 50000}', 'waitToSettleTimeoutMs is at most 30000.'],
    ['scrollUntilVisible: {element: x, speed: 200}', 'speed is at most 100: a higher one means the default, 40.'],
    ['scrollUntilVisible: {element: x, visibilityPercentage: 150}', 'visibilityPercentage is at most 100.'],
  ])('%s', (command, message) => {
    expect(ofCommand(command)).toEqual([`3: ${message}`])
  })

  test.each([
    'tapOn: {text: x, point: "1,1", repeat: 2, delay: 5, optional: true, label: y}',
    'swipe: {from: {text: x, point: "1,1"}, direction: UP}',
    'swipe: {from: {text: x, optional: true}, direction: UP}',
    'scrollUntilVisible: {element: {id: x, optional: true, label: y}}',
    'openLink: {link: x, autoVerify: false, browser: true}',
    'tapOn: {text: x, width: 4, tolerance: 4}',
    'retry: {maxRetries: "${N}", commands: [back]}',
    'runFlow: {commands: [back], when: {platform: Android}}',
  ])('%s has its effect', command => {
    expect(ofCommand(command)).toEqual([])
  })
})

test.each([
  ['jsEngine: rhino', ['2: jsEngine has no effect: scripts run as JavaScript of today, as with graaljs.']],
  ['jsEngine: graaljs', []],
  ['androidWebViewHierarchy: chrome', ['2: androidWebViewHierarchy has an effect only with devtools.']],
  ['androidWebViewHierarchy: devtools', []],
])('in a header: %s', (header, warnings) => {
  expect(warningsOf(`appId: a\n${header}\n---\n- back\n`)).toEqual(warnings)
})

test.each([
  ['flow: ["*"]', 'The configuration of a workspace has no key flow: it has no effect. Did you mean flows?'],
  [
    'executionOrder: {flowOrder: [a]}',
    'executionOrder has no key flowOrder: it has no effect. Did you mean flowsOrder?',
  ],
  ['platform: {andriod: {}}', 'platform has no key andriod: it has no effect. Did you mean android?'],
  [
    'platform: {android: {disableAnimation: true}}',
    'platform.android has no key disableAnimation: it has no effect. Did you mean disableAnimations?',
  ],
])('in the configuration of a workspace: %s', (yaml, warning) => {
  const read = readWorkspace(yaml, '/config.yaml')
  expect(read.ok && read.warnings.map(({ message, hint }) => [message, hint].join(' '))).toEqual([warning])
})
