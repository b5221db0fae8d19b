/** What the installer makes is of its user alone: under any umask, by whatever git, and where an earlier version was careless. */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { CLI } from '../../support/cli/run-cli.ts'
import { programOnPath } from '../../support/needs.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-private-')
const GIT_PATH = dirname(programOnPath('git') ?? '')

const newUser = () => {
  const home = realpathSync(mkdtempSync(join(folder(), 'u-')))
  const at = (...parts: string[]) => join(home, ...parts)
  const env = { HOME: home, PATH: `${GIT_PATH}:${dirname(process.execPath)}` }
  const under = async (umask: string, ...commands: string[]) => {
    const lines = commands.map(command => `'${process.execPath}' '${CLI}' ${command}`).join(' && ')
    await promisify(execFile)('/bin/sh', ['-c', `umask ${umask}; ${lines}`], { cwd: home, env })
  }
  return { home, at, under }
}

const walk = (path: string): string[] => {
  const facts = lstatSync(path)
  return [path, ...(facts.isDirectory() ? readdirSync(path).flatMap(name => walk(join(path, name))) : [])]
}

/** Folders that are not 0700, and files with rights of others or without those of their owner. */
const wrongIn = (path: string) =>
  walk(path).flatMap(each => {
    const facts = lstatSync(each)
    const mode = facts.mode & 0o777
    const isRight = facts.isDirectory() ? mode === 0o700 : (mode & 0o077) === 0 && (mode & 0o400) !== 0
    return facts.isSymbolicLink() || isRight ? [] : [`${mode.toString(8)} ${each.slice(path.length)}`]
  })

const INSTALLED = ['install', 'completion bash --install', 'skills new com.example.app.go']

test.each(['0', '0777', '022'])('under the umask %s', async umask => {
  const { home, at, under } = newUser()
  await under(umask, ...INSTALLED)
  // The home itself and the file of the shell are not ours.
  expect(wrongIn(home).filter(said => !/^\d+ (\/\.bashrc)?$/.test(said))).toEqual([])
  expect(lstatSync(at('.svc/skills/.git/objects')).isDirectory()).toBe(true)
  expect(lstatSync(at('.svc/skills/.git/HEAD')).mode & 0o777).toBe(0o600)
})

test('what an earlier version made and left open is closed, and what is not ours is not', async () => {
  const { at, under } = newUser()
  await under('077', ...INSTALLED)
  const edited = at('.agents/skills/svc-upgrade')
  writeFileSync(join(edited, 'SKILL.md'), 'my own words\n')
  const isFile = (path: string) => lstatSync(path).isFile()
  // No earlier version has compiled code.
  rmSync(at('.svc/cache'), { recursive: true, force: true })
  for (const path of [...walk(at('.svc')), ...walk(edited)]) {
    if (!lstatSync(path).isSymbolicLink()) chmodSync(path, isFile(path) ? lstatSync(path).mode | 0o044 : 0o755)
  }
  const theirs = [at('.svc/bundled-skills/theirs'), at('.agents/skills/theirs'), at('elsewhere')]
  for (const path of theirs) mkdirSync(path, { mode: 0o755 })
  symlinkSync(at('elsewhere'), at('.svc/skills/elsewhere'))
  await under('022', 'install', 'completion bash --install')
  expect(wrongIn(at('.svc')).filter(said => !said.endsWith('/theirs'))).toEqual([])
  expect(lstatSync(edited).mode & 0o777).toBe(0o700)
  expect(theirs.map(path => lstatSync(path).mode & 0o777)).toEqual([0o755, 0o755, 0o755])
})
