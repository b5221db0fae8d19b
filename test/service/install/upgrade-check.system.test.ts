/** `svc upgrade check` before stand-ins for npm: what each answer means, and that it always ends. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { checkUpgrade } from '../../../src/service/install/upgrade.ts'
import { runCliHere } from '../../support/cli/cli-here.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-upgrade-')

const npmThat = (script: string): string => {
  const bin = join(mkdtempSync(join(folder(), 'n-')), 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return join(bin, 'npm')
}
const answering = (value: unknown, code = 0) => `cat <<'END'\n${JSON.stringify(value)}\nEND\nexit ${code}`
const ours = { svc: 'dist/svc.cjs' }

test.each<[string, string, object]>([
  [
    'newer',
    answering({ version: '99.0.0', bin: ours }),
    { ok: true, state: 'newer', available: '99.0.0', command: 'npm install -g svc@99.0.0' },
  ],
  ['older', answering({ version: '0.0.1', bin: ours }), { ok: true, state: 'older' }],
  [
    'not published',
    answering({ error: { code: 'E404', summary: 'Not Found' } }, 1),
    { ok: true, state: 'not-published', available: null },
  ],
  [
    'of somebody else',
    answering({ version: '99.0.0', bin: { svc: 'cli.js' } }),
    { ok: true, state: 'another-package', available: null },
  ],
  [
    'unreachable',
    answering({ error: { code: 'ENOTFOUND', summary: 'no network' } }, 1),
    { code: 'UPGRADE_CHECK_FAILED', message: expect.stringContaining('no network') },
  ],
  ['not JSON', 'echo hello', { code: 'UPGRADE_CHECK_FAILED' }],
  ['without a version', answering({ bin: ours }), { code: 'UPGRADE_CHECK_FAILED' }],
])('an answer that is %s', async (_, script, expected) => {
  const npm = npmThat(script)
  const env = { HOME: folder(), PATH: `${dirname(npm)}:/usr/bin:/bin` }
  const ended = await runCliHere(['upgrade', 'check'], { env })
  expect(ended.json()).toMatchObject(expected)
  expect(ended.code).toBe('ok' in expected ? 0 : 1)
})

test('no npm is said', async () => {
  const ended = await runCliHere(['upgrade', 'check'], { env: { HOME: folder(), PATH: '/nonexistent' } })
  expect(ended.json()).toMatchObject({ code: 'UPGRADE_CHECK_FAILED', hint: expect.stringContaining('npm') })
})

test('an npm that never answers is ended with its children', async () => {
  const npm = npmThat('sleep 1000 & wait')
  const options = { npm, env: { PATH: '/usr/bin:/bin' }, clock: systemClock(), signal: new AbortController().signal }
  expect(await checkUpgrade('1.0.0', { ...options, timeoutMs: 200 })).toContain('did not answer')
})
