/** The first steps of the README and of the documentation, run as a newcomer runs them: in a shell, in an empty home. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { blocksOf, page, readme } from '../build/docs/documents.ts'
import { freePort } from '../support/adb/free-ports.ts'
import { CLI } from '../support/cli/run-cli.ts'
import { programOnPath } from '../support/needs.ts'
import { temporary } from '../support/temporary.ts'

const root = temporary('svc-first-steps-')
const LONGEST_MS = 120_000

const linesOf = (text: string): string[] =>
  blocksOf(text, 'sh')
    .flatMap(block => block.split('\n'))
    .filter(line => line !== '' && !line.startsWith('npm '))

const STREAM = '"CONNECTED"'

/** With what the lines print: of a stream, of a skill that ran, of a flow that passed. */
const STEPS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['the README', linesOf(readme.split('\n## First steps\n')[1]?.split('\n## ')[0] ?? ''), [STREAM]],
  ['docs/first-steps.md', linesOf(page('first-steps')), [STREAM, '"skillResult"', '"verdict":"passed"']],
]

/** A stream has no end, and ports may be taken. */
const script = (lines: readonly string[], phone: number, server: number): string =>
  lines
    .map(line => line.replace(/ +#.*$/, ''))
    .map(line => line.replaceAll('41001', String(phone)).replaceAll('localhost:3000', `localhost:${server}`))
    .map(line => line.replace(/^svc serve &$/, `svc serve --port ${server} &\nawait_port ${server}`))
    .map(line => line.replace(/^(svc simulate .*&)$/, `$1\nawait_port ${phone}`))
    .map(line => (line.startsWith('curl -N') ? `{ timeout 2 ${line} || true; } | grep CONNECTED` : line))
    .join('\n')

test.each(STEPS)('every line of %s succeeds', { timeout: LONGEST_MS }, async (_, lines, printed) => {
  expect(lines.length).toBeGreaterThan(8)
  const home = mkdtempSync(join(root(), 'home-'))
  mkdirSync(join(home, 'bin'))
  writeFileSync(join(home, 'bin/svc'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o755 })
  const path = `${home}/bin:${dirname(process.execPath)}:${process.env.PATH}`
  const setup = `
    await_port() { for i in $(seq 200); do (: <>/dev/tcp/127.0.0.1/$1) 2>/dev/null && return; sleep 0.1; done; return 1; }
    trap 'svc daemon stop; kill $(jobs -p); wait' EXIT
    set -x`
  const text = `${setup}\n${script(lines, await freePort(), await freePort())}`
  const options = { cwd: home, env: { PATH: path, HOME: home, SVC_DAEMON_IDLE_MS: '60000' }, timeout: LONGEST_MS }
  const ended = await promisify(execFile)(
    programOnPath('bash') ?? '',
    ['--norc', '-euo', 'pipefail', '-c', text],
    options,
  )
  for (const text of printed) expect(ended.stdout).toContain(text)
  expect(ended.stdout.match(/"status":"success"/g)?.length).toBeGreaterThan(4)
})
