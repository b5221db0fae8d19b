/** Recorded actions as commands of flows: what they say, what stays a comment, and that the file is read back. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { Action, type ActionInput } from '../../../../src/contracts/executions/action.ts'
import { writeFlow } from '../../../../src/service/flows/from-recording/write-flow.ts'
import { readFlow } from '../../../../src/service/flows/language/read/read-flow.ts'

const written = (actions: readonly Omit<ActionInput, 'id'>[], variables: readonly string[] = []) =>
  writeFlow({
    applicationId: 'com.a',
    name: 'com.a.b',
    actions: actions.map((action, at) => v.parse(Action, { id: `s${at}`, ...action })),
    variables: variables.map(variable => ({ variable, isSecret: variable === 'PIN' })),
    end: undefined,
  })

const body = (text: string) => text.slice(text.indexOf('---\n') + 4).trimEnd()

const CASES: readonly (readonly [Omit<ActionInput, 'id'>, string])[] = [
  [{ type: 'click', params: { matcher: { textEquals: 'Wi-Fi (2)' } } }, '- tapOn: Wi-Fi \\(2\\)'],
  [
    { type: 'click', params: { matcher: { resourceId: 'com.a:id/x' }, clickType: 'long_click' } },
    '- longPressOn:\n    id: com\\.a:id/x',
  ],
  [{ type: 'click', params: { coordinate: { x: 10, y: 20 } } }, '- tapOn:\n    point: 10,20'],
  [{ type: 'click', params: { matcher: { textContains: 'a' } } }, '- tapOn: .*a.*'],
  [
    { type: 'click', params: { matcher: { role: 'button', below: { textEquals: 'Top' }, index: 1 } } },
    '- tapOn:\n    below:\n      text: Top\n    index: 1',
  ],
  [{ type: 'double_tap', params: { matcher: { contentDescEquals: 'Photo' } } }, '- doubleTapOn: Photo'],
  [
    { type: 'swipe', params: { start: { x: 1, y: 2 }, end: { x: 3, y: 4 }, durationMs: 300 } },
    '- swipe:\n    start: 1,2\n    end: 3,4\n    duration: 300',
  ],
  [{ type: 'enter_text', params: { text: 'a', append: true, submit: true } }, '- inputText: a\n- pressKey: Enter'],
  [
    { type: 'enter_text', params: { text: `cost \${x}`, matcher: { resourceId: 'f' } } },
    `- tapOn:\n    id: f\n- eraseText\n- inputText: cost \\\${x}`,
  ],
  [{ type: 'press_key', params: { key: 'back' } }, '- back'],
  [{ type: 'press_key', params: { key: 'delete' } }, '- pressKey: Backspace'],
  [{ type: 'scroll' }, '- scroll'],
  [{ type: 'scroll', params: { direction: 'right' } }, '- swipe:\n    direction: LEFT'],
  [
    { type: 'wait_for_node', params: { matcher: { textEquals: 'x' }, state: 'gone', timeoutMs: 500 } },
    '- extendedWaitUntil:\n    notVisible: x\n    timeout: 500',
  ],
  [{ type: 'change_setting', params: { setting: 'dark_mode', value: true } }, '- setDarkMode: enabled'],
  [{ type: 'close_app', params: { applicationId: 'com.a' } }, '- stopApp: com.a'],
]

test.each(CASES)('%j', (action, expected) => {
  const { text } = written([action])
  expect(body(text)).toBe(expected)
  expect(readFlow(text, '/f.yaml')).toMatchObject({ ok: true })
})

describe('variables', () => {
  test('stand where the inputs were, in texts and in patterns', () => {
    const { text } = written(
      [
        { type: 'enter_text', params: { text: 'to {{NAME}}!', append: true } },
        { type: 'click', params: { matcher: { textEquals: '{{NAME}} (you)' } } },
      ],
      ['NAME', 'PIN'],
    )
    expect(body(text)).toBe(`- inputText: to \${NAME}!\n- tapOn: \${NAME} \\(you\\)`)
    expect(text).toContain('-e NAME=<text>')
    expect(text).toContain('Set PIN in the environment')
  })

  test('are those of the recording: other braces are text', () => {
    expect(body(written([{ type: 'enter_text', params: { text: '{{OTHER}}', append: true } }]).text)).toBe(
      '- inputText: "{{OTHER}}"',
    )
  })
})

test('what flows cannot say is a comment on one line and a note, and the rest stays', () => {
  const { text, notes } = written([
    { type: 'shell', params: { command: 'ls' } },
    { type: 'click', params: { matcher: { role: 'button' } } },
    { type: 'press_key', params: { key: 'recents' } },
    { type: 'open_app', params: { applicationId: 'com.a', activity: '.Main' } },
    { type: 'enter_text', params: { text: 'a\nb', append: true } },
  ])
  expect(
    body(text)
      .split('\n')
      .filter(line => line.startsWith('#')),
  ).toEqual([
    '# No command for shell {"command":"ls"}',
    expect.stringMatching(/^# No command for click/),
    '# No command for press_key {"key":"recents"}',
  ])
  expect(notes).toEqual([
    expect.stringContaining('"s0" (shell)'),
    expect.stringContaining('"s1" (click)'),
    expect.stringContaining('"s2" (press_key)'),
    expect.stringContaining('without its activity .Main'),
  ])
  const read = readFlow(text, '/f.yaml')
  expect(read.ok && read.flow.commands.map(({ key }) => key)).toEqual(['launchApp', 'inputText'])
})
