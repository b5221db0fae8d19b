/** What the source of the format says of each command, as the steps that the phone is asked for. */
import { expect, test } from 'vitest'
import type { PhoneAnswer, PhoneStep } from '../../../../src/service/flows/phones.ts'
import { flowBench } from '../../../support/flows/flow-bench.ts'

const SETTLE: PhoneStep = { type: 'wait_for_idle', params: { timeoutMs: 3_000 } }
const flowOf = (commands: readonly string[]) => `appId: a\n---\n${commands.join('\n')}\n`

/** The steps of all executions of a flow that passes, without looks for elements. */
const stepsOf = async (commands: readonly string[], answers: readonly (PhoneAnswer | undefined)[] = []) => {
  const bench = flowBench(flowOf(commands))
  bench.phone.answerWith(answers)
  const ending = await bench.perform()
  expect(ending).toMatchObject({ emitted: { verdict: 'passed' } })
  return bench.phone.calls.flatMap(({ steps }) => steps.filter(({ type }) => type !== 'wait_for_node'))
}

const element = (text: string) => ({ matcher: { flow: { text } } })
const typed = (text: string): PhoneStep => ({ type: 'enter_text', params: { text, append: true } })
const pressed = (key: string): PhoneStep => ({ type: 'press_key', params: { key } })
const opened = (params: object): PhoneStep => ({
  type: 'open_app',
  params: { applicationId: 'a', clearState: false, stopFirst: true, permissions: { all: 'allow' }, ...params },
})

test.each<[fact: string, commands: string[], steps: PhoneStep[]]>([
  ['launchApp stops the app and allows all by default', ['- launchApp'], [opened({}), SETTLE]],
  ['stopApp: false leaves it', ['- launchApp: { stopApp: false }'], [opened({ stopFirst: false }), SETTLE]],
  [
    'clearState unsets the permissions',
    ['- clearState'],
    [
      { type: 'clear_app', params: { applicationId: 'a' } },
      { type: 'set_permission', params: { applicationId: 'a', permission: 'all', state: 'unset' } },
    ],
  ],
  ['clearKeychain does nothing', ['- clearKeychain'], []],
  ['tapOn taps once', ['- tapOn: x'], [{ type: 'click', params: element('x') }, SETTLE]],
  [
    'repeat has a delay of 100 ms',
    ['- tapOn: { text: x, repeat: 3 }'],
    [{ type: 'click', params: { ...element('x'), repeat: 3, repeatDelayMs: 100 } }, SETTLE],
  ],
  ['doubleTapOn is a double tap', ['- doubleTapOn: x'], [{ type: 'double_tap', params: element('x') }, SETTLE]],
  [
    'doubleTapOn with a delay taps twice, so far apart',
    ['- doubleTapOn: { text: x, delay: 400 }'],
    [{ type: 'click', params: { ...element('x'), repeat: 2, repeatDelayMs: 400 } }, SETTLE],
  ],
  [
    'longPressOn holds for 3 s',
    ['- longPressOn: x'],
    [{ type: 'click', params: { ...element('x'), clickType: 'long_click', holdMs: 3_000 } }, SETTLE],
  ],
  [
    'swipe takes 400 ms',
    ['- swipe: { direction: LEFT }'],
    [{ type: 'swipe', params: { direction: 'left', durationMs: 400 } }, SETTLE],
  ],
  ['inputText appends', ['- inputText: ä'], [typed('ä'), SETTLE]],
  ['eraseText deletes 50', ['- eraseText'], [{ type: 'erase_text', params: { characters: 50 } }, SETTLE]],
  ['pasteText types the copied text', ['- setClipboard: x', '- pasteText'], [typed('x'), SETTLE]],
  ['pressKey takes any case', ['- pressKey: volume UP'], [pressed('volume_up'), SETTLE]],
  ['action is an older word', ['- action: back'], [pressed('back'), SETTLE]],
  ['action has the spelling of early flows', ['- action: hide keyboard'], [{ type: 'hide_keyboard' }, SETTLE]],
  ['hide keyboard is a command', ['- hide keyboard'], [{ type: 'hide_keyboard' }, SETTLE]],
  [
    'killApp ends what is behind',
    ['- killApp'],
    [{ type: 'close_app', params: { applicationId: 'a', background: true } }, SETTLE],
  ],
  ['repeat with 0 rounds is skipped', ['- repeat: { times: 0, commands: [back] }'], []],
  [
    'values of env are strings',
    ['- runFlow: { env: { A: 1, B: 2 }, commands: [{ inputText: "${A + B}" }] }'],
    [typed('12'), SETTLE],
  ],
])('%s', async (_, commands, steps) => {
  expect(await stepsOf(commands)).toEqual(steps)
})

const animationWaits = async (command: string, still: number) => {
  const bench = flowBench(flowOf([command]))
  let looks = 0
  const settled = (): PhoneAnswer => ({
    kind: 'performed',
    steps: [{ id: 'step-1', actionType: 'wait_for_idle', success: true, data: { settled: String(looks++ === still) } }],
  })
  bench.phone.answerWith([settled(), settled(), settled(), settled()])
  expect(await bench.perform()).toMatchObject({ emitted: { verdict: 'passed' } })
  return bench.phone.calls.flatMap(({ steps }) => steps.map(({ params }) => params?.timeoutMs))
}

test.each([
  ['looks for 15 s', '- waitForAnimationToEnd', 9, [15_000]],
  ['a negative time is the default', '- waitForAnimationToEnd: { timeout: -1 }', 9, [15_000]],
  ['looks for as long as it says', '- waitForAnimationToEnd: { timeout: 70000 }', 9, [30_000, 30_000, 10_000]],
  ['ends with a still screen', '- waitForAnimationToEnd: { timeout: 70000 }', 1, [30_000, 30_000]],
])('waitForAnimationToEnd %s, and never fails', async (_, command, still, looks) => {
  expect(await animationWaits(command, still)).toEqual(looks)
})

const outOfTime = (reason: string): PhoneAnswer => ({
  kind: 'performed',
  steps: [{ id: 'step-1', actionType: 'scroll_until', success: false, data: { termination_reason: reason } }],
  error: { code: 'TARGET_NOT_FOUND', message: 'not there' },
})

const scrolls = async (params: string, reasons: readonly string[]) => {
  const bench = flowBench(flowOf([`- scrollUntilVisible: { element: x, ${params} }`]))
  bench.phone.answerWith(reasons.map(outOfTime))
  const ending = await bench.perform()
  const steps = bench.phone.calls.flatMap(call => call.steps.filter(({ type }) => type === 'scroll_until'))
  return {
    verdict: ending.kind === 'ended' && ending.emitted.verdict,
    ms: steps.map(each => each.params?.maxDurationMs),
    message: bench.recorded().stages[1]?.body.error?.message,
  }
}

test('scrollUntilVisible scrolls for as long as it says, in executions that the host allows', async () => {
  const LATE = 'max_duration'
  expect(await scrolls('speed: 40', [])).toEqual({ verdict: 'passed', ms: [20_000] })
  expect(await scrolls('timeout: 200000', [LATE])).toEqual({ verdict: 'passed', ms: [90_000, 90_000] })
  const missing = 'No element on the screen has the text "x"; '
  expect(await scrolls('timeout: 200000', [LATE, LATE, LATE])).toEqual({
    verdict: 'failed',
    ms: [90_000, 90_000, 20_000],
    message: `${missing}looked for 200 s.`,
  })
  expect(await scrolls('timeout: 200000', ['edge_reached'])).toEqual({
    verdict: 'failed',
    ms: [90_000],
    message: expect.stringMatching(`^${missing}the last of \\d+ scrolls brought nothing new\\.$`),
  })
})
