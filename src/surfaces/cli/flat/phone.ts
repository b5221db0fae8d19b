/** `svc shell`, `svc clipboard get` and `svc clipboard set`. */
import type { FlatCommand } from './command.ts'

export const shell: FlatCommand = {
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

export const getClipboard: FlatCommand = {
  type: 'get_clipboard',
  path: ['clipboard', 'get'],
  shape: 'svc clipboard get',
  summary: 'print the text on the clipboard',
  examples: ['svc clipboard get'],
}

export const setClipboard: FlatCommand = {
  type: 'set_clipboard',
  path: ['clipboard', 'set'],
  shape: 'svc clipboard set <text>',
  summary: 'put a text on the clipboard',
  args: [{ name: 'text', summary: 'at most 8000 characters; "" empties it', required: true, param: 'text' }],
  examples: ['svc clipboard set "Hello"'],
}
