/** Completion as a person has it: installed on request, then TAB pressed in a real shell on a terminal. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { PtyProcess } from '../../../../src/service/skills/run/pty.ts'
import { needsPty, openTestPty } from '../../../support/cli/pty.ts'
import { CLI, runCli } from '../../../support/cli/run-cli.ts'
import { needs, programOnPath } from '../../../support/needs.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-typed-')
const SERIALS = '127.0.0.1:41001,127.0.0.1:42002'

interface Terminal extends PtyProcess {
  write(text: string): void
  kill(signal: string): void
}

const running: Terminal[] = []
afterEach(() => {
  for (const terminal of running.splice(0)) terminal.kill('SIGKILL')
})

/** A user with `svc` on the PATH. */
const newUser = () => {
  const home = mkdtempSync(join(folder(), 'u-'))
  const bin = join(home, 'bin')
  mkdirSync(bin)
  mkdirSync(join(home, 'emulators'))
  writeFileSync(join(home, 'a file.json'), '')
  writeFileSync(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o755 })
  const env = {
    HOME: home,
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
    TERM: 'dumb',
    PS1: '> ',
    ADB_PATH: '/nonexistent',
    SVC_TCP_DEVICES: SERIALS,
    SVC_NO_DAEMON: '1',
  }
  return { home, env, install: (shell: string) => runCli(['completion', shell, '--install'], { env }) }
}
type User = ReturnType<typeof newUser>

const READY = 'shell-is-ready'
const SHELLS = { bash: ['--noprofile', '-i'], zsh: ['-i'] }

/** What the line says after TAB: it is run with `echo` in front, so the shell itself says how it reads the words. */
const typed = async (shell: keyof typeof SHELLS, { home, env }: User) => {
  const pty = await openTestPty()
  const options = { name: 'dumb', cols: 400, rows: 50, cwd: home, env, encoding: null }
  const terminal = pty.spawn(programOnPath(shell) ?? '', SHELLS[shell], options) as Terminal
  running.push(terminal)
  let said = ''
  terminal.onData(data => {
    said += data.toString()
  })
  // What is typed before the prompt may be lost. Systems set their own in bash.
  await until(() => /[>#$] /.test(said), `the prompt of ${shell}: ${said}`)
  terminal.write(`echo ${READY}-$((40 + 2))\r`)
  await until(() => said.includes(`${READY}-42`), `${shell} to take a line: ${said}`)
  let count = 0
  return async (line: string, expected: string) => {
    const end = `end-${count++}`
    terminal.write(`${line}\t`)
    await until(() => said.includes(expected), `${JSON.stringify(expected)} after ${line}<TAB> in ${shell}: ${said}`)
    // Ctrl-U: the line is given up.
    terminal.write(`\u0015echo ${end}-$((40 + 2))\r`)
    await until(() => said.includes(`${end}-42`), `${shell} to go on`)
    said = ''
  }
}

describe.each(['bash', 'zsh'] as const)('%s', shell => {
  test.skipIf(!needs(shell) || !needsPty())('TAB completes in a shell that starts after the installation', async () => {
    const user = newUser()
    const start = join(user.home, `.${shell}rc`)
    writeFileSync(start, 'export KEPT=1')
    expect((await user.install(shell)).json()).toMatchObject({ ok: true, updated: [start] })
    const press = await typed(shell, user)
    await press('svc devices --output=p', '--output=pretty')
    await press('svc back --device 127.0.0.1:41', '127.0.0.1:41001')
    await press('svc back --device=127.0.0.1:42', '--device=127.0.0.1:42002')
    await press('svc click --text-con', '--text-contains')
    await press('svc exec a', '\\ file.json')
    if (shell === 'zsh') await press('svc press ', '-- key')
    // A folder of that name does not make the word a file.
    await press('svc emulat', 'emulators ')
  })

  test('a second installation changes nothing, and uninstall gives the file back as it was', async () => {
    const { home, env, install } = newUser()
    const start = join(home, `.${shell}rc`)
    for (const before of ['', 'export A=1', 'export A=1\n', `a\n\nb\n`]) {
      writeFileSync(start, before)
      expect((await install(shell)).code).toBe(0)
      const after = readFileSync(start, 'utf8')
      const { mtimeMs } = statSync(start)
      expect(after.startsWith(before)).toBe(true)
      expect((await install(shell)).json()).toMatchObject({ wrote: [], updated: [] })
      expect(statSync(start).mtimeMs).toBe(mtimeMs)
      expect((await runCli(['uninstall'], { env })).code).toBe(0)
      expect(readFileSync(start, 'utf8')).toBe(before)
      expect(existsSync(join(home, '.svc/completion'))).toBe(false)
    }
  })

  test('a start file that is a link is left alone, and the line to add is told', async () => {
    const { home, install } = newUser()
    const real = join(home, 'dotfiles')
    writeFileSync(real, 'mine\n')
    symlinkSync(real, join(home, `.${shell}rc`))
    const { code, stderr } = await install(shell)
    expect(code).toBe(0)
    expect(stderr).toContain(`. '${join(home, '.svc/completion', `svc.${shell}`)}'`)
    expect(readFileSync(real, 'utf8')).toBe('mine\n')
  })
})

test.skipIf(!needs('fish'))('fish finds the script by itself', async () => {
  const user = newUser()
  expect((await user.install('fish')).code).toBe(0)
  const proposed = (line: string) =>
    execFileSync(programOnPath('fish') ?? '', ['-c', `complete -C ${JSON.stringify(line)}`], {
      encoding: 'utf8',
      env: user.env,
      cwd: user.home,
    })
      .split('\n')
      .map(each => each.split('\t')[0])
  expect(proposed('svc devices --output=p')).toEqual(['--output=pretty', ''])
  expect(proposed('svc back --device 127.0.0.1:41')).toEqual(['127.0.0.1:41001', ''])
  expect(proposed('svc ')).toEqual(expect.arrayContaining(['devices', 'install']))
  expect(proposed('svc exec a')).toEqual(['a file.json', ''])
  expect((await runCli(['uninstall'], { env: user.env })).code).toBe(0)
  expect(existsSync(join(user.home, '.config'))).toBe(false)
})
