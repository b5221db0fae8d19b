/** `svc completion`: what can come next, and scripts that their shells can read. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { callCli } from '../../../support/cli/call-cli.ts'
import { CLI } from '../../../support/cli/run-cli.ts'
import { needs, programOnPath } from '../../../support/needs.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-completion-')
const SERIAL = '127.0.0.1:1'
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

/** Asks the script as bash would, with the last word still being written; `svc` is the real one. */
const proposed = (...words: string[]): string[] => {
  const asked = `
    source "$1"; SVC=$2; shift 2
    svc() { "$NODE" "$SVC" "$@"; }
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`
  const args = ['-c', asked, 'bash', scriptOf('bash'), CLI, 'svc', ...words]
  const env = {
    ...process.env,
    NODE: process.execPath,
    HOME: folder(),
    ADB_PATH: '/nonexistent',
    SVC_TCP_DEVICES: SERIAL,
  }
  const said = execFileSync(programOnPath('bash') ?? '', args, { encoding: 'utf8', env })
  return said.split('\n').filter(word => word !== '')
}

const candidates = async (...words: string[]) => {
  const { printed } = await callCli(['__complete', '--', ...words])
  return printed.flatMap(text => text.split('\n').map(line => line.split('\t')[0])).filter(word => word !== '')
}

test.each([
  [['exe'], ['exec', 'executions']],
  [
    ['executions', ''],
    ['list', 'show', 'cancel', 'resume', 'timeline', 'trace'],
  ],
  [
    ['--device', 'x', 'on-screen-log', ''],
    ['set', 'clear'],
  ],
  [
    ['devices', '--output', ''],
    ['json', 'pretty', 'text'],
  ],
  [['devices', '--output=p'], ['--output=pretty']],
  [['simulate', '--state', 'lo'], ['locked']],
  [
    ['toast', '--duration', ''],
    ['short', 'long'],
  ],
  [['swipe', '--duration', ''], []],
  [
    ['click', '--te'],
    ['--text', '--text-contains', '--text-matches'],
  ],
  [['executions', 'list', '--li'], ['--limit']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['exec', ''], [':files']],
  [['screenshot', '--path', ''], [':files']],
  [['__comp'], []],
  [['nonsense', ''], []],
])('after %j: %j', async (words, expected) => {
  expect(await candidates(...words)).toEqual(expected)
})

test('each candidate says what it means', async () => {
  const { printed } = await callCli(['__complete', '--', 'device'])
  expect(printed).toEqual(['devices\tlist the connected devices with their states\ndevice\t'])
})

describe.skipIf(!needs('bash'))('bash proposes', () => {
  test('what the commands take', () => {
    expect(proposed('executions', '')).toEqual(['list', 'show', 'cancel', 'resume', 'timeline', 'trace'])
    expect(proposed('click', '--te')).toEqual(['--text', '--text-contains', '--text-matches'])
    expect(proposed('swipe', '--duration', '')).toEqual([])
  })

  test('the serials of the devices', () => {
    expect(proposed('back', '--device', '')).toEqual([SERIAL])
  })

  test('files where a file is meant', () => {
    const path = scriptOf('ba')
    expect(proposed('exec', path)).toEqual([`${path}sh`])
    expect(proposed('screenshot', '--path', path)).toEqual([`${path}sh`])
    expect(proposed('journal', 'export', '--to', path)).toEqual([`${path}sh`])
  })
})

test.skipIf(!needs('fish'))('fish proposes what the commands take, and what it means', () => {
  const asked = `
    function svc; "$NODE" "$SVC" $argv; end
    source "$SCRIPT"; complete -C 'svc click --te'; complete -C 'svc executions s'`
  const env = { ...process.env, NODE: process.execPath, SVC: CLI, SCRIPT: scriptOf('fish'), HOME: folder() }
  const said = execFileSync(programOnPath('fish') ?? '', ['-c', asked], { encoding: 'utf8', env })
  expect(said.split('\n').map(line => line.split('\t')[0])).toEqual([
    '--text',
    '--text-contains',
    '--text-matches',
    'show',
    '',
  ])
  expect(said).toContain('show the receipt of one execution')
})
