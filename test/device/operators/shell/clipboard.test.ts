/** The clipboard, in the words of phones that have a command for it and of those that do not. */
import { expect, test } from 'vitest'
import type { ShellResult } from '../../../../src/device/link/link.ts'
import { runHostStep } from '../../../../src/device/steps/run-host-step.ts'
import { scriptedLink } from '../../../support/device/scripted-link.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const phone = (answer: (command: string) => Partial<ShellResult> | string | undefined) => {
  const link = scriptedLink(answer)
  const clock = manualClock()
  const signal = new AbortController().signal
  return { link, options: { link, clock, deadline: clock.now() + 30_000, signal, screenshotPath: () => '' } }
}
const get = { id: 'a', type: 'get_clipboard' } as const
const set = (text: string) => ({ id: 'a', type: 'set_clipboard', params: { text } }) as const

test.each(['Hello\n', 'two\nlines\n\n', '\n', 'Error: no failure, but what was copied\n'])('reads %j', async stdout => {
  const { stepResults, error } = await runHostStep(get, phone(() => stdout).options)
  expect({ error, text: stepResults[0]?.data.text }).toEqual({ error: null, text: stdout.slice(0, -1) })
})

test.each(['Hello', '', "it's; reboot #", 'two\nlines', '-x'])(
  'sets %j as one word, and looks whether it holds',
  async text => {
    const { link, options } = phone(command => (command === 'cmd clipboard get' ? `${text}\n` : undefined))
    const { stepResults, error } = await runHostStep(set(text), options)
    expect({ error, data: stepResults[0]?.data }).toEqual({ error: null, data: { text } })
    expect(link.commands[0]).toBe(
      `cmd clipboard set ${/^[\w-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`}`,
    )
  },
)

test('a phone that holds something else afterwards has not set it', async () => {
  const { error } = await runHostStep(set('new'), phone(command => (command.endsWith('get') ? 'old\n' : '')).options)
  expect(error).toMatchObject({ code: 'CLIPBOARD_UNAVAILABLE', message: expect.stringContaining('something else') })
})

test.each<[Partial<ShellResult>, string]>([
  [{ stderr: 'No shell command implementation.\n', exitCode: 255 }, 'has no command for the clipboard'],
  [{ stdout: 'Unknown command: get\n', exitCode: 255 }, 'has no command for the clipboard'],
  [{ stderr: "cmd: Can't find service: clipboard\n", exitCode: 20 }, 'has no command for the clipboard'],
  [
    { stderr: 'Security exception: not allowed\n', exitCode: 255 },
    'the device refused: Security exception: not allowed',
  ],
])('%j', async (answer, reason) => {
  for (const action of [get, set('x')]) {
    const { error, stepResults } = await runHostStep(action, phone(() => answer).options)
    expect(error).toMatchObject({ code: 'CLIPBOARD_UNAVAILABLE', message: expect.stringContaining(reason) })
    expect(stepResults).toMatchObject([{ success: false, data: { error: 'CLIPBOARD_UNAVAILABLE' } }])
  }
})
