/** `svc completion`: scripts that their shells can read, and that propose what the commands take. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { callCli } from '../support/call-cli.ts'
import { needs, programOnPath } from '../support/needs.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-completion-')
const SHELLS = ['bash', 'zsh', 'fish'] as const

const scriptOf = (shell: string) => join(folder(), `svc.${shell}`)

beforeAll(async () => {
  for (const shell of SHELLS) {
    const { code, printed } = await callCli(['completion', shell])
    expect(code).toBe(0)
    writeFileSync(scriptOf(shell), printed.join('\n'))
  }
})

describe.each(SHELLS)('%s', shell => {
  test.skipIf(!needs(shell))('can read its script', () => {
    execFileSync(programOnPath(shell) ?? '', ['-n', scriptOf(shell)], { stdio: 'pipe' })
  })
})

/** Asks the script as bash would, with the last word still being written. */
const proposed = (...words: string[]): string[] => {
  const asked = `
    source "$1"; shift
    svc() { echo '{"devices":[{"serial":"emulator-5554","state":"device"},{"serial":"R58M","state":"offline"}]}'; }
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`
  const args = ['-c', asked, 'bash', scriptOf('bash'), 'svc', ...words]
  const said = execFileSync(programOnPath('bash') ?? '', args, { encoding: 'utf8' })
  return said.split('\n').filter(word => word !== '')
}

describe.skipIf(!needs('bash'))('bash proposes', () => {
  test.each([
    [['exe'], ['exec', 'executions']],
    [
      ['executions', ''],
      ['list', 'show', 'cancel'],
    ],
    [
      ['--device', 'x', 'on-screen-log', ''],
      ['set', 'clear'],
    ],
    [
      ['devices', '--output', ''],
      ['json', 'pretty'],
    ],
    [['simulate', '--state', 'lo'], ['locked']],
    [
      ['toast', '--duration', ''],
      ['short', 'long'],
    ],
    [['swipe', '--duration', ''], []],
    [
      ['click', '--te'],
      ['--text', '--text-contains'],
    ],
    [['executions', 'list', '--li'], ['--limit']],
    [
      ['back', '--device', ''],
      ['emulator-5554', 'R58M'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
  ])('after %j: %j', (words, expected) => {
    expect(proposed(...words)).toEqual(expected)
  })

  test('files where a file is meant', () => {
    const path = scriptOf('ba')
    expect(proposed('exec', path)).toEqual([`${path}sh`])
    expect(proposed('screenshot', '--path', path)).toEqual([`${path}sh`])
    expect(proposed('journal', 'export', '--to', path)).toEqual([`${path}sh`])
  })
})
