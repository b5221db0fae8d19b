/**
 * A terminal window: runs a shell line as a shell would, in the foreground of a pseudo-terminal, and shows what it prints.
 * Killing this program closes the terminal.
 */
import { openPty } from '../../src/service/skills/run/pty.ts'

const [line = '', cwd = '/'] = process.argv.slice(2)
const { spawn } = await openPty()
const env = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
)
const shell = spawn('/bin/sh', ['-c', `(trap '' HUP; ${line}); :`], {
  name: 'xterm',
  cols: 100,
  rows: 30,
  cwd,
  env,
  encoding: null,
})
shell.onData(data => void process.stdout.write(data))
shell.onExit(() => process.exit())
