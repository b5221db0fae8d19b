/** What sdkmanager draws while it works, and what is kept of the output of a tool. */
import { expect, test } from 'vitest'
import { type Progress, progressReader } from '../../../src/service/emulators/emulator-ports.ts'
import { shownText, toolFailure } from '../../../src/service/emulators/run-tool.ts'

const read = (...chunks: string[]): Progress[] => {
  const seen: Progress[] = []
  const take = progressReader(progress => void seen.push(progress))
  for (const chunk of chunks) take(chunk)
  return seen
}

test('each percentage is told once, also when a line comes in pieces', () => {
  expect(
    read(
      '\r[===    ] 10% Downloading a.zip...   ',
      '\r[===    ] 10% Downloading a.zip...',
      '\r[====   ] 1',
      '2% Unzipping... b\n',
    ),
  ).toEqual([
    { percent: 10, step: 'Downloading a.zip...' },
    { percent: 12, step: 'Unzipping... b' },
  ])
})

test('what is no progress is none', () => {
  expect(read('Loading package information...\r', 'License [x]: 100% yours\n', 'x'.repeat(10_000), '\n')).toEqual([])
  expect(read('\r[=] 999% Too much\r')).toEqual([{ percent: 100, step: 'Too much' }])
})

test('what was drawn over is not shown', () => {
  expect(shownText('\r[=] 10% a\r[==] 100% b   \r          \nWarning: no\r\n\n')).toBe('Warning: no')
})

test.each([
  ['Warning: License not accepted', /sdkmanager --licenses/],
  ['java.io.IOException: No space left on device', /Free space/],
  ["Warning: Failed to find package 'x'", /sdkmanager --list/],
  ['ERROR: JAVA_HOME is not set', /Install Java 17/],
  ['java.net.UnknownHostException: dl', /network/],
])('%s has a hint', (output, hint) => {
  const end = { problem: 'ended with exit code 1', exitCode: 1, stdout: '', output }
  const failed = toolFailure('ANDROID_AVD_CREATE_FAILED', 'No', { tool: 'sdkmanager', args: ['x'] }, end)
  expect(failed).toMatchObject({ message: 'No: sdkmanager ended with exit code 1.', details: { output, exitCode: 1 } })
  expect(failed.details.hint).toMatch(hint)
})
