/** `npm run demo:fleet`: a host is killed at work, its receipt is found elsewhere, and nothing stays behind. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { perTest } from '../support/per-test.ts'
import { until } from '../support/until.ts'

const DEMO = fileURLToPath(new URL('../../dist/dev/demo-fleet.js', import.meta.url))
/** The demo itself takes a third of this on a busy machine. */
const LONGEST_MS = 120_000

const start = perTest((path: string | undefined = process.env.PATH) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-test-'))
  const env = { PATH: path, TMPDIR: folder }
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [DEMO], { env, stdio: 'pipe' })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', chunk => {
      said[stream] += chunk
    })
  }
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const close = async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { folder, child, said, ended, close }
})

/** What still runs in the folder of the demo. */
const running = (folder: string): string[] =>
  readdirSync('/proc').flatMap(pid => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')
      return /^\d+$/.test(pid) && line.includes(join(folder, 'svc-demo-fleet-')) ? [line] : []
    } catch {
      return []
    }
  })

test('without nats-server it says what is missing', async () => {
  const { folder, ended, said } = start('/nowhere')
  expect(await ended).toBe(1)
  expect(said.stderr).toContain('nats-server')
  expect(readdirSync(folder)).toEqual([])
})

describe.skipIf(process.platform !== 'linux' || !needs('nats-server'))('with nats-server', () => {
  test(
    'a click reaches the phone of another host, and the receipt of a lost answer says how it ended',
    async () => {
      const { folder, ended, said } = start()
      expect([await ended, said.stderr]).toEqual([0, ''])
      expect(said.stdout).toMatch(/click --text Wi-Fi .*\n {2}\{"status":"success",.*"host":"host-2"\}/)
      expect(said.stdout).toMatch(/"code":"FLEET_HOST_GONE",.*"dispatched":true/)
      const receipts = [...said.stdout.matchAll(/executions show .*\n {2}(\{.*\})/g)].map(([, text = '']) =>
        JSON.parse(text),
      )
      expect(receipts).toEqual([
        { host: 'host-2', state: 'dispatched', dispatched: true },
        { host: 'host-2', state: 'interrupted', dispatched: true, error: 'EXECUTION_INTERRUPTED' },
      ])
      expect(running(folder)).toEqual([])
      expect(readdirSync(folder)).toEqual([])
    },
    LONGEST_MS,
  )

  test(
    'Ctrl-C leaves nothing',
    async () => {
      const { folder, child, ended, said } = start()
      await until(() => said.stdout.includes('are one service'), 'the hosts to be there', LONGEST_MS / 2)
      expect(running(folder).length).toBeGreaterThan(3)
      child.kill('SIGINT')
      expect(await ended).toBe(130)
      expect(running(folder)).toEqual([])
      expect(readdirSync(folder)).toEqual([])
    },
    LONGEST_MS,
  )
})
