/** measure_startup: what is sent for each run, and what is made of the answers of several versions of Android. */
import { describe, expect, test } from 'vitest'
import { medianOf, startupIn } from '../../../src/device/perf/startup.ts'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { runHostStep } from '../../../src/device/steps/run-host-step.ts'
import { scriptedLink } from '../../support/device/scripted-link.ts'
import { manualClock } from '../../support/manual-clock.ts'

const NAME = 'com.example.notes'
const started = (...lines: readonly string[]) =>
  ['Starting: Intent { }', 'Status: ok', ...lines, 'Complete', ''].join('\n')
const cold = (ms: number) =>
  started('LaunchState: COLD', `Activity: ${NAME}/.Main`, `TotalTime: ${ms}`, `WaitTime: ${ms + 6}`)

describe('one start', () => {
  test.each([
    ['cold', cold(420), { kind: 'cold', totalMs: 420, waitMs: 426 }],
    [
      'hot, brought to the front',
      started(
        'Warning: its current task has been brought to the front',
        'LaunchState: HOT',
        'TotalTime: 85',
        'WaitTime: 91',
      ),
      { kind: 'hot', totalMs: 85, waitMs: 91 },
    ],
    [
      'delivered to what is on top',
      started('LaunchState: UNKNOWN (0)', `Activity: ${NAME}/.Main`, 'TotalTime: 0', 'WaitTime: 4'),
      { kind: null, totalMs: null, waitMs: 4 },
    ],
    [
      'not drawn in time',
      'Status: timeout\nLaunchState: UNKNOWN (-1)\nWaitTime: 10012\nComplete\n',
      { kind: null, totalMs: null, waitMs: 10_012 },
    ],
    [
      'covered by another application',
      started(
        'LaunchState: COLD',
        'Activity: com.google.android.permissioncontroller/.Grant',
        'TotalTime: 300',
        'WaitTime: 310',
      ),
      { kind: null, totalMs: null, waitMs: 310, onTop: 'com.google.android.permissioncontroller' },
    ],
    ['without any figure', started(), { kind: 'cold', totalMs: null, waitMs: null }],
  ])('%s', (_, said, expected) => {
    expect(startupIn(said, NAME, true)).toEqual(expected)
  })

  test('before Android 10 the kind is known only of an application that was stopped', () => {
    const said = started('ThisTime: 400', 'TotalTime: 420', 'WaitTime: 433')
    expect(startupIn(said, NAME, true).kind).toBe('cold')
    expect(startupIn(said, NAME, false)).toEqual({ kind: null, totalMs: 420, waitMs: 433 })
  })
})

test.each([
  [[], undefined],
  [[5], 5],
  [[9, 1, 5], 5],
  [[1, 2, 4, 100], 3],
])('the median of %j', (values, expected) => {
  expect(medianOf(values)).toBe(expected)
})

const phone = (answers: readonly string[], mayAct?: () => void) => {
  const left = [...answers]
  const clock = manualClock()
  const link = scriptedLink(command => {
    if (command === 'am get-current-user') return '10\n'
    if (command.includes('resolve-activity')) return `priority=0\n${NAME}/.Main\n`
    return command.startsWith('am start') ? left.shift() : ''
  })
  const signal = new AbortController()
  const options = {
    link,
    clock,
    deadline: clock.now() + 60_000,
    signal: signal.signal,
    screenshotPath: () => '',
    mayAct,
  }
  const measure = async (runs: number, stopFirst = true, applicationId = NAME) => {
    const action = { id: 'a', type: 'measure_startup', params: { applicationId, runs, stopFirst } } as const
    let isOver = false
    const outcome = runHostStep(action, options).finally(() => {
      isOver = true
    })
    outcome.catch(() => {})
    while (!isOver) {
      await new Promise(resolve => setImmediate(resolve))
      clock.advance(1_000)
    }
    return outcome
  }
  return { link, measure, signal }
}

const START = `am start -W --user 10 -n ${NAME}/.Main`

test('each run ends the application of the user in front, and starts it', async () => {
  const { link, measure } = phone([cold(400), cold(500), cold(420)])
  const { stepResults, error } = await measure(3)
  expect(error).toBeNull()
  const runs = [400, 500, 420].map(ms => ({ kind: 'cold', totalMs: ms, waitMs: ms + 6 }))
  const data = stepResults[0]?.data
  expect({ ...data, runs: JSON.parse(data?.runs ?? '') }).toEqual({ application_id: NAME, runs, median_ms: '420' })
  const stop = `am force-stop --user 10 ${NAME}`
  expect(link.commands.slice(-6)).toEqual([stop, START, stop, START, stop, START])
})

test('without an end it goes to the home screen, and no figure makes no median', async () => {
  const { link, measure } = phone([started('LaunchState: UNKNOWN (0)')])
  const { stepResults } = await measure(1, false)
  expect(stepResults).toMatchObject([{ success: true, data: { application_id: NAME } }])
  expect(stepResults[0]?.data).not.toHaveProperty('median_ms')
  expect(link.commands.slice(-2)).toEqual(['input keyevent KEYCODE_HOME', START])
})

test.each([
  ['an exit code that lies', 'Starting: Intent\nError type 3\nError: Activity class {a/b} does not exist.\n'],
  ['a refusal', 'java.lang.SecurityException: Permission Denial: starting Intent not exported from uid 10123\n'],
])('%s fails the step', async (_, answer) => {
  const { measure } = phone([cold(1), answer])
  expect((await measure(3)).error).toMatchObject({ code: 'ACTION_FAILED' })
})

test('an application without a launcher, or with a name that is none, is not found', async () => {
  const { link, measure } = phone([])
  expect((await measure(1, true, 'a; reboot')).error).toMatchObject({ code: 'APP_NOT_FOUND' })
  expect(link.commands).toEqual([])
})

test('a host that may no longer act sends nothing more', async () => {
  let left = 3
  const mayAct = () => {
    left -= 1
    if (left < 0) throw new StepFailure('FLEET_HOST_GONE', 'taken over')
  }
  const { link, measure } = phone([cold(1), cold(1)], mayAct)
  expect((await measure(2)).error).toMatchObject({ code: 'FLEET_HOST_GONE' })
  expect(link.commands.filter(command => command.startsWith('am start'))).toHaveLength(1)
})
