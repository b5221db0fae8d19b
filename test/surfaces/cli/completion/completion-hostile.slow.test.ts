/** Labels that would do harm if a shell read them: each is completed in the real shells, run, and arrives as it is. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { PtyProcess } from '../../../../src/service/skills/run/pty.ts'
import { needsPty, openTestPty } from '../../../support/cli/pty.ts'
import { CLI, runCli } from '../../../support/cli/run-cli.ts'
import { rememberScreen, seenNode } from '../../../support/cli/seen-home.ts'
import { needs, programOnPath } from '../../../support/needs.ts'
import { propertyCases } from '../../../support/property-runs.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-hostile-')

interface Terminal extends PtyProcess {
  write(text: string): void
  kill(signal: string): void
}

const running: Terminal[] = []
afterEach(() => {
  for (const terminal of running.splice(0)) terminal.kill('SIGKILL')
})

/** Each begins with two letters that no other begins with. */
const LABELS = [
  'a0 blanks  and more',
  "a1 it's",
  'a2 "quoted"',
  'a3 $(touch ran) $HOME',
  'a4 `touch ran`',
  'a5 ; touch ran & | > ran < ran',
  'a6 日本語 の 設定',
  'a7 12:30 = a@b',
  'a8 \\ back\\slash \\n',
  'a9 hey! !! !$',
  'b0 *?[a-z]{1,2}~ ^ # %',
  'b1 \'"`$\\!',
  'b2 émoji 👍🏽',
  '-x dash',
  '--double dash',
  ':files',
  '=c0',
  '~d0',
  '#e0',
  '(f0)',
]
const NEWLINE = 'g0 line\ntouch ran'
const ESCAPE = 'g1 \u001b[31m\ttab'

const END = 'end of the call'

/** Completes with the real svc; the words of any other call go to a file, each with a NUL behind it. */
const newUser = async () => {
  const home = mkdtempSync(join(folder(), 'u-'))
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const calls = join(home, 'calls')
  writeFileSync(
    join(bin, 'svc'),
    `#!/bin/sh
case $1 in
  __complete) exec '${process.execPath}' '${CLI}' "$@" ;;
  *) printf '%s\\0' "$@" '${END}' >> '${calls}' ;;
esac
`,
    { mode: 0o755 },
  )
  const svcHome = join(home, '.svc')
  await rememberScreen(
    svcHome,
    [...LABELS, NEWLINE, ESCAPE].map(label => seenNode(label)),
  )
  const env = {
    HOME: home,
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
    TERM: 'dumb',
    PS1: '> ',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    ADB_PATH: '/nonexistent',
    SVC_NO_DAEMON: '1',
  }
  const called = (): string[][] =>
    (existsSync(calls) ? readFileSync(calls, 'utf8') : '')
      .split(`${END}\0`)
      .slice(0, -1)
      .map(call => call.split('\0').slice(0, -1))
  return { home, env, called, install: (shell: string) => runCli(['completion', shell, '--install'], { env }) }
}
type User = Awaited<ReturnType<typeof newUser>>

const SHELLS = { bash: ['--noprofile', '-i'], zsh: ['-i'] }

const openShell = async (shell: keyof typeof SHELLS, { home, env }: User) => {
  const pty = await openTestPty()
  const options = { name: 'dumb', cols: 400, rows: 50, cwd: home, env, encoding: null }
  const terminal = pty.spawn(programOnPath(shell) ?? '', SHELLS[shell], options) as Terminal
  running.push(terminal)
  let said = ''
  terminal.onData(data => {
    said += data.toString()
  })
  await until(() => /[>#$%] /.test(said), `the prompt of ${shell}: ${said}`)
  terminal.write('echo ready-$((40 + 2))\r')
  await until(() => said.includes('ready-42'), `${shell} to take a line: ${said}`)
  return { terminal, said: () => said }
}

/** The line as it is typed when TAB is pressed, and the words that must arrive. Two letters of a label name it. */
const everyRow = LABELS.filter(label => /^[ab]\d/.test(label)).flatMap(label => {
  const start = label.slice(0, 2)
  return [
    { line: 'svc click ', typed: start, expected: ['click', label] },
    { line: 'svc click ', typed: `"${start}`, expected: ['click', label] },
    { line: 'svc click ', typed: `'${start}`, expected: ['click', label] },
    { line: 'svc click ', typed: `--text=${start}`, expected: ['click', `--text=${label}`] },
  ]
})
const rows = propertyCases(everyRow)
const COLONS = 'a7 12:30 = a@b'
const cuts = [
  { line: "svc type '$(touch ran)' --text ", typed: 'a3', expected: ['type', '$(touch ran)', '--text', LABELS[3]] },
  { line: 'svc click ', typed: '--text=--dou', expected: ['click', '--text=--double dash'] },
  { line: 'svc click --text ', typed: '-x', expected: ['click', '--text', '-x dash'] },
  { line: 'svc click --text ', typed: '\\=c', expected: ['click', '--text', '=c0'] },
  { line: 'svc click --text ', typed: '\\~d', expected: ['click', '--text', '~d0'] },
  { line: 'svc click --text ', typed: '\\#e', expected: ['click', '--text', '#e0'] },
  { line: 'svc click --text ', typed: '\\(f', expected: ['click', '--text', '(f0)'] },
  { line: 'svc click --text ', typed: ':f', expected: ['click', '--text', ':files'] },
  { line: 'svc click --text ', typed: 'a0\\ bl', expected: ['click', '--text', 'a0 blanks  and more'] },
  { line: 'svc click --text ', typed: '"a7 12:', expected: ['click', '--text', COLONS] },
  { line: 'svc click --text ', typed: 'a7\\ 12:', expected: ['click', '--text', COLONS] },
  { line: 'svc click --text ', typed: 'a7\\ 12:30\\ =\\ a@', expected: ['click', '--text', COLONS] },
  { line: 'svc click ', typed: '@1.2', expected: ['click', '@1.2'] },
]

describe.each(['bash', 'zsh'] as const)('%s', shell => {
  test.skipIf(!needs(shell) || !needsPty())(
    'a label that TAB has completed arrives as it is, and nothing in it runs',
    async () => {
      const user = await newUser()
      expect((await user.install(shell)).code).toBe(0)
      const { terminal, said } = await openShell(shell, user)
      const arrived: unknown[] = []
      for (const { line, typed } of [...rows, ...cuts]) {
        const before = user.called().length
        const mark = said().length
        // The shell reads the end of the line once TAB is done.
        terminal.write(`${line}${typed}\t\r`)
        await until(() => user.called().length > before, `a call after ${line}${typed}<TAB>: ${said().slice(mark)}`)
        arrived.push(user.called()[before])
      }
      expect(arrived).toEqual([...rows, ...cuts].map(({ expected }) => expected))
      expect(existsSync(join(user.home, 'ran'))).toBe(false)
    },
    120_000,
  )
})

const inFish = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

test.skipIf(!needs('fish'))(
  'fish: a label arrives as it is, and nothing in it runs',
  async () => {
    const user = await newUser()
    expect((await user.install('fish')).code).toBe(0)
    // The word at the cursor gives way to what fish would write in its place.
    const lines = [...rows, ...cuts].map(
      ({ line, typed }) =>
        `set -l found (complete -C ${inFish(line + typed)} --escape); eval ${inFish(line)}(string split -f1 \\t -- $found[1])`,
    )
    const script = join(user.home, 'lines.fish')
    writeFileSync(script, lines.join('\n'))
    execFileSync(programOnPath('fish') ?? '', [script], { env: user.env, cwd: user.home, stdio: 'pipe' })
    expect(user.called()).toEqual([...rows, ...cuts].map(({ expected }) => expected))
    expect(existsSync(join(user.home, 'ran'))).toBe(false)
  },
  60_000,
)

test('a label that cannot be typed, or would be taken for a flag or a ref, is not offered', async () => {
  const { env } = await newUser()
  const offered = async (...words: string[]) =>
    (await runCli(['__complete', '--', ...words], { env })).stdout
      .trimEnd()
      .split('\n')
      .map(line => line.split('\t')[0])
  const all = await offered('click', '--text=')
  expect(all).toEqual(LABELS.map(label => `--text=${label}`))
  expect(await offered('click', '--text', '')).toEqual(LABELS.filter(label => !label.startsWith('--')))
  expect(await offered('click', '')).toEqual(LABELS.filter(label => !label.startsWith('-')))
})
