// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** A script that takes too much is ended, and whoever runs its flow is not. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { encodeFrame } from '../../../../src/service/flows/script/frames.ts'
import { outcomeOf, PROGRAM, place, startScripts } from './start-scripts.ts'

const HOST = fileURLToPath(new URL('../../../../dist/test/flow-scripts-host.js', import.meta.url))

/** Another process may own the zombie of a killed one until it is reaped. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('time', () => {
  const ENDLESS = [
    'for (;;);',
    'const again = () => { Promise.resolve().then(again) }; again()',
    '/^(a+)+$/.test("a".repeat(60) + "!")',
  ]

  test('loops, promises and patterns without end', async () => {
    const begun = ENDLESS.map(source => {
      const scripts = startScripts({ timeoutMs: 3_000 })
      return { scripts, answer: scripts.evaluate(`console.log("before"); ${source}`, place()) }
    })
    for (const { scripts, answer } of begun) {
      expect(await answer).toEqual({
        ok: false,
        kind: 'timeout',
        problem: 'The script in /flows/login.yaml, line 7, did not end within 3 s.',
        file: '/flows/login.yaml',
        line: 7,
        logs: ['before'],
        effects: [],
      })
      const problem = expect.stringMatching(/line 7, did not end .* no more scripts of this flow can run\.$/)
      expect(await scripts.evaluate('1', place())).toMatchObject({ ok: false, kind: 'timeout', problem })
      await expect(scripts.interpolate('${1 + 1}', place())).rejects.toThrow('no more scripts')
    }
  })
})

describe('memory', () => {
  // Each of them ends a thread's whole process, or ended one at some time.
  test.each([
    'const all = []; for (;;) all.push({})',
    'let text = "12345678"; for (;;) { text += text; text.charCodeAt(3) }',
    'new Array(1e8).fill(0).length',
    'const all = new Map(); for (let i = 0; ; i++) all.set(i, i)',
  ])('%s', async source => {
    const { evaluate } = startScripts()
    const problem = 'The script in /flows/login.yaml, line 7, did not end with 64 MB of memory.'
    expect(await evaluate(source, place())).toMatchObject({ ok: false, kind: 'memory', problem })
    expect(await evaluate('1', place())).toMatchObject({ ok: false, kind: 'memory' })
  })

  test('buffers are bounded, and the next script runs', async () => {
    const { evaluate } = startScripts()
    const refused = [
      'new Uint8Array(1e9)',
      'new ArrayBuffer(8, { maxByteLength: 1e9 }).resize(1e9)',
      'new Uint8Array(1).constructor(1e9)',
    ]
    for (const source of refused)
      expect(await evaluate(source, place()), source).toMatchObject({ ok: false, kind: 'threw' })
    const many = 'output.all = []; for (;;) output.all.push(new Float64Array(1e6))'
    expect(outcomeOf(await evaluate(many, place()))).toBe(
      'RangeError: All buffers of a script may hold 134217728 bytes.',
    )
    const bytes = 'output.all = []; Array.from(new Uint8Array([1, 2]).map(byte => byte + 1).subarray(1)).join()'
    expect(outcomeOf(await evaluate(bytes, place()))).toBe('3')
  })
})

describe('the process', () => {
  test('ends at once, whatever it is doing', async () => {
    const { evaluate, end } = startScripts()
    let begin = () => {}
    const isBusy = new Promise<void>(resolve => {
      begin = resolve
    })
    const running = evaluate('console.log("busy"); for (;;);', place({ onLog: () => begin() })).catch(error => error)
    const waiting = evaluate('1', place()).catch(error => error)
    await isBusy
    await end()
    expect(String(await running)).toMatch(/was ended/)
    expect(String(await waiting)).toMatch(/were ended|was ended/)
    await expect(evaluate('1', place())).rejects.toThrow('were ended')
  })

  test('a program that cannot be started is no fault of the script', async () => {
    await expect(startScripts({ program: '/nowhere/program.cjs' }).evaluate('1', place())).rejects.toThrow(
      'The process for the scripts of a flow is gone',
    )
  })

  const startAlone = () => {
    const child = spawn(process.execPath, ['--expose-internals', '--disallow-code-generation-from-strings', PROGRAM], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  test('ends when its host is gone', async () => {
    const idle = startAlone()
    idle.stdin.end()
    expect(await once(idle, 'exit')).toEqual([0, null])
  })

  test('ends also when its host is gone and its script never ends', async () => {
    const busy = startAlone()
    const sources = [{ text: 'for (;;);', label: 'flow:a#L1' }]
    busy.stdin.end(
      encodeFrame({
        type: 'evaluate',
        sources,
        env: {},
        now: 0,
        seed: [1, 2, 3, 4],
        readings: [],
        repeatedRequests: 0,
        endsAfterMs: 200,
      }),
    )
    const [code] = await once(busy, 'exit')
    expect(code).toBe(1)
  })

  test('ends with its host, whatever it is doing', async () => {
    const host = spawn(process.execPath, [HOST, PROGRAM, 'console.log(1); for (;;);'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(host.stdout, 'data')
    const pid = Number(String(line))
    expect(isAlive(pid)).toBe(true)
    host.kill('SIGKILL')
    await vi.waitUntil(() => !isAlive(pid), { timeout: 10_000 })
  })

  test('does not keep its host', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [HOST, PROGRAM], { timeout: 20_000 })
    expect(stdout).toBe('2\n')
  })
})
