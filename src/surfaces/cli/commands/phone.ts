/** The commands that act on the phone beside its screen: its shell and its clipboard. */

import type { ResultEnvelope } from '../../../contracts/executions/execution-result.ts'
import type { Command } from '../command.ts'
import { commandOf, type FlatCommand } from '../flat/command.ts'

const shell: FlatCommand = {
  type: 'shell',
  path: ['shell'],
  shape: 'svc shell <command>',
  summary: 'run a command line in the shell of the device',
  details:
    'Several words are joined with blanks, as adb does; quote the whole line if it has flags, quotes or operators of\n' +
    'the shell in it. The result has stdout, stderr and exit_code. svc exits with 1 when exit_code is not 0. Of a\n' +
    'stream longer than 1 MiB the beginning is kept, and truncated is true. Nothing can be typed into the command,\n' +
    'and it is ended when --timeout is over.',
  args: [{ name: 'command', summary: 'one line of at most 8000 bytes', required: true, rest: true }],
  examples: ['svc shell "getprop ro.build.version.release"', 'svc shell "ls -l /sdcard"'],
  params: ({ args }) => ({ command: args.join(' ') }),
}

const getClipboard: FlatCommand = {
  type: 'get_clipboard',
  path: ['clipboard', 'get'],
  shape: 'svc clipboard get',
  summary: 'print the text on the clipboard',
  examples: ['svc clipboard get'],
}

const setClipboard: FlatCommand = {
  type: 'set_clipboard',
  path: ['clipboard', 'set'],
  shape: 'svc clipboard set <text>',
  summary: 'put a text on the clipboard',
  args: [{ name: 'text', summary: 'at most 8000 characters; "" empties it', required: true, param: 'text' }],
  examples: ['svc clipboard set "Hello"'],
}

/** In the order of the help. */
export const PHONE_COMMANDS: readonly FlatCommand[] = [shell, getClipboard, setClipboard]

const hasFailed = (output: unknown): boolean => {
  const [step] = (output as { envelope?: ResultEnvelope }).envelope?.stepResults ?? []
  const code = step?.data.exit_code
  return code !== undefined && code !== '0'
}

/** Its execution has succeeded whatever the command on the device ends with; the process says both. */
const ending = (command: Command): Command => ({
  ...command,
  async run(call) {
    const result = await command.run(call)
    return result.ok && hasFailed(result.output) ? { ...result, exits: 1 } : result
  },
})

export const PHONE: readonly Command[] = PHONE_COMMANDS.map(flat =>
  flat === shell ? ending(commandOf(flat)) : commandOf(flat),
)
