// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** A number of a flow that becomes a loop, a timer or an array on the host has a bound, and one beyond it fails the flow. */
import { describe, expect, test } from 'vitest'
import { readFlow } from '../../../../src/service/flows/language/read/read-flow.ts'
import { flowBench } from '../../../support/flows/flow-bench.ts'

const HEADER = 'appId: com.example\n---\n'
const LINE = 3

/** A command with <n> in the place of its number, what its message says, and whether less than 0 stands for the default. */
const NUMBERS: readonly [command: string, rule: string, hasDefault?: true][] = [
  ['repeat: {times: <n>, commands: []}', 'times must be a whole number of at most 20000', true],
  ['extendedWaitUntil: {visible: here, timeout: <n>}', 'timeout must be a whole number of at most 21600000', true],
  ['waitForAnimationToEnd: {timeout: <n>}', 'timeout must be a whole number of at most 21600000', true],
  ['scrollUntilVisible: {element: here, timeout: <n>}', 'timeout must be a whole number of at most 21600000', true],
  ['inputRandomText: {length: <n>}', 'length must be a whole number of at most 10000', true],
  ['inputRandomNumber: {length: <n>}', 'length must be a whole number of at most 10000', true],
  ['eraseText: <n>', 'charactersToErase must be a whole number, 0 or more and at most 1000'],
  ['swipe: {direction: UP, duration: <n>}', 'duration must be a whole number from 1 to 10000'],
  ['tapOn: {text: here, repeat: <n>}', 'repeat must be a whole number of at most 100', true],
  ['tapOn: {text: here, delay: <n>}', 'delay must be a whole number of at most 10000', true],
  ['longPressOn: {text: here, repeat: <n>}', 'repeat must be a whole number of at most 100', true],
  ['setLocation: {latitude: <n>, longitude: 1}', 'latitude must be a number from -90 to 90'],
  ['setLocation: {latitude: 1, longitude: <n>}', 'longitude must be a number from -180 to 180'],
  ['travel: {points: ["1,1", "2,<n>"]}', 'An entry of points must be a latitude and a longitude'],
  ['assertScreenshot: {path: a, thresholdPercentage: <n>}', 'thresholdPercentage must be a number from 0 to 100'],
  ['setAirplaneMode: <n>', 'value must be one of enabled, disabled'],
]

const NO_NUMBERS = ['1e9', '1e308', '99999999999999999999', 'Infinity', 'NaN', 'many', 'undefined']
const wrongFor = (hasDefault?: true) => (hasDefault ? NO_NUMBERS : [...NO_NUMBERS, '-1e9'])

const flowOf = (command: string, value: string) => `${HEADER}- ${command.replace('<n>', () => value)}\n`

describe.each(NUMBERS.map(([command, rule, hasDefault]) => ({ command, rule, hasDefault })))(
  '$command',
  ({ command, rule, hasDefault }) => {
    test('in the file', () => {
      for (const value of wrongFor(hasDefault)) {
        expect(readFlow(flowOf(command, value), '/flows/main.yaml'), value).toMatchObject({
          ok: false,
          problems: [{ file: '/flows/main.yaml', line: LINE, message: expect.stringContaining(rule) }],
        })
      }
    })

    test('as the value of an expression', async () => {
      const hole = command.includes('"2,<n>"') ? '${VALUE}' : '"${VALUE}"'
      for (const value of [...wrongFor(hasDefault), '']) {
        const bench = flowBench(flowOf(command, hole), { env: { VALUE: value } })
        const emitted = { verdict: 'failed', failure: { code: 'FLOW_INVALID' } }
        expect(await bench.perform(), value).toMatchObject({ kind: 'ended', emitted })
        expect(bench.recorded().stages[1]?.body.error).toMatchObject({
          file: '/flows/main.yaml',
          line: LINE,
          command: expect.stringContaining(command.split(':')[0] ?? ''),
          message: expect.stringContaining(rule),
        })
        expect(bench.touches()).toEqual([])
      }
    })
  },
)

test('the numbers at the bounds are taken', async () => {
  const lines = [
    'repeat: {times: 20000, while: {visible: missing}, commands: [back]}',
    'extendedWaitUntil: {visible: here, timeout: 21600000}',
    'waitForAnimationToEnd: {timeout: 21600000}',
    'scrollUntilVisible: {element: here, timeout: 21600000, visibilityPercentage: 100}',
    'inputRandomText: {length: 10000}',
    'eraseText: 1000',
    'swipe: {direction: UP, duration: 10000}',
    'tapOn: {text: here, repeat: 100, delay: 600}',
    'tapOn: {text: here, repeat: 7, delay: 10000}',
  ]
  const bench = flowBench(`${HEADER}${lines.map(line => `- ${line}\n`).join('')}`)
  expect(await bench.perform()).toMatchObject({ kind: 'ended', emitted: { verdict: 'passed' } })
  for (const { steps, timeoutMs } of bench.phone.calls) {
    expect(steps.length).toBeLessThanOrEqual(50)
    expect(timeoutMs).toBeLessThanOrEqual(120_000)
  }
})

test('taps whose pauses take longer than a tapOn may', async () => {
  const bench = flowBench(`${HEADER}- tapOn: {text: here, repeat: 100, delay: 10000}\n`)
  expect(await bench.perform()).toMatchObject({ emitted: { verdict: 'failed', failure: { code: 'FLOW_INVALID' } } })
  expect(bench.recorded().stages[1]?.body.error?.message).toBe(
    'The pauses between 100 taps take 990000 ms, and those of one tapOn may take 60000 ms.',
  )
  expect(bench.touches()).toEqual([])
})

test('a way that takes longer than a day', async () => {
  const way = (speed: string) => `${HEADER}- travel: {points: ["1,1", "2,2"], speed: ${speed}}\n`
  for (const speed of ['0.03', '1e-300']) {
    const bench = flowBench(way(speed))
    expect(await bench.perform()).toMatchObject({ emitted: { verdict: 'failed', failure: { code: 'FLOW_INVALID' } } })
    expect(bench.touches()).toEqual([])
  }
})
