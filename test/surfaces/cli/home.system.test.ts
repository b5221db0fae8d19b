/** A home that is not an absolute path: every command refuses it, before it makes or reads anything. */
import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../../src/surfaces/cli/commands/catalogue.ts'
import { callCli } from '../../support/cli/call-cli.ts'
import { runCliHere } from '../../support/cli/cli-here.ts'
import { temporary } from '../../support/temporary.ts'

const COMMANDS = await catalogue.all()

const folder = temporary('svc-home-')

const HOMES: [string, Record<string, string>, string][] = [
  ['empty', { SVC_HOME: '' }, 'SVC_HOME is blank: an absolute path is needed.'],
  ['blank', { SVC_HOME: ' \t' }, 'SVC_HOME is blank: an absolute path is needed.'],
  ['relative', { SVC_HOME: 'mine/.svc' }, 'SVC_HOME is the relative path "mine/.svc": an absolute path is needed.'],
  ['a tilde that no shell replaced', { SVC_HOME: '~/.svc' }, 'SVC_HOME is the relative path "~/.svc"'],
  ['a relative SVC_CACHE_DIR', { SVC_CACHE_DIR: 'mine' }, 'SVC_CACHE_DIR is the relative path "mine"'],
  ['a relative HOME', { HOME: 'mine' }, 'HOME is the relative path "mine": an absolute path is needed.'],
]

describe.each(HOMES)('%s', (_name, env, message) => {
  const refused = { code: 'USAGE', message: expect.stringContaining(message), hint: expect.any(String) }

  test('every command', async () => {
    for (const { path, args = [] } of COMMANDS) {
      const words = args.flatMap(({ name, required, values }) => (required ? [values?.[0] ?? name] : []))
      const called = await callCli([...path, ...words], { env })
      expect([path, called.code, called.json()]).toMatchObject([path, 1, refused])
    }
  })

  test('help and version still answer', async () => {
    for (const argv of [['--help'], ['devices', '--help'], ['--version'], ['devices', '--version']]) {
      expect(await callCli(argv, { env })).toMatchObject({ code: 0 })
    }
  })

  test.each([[['devices']], [['daemon', 'start']], [['daemon', 'run']], [['skills', 'install']]])(
    'svc %s makes nothing in the current directory',
    async argv => {
      const cwd = mkdtempSync(join(folder(), 'cwd-'))
      const ended = await runCliHere(argv, { cwd, env: { HOME: cwd, ...env } })
      expect([ended.code, ended.json()]).toMatchObject([1, refused])
      expect(readdirSync(cwd)).toEqual([])
    },
  )
})
