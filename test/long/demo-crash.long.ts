/** `npm run demo:crash`: a server is killed at work, the phone tells the rest, and nothing stays behind. */

import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { DEVICE_CONFLICT } from '../support/failure-codes.ts'
import { perTest } from '../support/per-test.ts'
import { until } from '../support/until.ts'

const DEMO = fileURLToPath(new URL('../../dist/dev/demo-crash.js', import.meta.url))
/** The demo itself takes a tenth of this. */
const LONGEST_MS = 120_000

const start = perTest(() => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-test-'))
  const child = spawn(process.execPath, [DEMO], { env: { TMPDIR: folder }, stdio: 'pipe' })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', chunk => {
      output[stream] += chunk
    })
  }
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const close = async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { folder, child, output, ended, close }
})

test(
  'the receipt says what ran before the crash, what runs, and in the end that all of it was done',
  async () => {
    const { folder, ended, output } = start()
    expect([await ended, output.stderr]).toEqual([0, ''])
    expect(output.stdout).toContain(DEVICE_CONFLICT)
    expect(output.stdout).toMatch(/Not yet: .* at step "wait"/)
    expect(output.stdout).toMatch(
      /first .*done, recorded at [\d:]+ as it ended\n.*wait .*running\n.*second .*not begun\n/,
    )
    expect(output.stdout).toContain('outcome: done')
    expect(output.stdout).toMatch(/Yes: all 3 steps on \S+, told by the phone at [\d:]+, .* after it was sent/)
    expect(readdirSync(folder)).toEqual([])
  },
  LONGEST_MS,
)

test(
  'Ctrl-C leaves nothing',
  async () => {
    const { folder, child, ended, output } = start()
    await until(() => output.stdout.includes('kill -9'), 'the crash', LONGEST_MS / 2)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(readdirSync(folder)).toEqual([])
  },
  LONGEST_MS,
)
