/** A failure in words: nothing of what it knows is lost. */
import { expect, test } from 'vitest'
import { USE_NEAREST_HINT } from '../../../../src/contracts/failures/failure-labels.ts'
import { failureText } from '../../../../src/surfaces/cli/text/failure.ts'
import { HOSTILE, RTL } from './cases/case.ts'
import { pageFor } from './page-for.ts'

test('code, message, receipt and hint', () => {
  const error = { code: 'DEVICE_NOT_FOUND', message: 'Device x is not connected.', hint: 'See: svc devices' }
  expect(failureText(pageFor(), error)).toBe('✗ DEVICE_NOT_FOUND: Device x is not connected.\n  Hint  See: svc devices')
  const details = { executionId: 'e1', dispatched: false }
  expect(failureText(pageFor(), { code: 'A', message: 'b', details })).toBe(
    '✗ A: b\n  Nothing was sent to the device.\n  Receipt  svc executions show e1',
  )
})

test('a problem that is the message is not said twice', () => {
  const problem = { path: 'actions.0', message: 'actions[0] is bad' }
  const error = { code: 'A', message: problem.message, details: { problems: [problem] } }
  expect(failureText(pageFor(), error)).toBe('✗ A: actions[0] is bad')
})

test('a message of several lines, and a crash with one call a line', () => {
  expect(failureText(pageFor(), { code: 'USAGE', message: 'It is wrong:\n/a: is bad\n/b: is missing' })).toBe(
    '✗ USAGE: It is wrong:\n    /a: is bad\n    /b: is missing',
  )
  const crash = {
    kind: 'crash',
    applicationId: 'com.x',
    time: '2026-01-02T03:04:05.000Z',
    exception: 'java.lang.NullPointerException',
    message: 'note is null',
    stackTop: ['com.x.Main.a(Main.java:1)', 'com.x.Main.b(Main.java:2)'],
  }
  const text = failureText(pageFor(), { code: 'NODE_NOT_FOUND', message: 'no', details: { crash } })
  expect(text.split('\n')).toEqual([
    '✗ NODE_NOT_FOUND: no',
    '  com.x crashed at 2026-01-02T03:04:05.000Z:',
    '    java.lang.NullPointerException: note is null',
    '      com.x.Main.a(Main.java:1)',
    '      com.x.Main.b(Main.java:2)',
  ])
})

test('the nearest labels and the application in front', () => {
  const nearest = [
    { ref: '@1.2', role: 'button', label: 'Wi-Fi' },
    { ref: '@1.3', role: 'text', label: HOSTILE },
    { role: 'text', label: RTL },
  ]
  const text = failureText(pageFor(), {
    code: 'NODE_NOT_FOUND',
    message: 'no',
    details: { nearest, foreground: 'com.x', actionId: 'a', actionType: 'click' },
  })
  expect(text.split('\n')).toEqual([
    '✗ NODE_NOT_FOUND: no',
    '  Nearest on the screen:',
    '    @1.2 button "Wi-Fi"',
    '    @1.3 text "Pay\\u001b[2J\\u001b]0;owned\\u0007 \\u202egnp.exe\\r\\n now"',
    `    \u2068text "${RTL}"\u2069`,
    '  In front  com.x',
  ])
})

test('other details: short ones in a list, long ones below their names', () => {
  const text = failureText(pageFor(), {
    code: 'EMULATOR_START_FAILED',
    message: 'It ended.',
    details: {
      missingTools: ['emulator', 'adb'],
      holder: { pid: 4, since: null },
      retries: 0,
      output: 'one\n\x1b[2Jtwo\n',
      failures: [{ skillId: 'a.b', code: 'X', message: 'is broken' }],
      problems: [
        { path: 'actions[0]', message: 'actions[0] is bad' },
        { path: 'p', message: 'is missing' },
      ],
      tried: [{ path: '/r', problem: 'does not exist' }],
      nothing: null,
    },
  })
  expect(text.split('\n')).toEqual([
    '✗ EMULATOR_START_FAILED: It ended.',
    '  Output:',
    '    one',
    '    \\e[2Jtwo',
    '  Failures:',
    '    a.b, X: is broken',
    '  Problems:',
    '    actions[0] is bad',
    '    p: is missing',
    '  Tried:',
    '    /r, does not exist',
    '  Missing tools  emulator, adb',
    '  Holder         pid 4',
    '  Retries        0',
  ])
})

test('a list of problems that is not what it should be does no harm', () => {
  const details = { nearest: ['x', null, 3], foreground: 7, executionId: {} }
  expect(failureText(pageFor(), { code: 'A', message: 'b', details })).toBe('✗ A: b')
})

test('a hint does not name again what the list above it names', () => {
  const details = { foreground: 'com.x', nearest: [{ ref: '@1.2', role: 'button', label: 'OK' }] }
  const hint = `The application in front is com.x. Nearest to what was asked for: "OK" (@1.2). ${USE_NEAREST_HINT}`
  const lines = failureText(pageFor(), { code: 'A', message: 'b', hint, details }).split('\n')
  expect(lines.slice(1)).toEqual([
    '  Nearest on the screen:',
    '    @1.2 button "OK"',
    '  In front  com.x',
    `  Hint      ${USE_NEAREST_HINT}`,
  ])
})
