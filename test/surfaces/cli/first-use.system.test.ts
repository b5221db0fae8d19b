/** The first command of a new user says what comes next, on a terminal and once; a script is not spoken to. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { needsPty, openTestPty } from '../../support/cli/pty.ts'
import { CLI, runCli } from '../../support/cli/run-cli.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-first-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const ARGS = ['executions', 'list']

test('in a pipe stderr stays empty', async () => {
  expect(await runCli(ARGS, { env: { HOME: home, PATH: '' } })).toMatchObject({ code: 0, stderr: '' })
})

describe.skipIf(!needsPty())('on a terminal', () => {
  const shown = async (): Promise<string> => {
    const pty = await openTestPty()
    return new Promise(resolve => {
      let text = ''
      const options = { name: 'xterm', cols: 200, rows: 24, cwd: home, env: { HOME: home, PATH: '' }, encoding: null }
      const child = pty.spawn(process.execPath, [CLI, ...ARGS], options)
      child.onData(data => {
        text += data
      })
      child.onExit(() => resolve(text))
    })
  }

  test('it is said once', async () => {
    expect(await shown()).toContain('svc install')
    expect(await shown()).not.toContain('svc install')
  })
})
