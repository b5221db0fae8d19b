/** The process of the scripts of one flow, as its host sees it: one evaluation at a time, each with an end. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../../runtime/clock.ts'
import { createFrameReader, encodeFrame } from './frames.ts'
import type { EvaluationTask, FromScripts, ResponseMessage } from './messages.ts'

/** Finds the program beside the one that runs; undefined where it was not built. */
export const scriptProgram = (program: string | undefined): string | undefined => {
  if (program === undefined || !existsSync(program)) return undefined
  const file = join(dirname(realpathSync(program)), 'flow-scripts', 'program.cjs')
  return existsSync(file) ? file : undefined
}

export interface ScriptProcessOptions {
  readonly program: string
  readonly memoryMb: number
  readonly clock: Clock
}

export interface EvaluationCalls {
  /** Takes a ScriptRequest as JSON. */
  respond(request: string): Promise<{ response: ResponseMessage['response']; body: string }>
  log(line: string): void
  clockMoved(reading: { reading: number; elapsedMs: number }): void
}

/** `result` is JSON as the scripts left it. */
export type EvaluationEnd = { result: string } | { ended: 'timeout' | 'memory' }

export interface ScriptProcess {
  /** Rejects when the process could not start, or ended for no fault of the script. */
  evaluate(task: EvaluationTask, timeoutMs: number, calls: EvaluationCalls): Promise<EvaluationEnd>
  end(): Promise<void>
}

const STDERR_CHARS_KEPT = 4_096
const END_MS = 1_000
/** V8 aborts, by a trap or a signal that depends on the platform. */
const MEMORY_SIGNALS = ['SIGABRT', 'SIGTRAP', 'SIGILL']
const MEMORY_WORDS = /out of memory|allocation failed/i

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const start = ({ program, memoryMb }: ScriptProcessOptions): Child => {
  const args = [
    `--max-old-space-size=${memoryMb}`,
    '--max-semi-space-size=4',
    // Closes the way from an object of this process to a function with its global names. The context of scripts has its own setting.
    '--disallow-code-generation-from-strings',
    program,
  ]
  return spawn(process.execPath, args, {
    // An interrupt of the terminal is for the host, which ends this process.
    detached: true,
    cwd: tmpdir(),
    // Scripts are told their environment; dates are those of this host.
    env: { TZ: Intl.DateTimeFormat().resolvedOptions().timeZone },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

export const startScriptProcess = (options: ScriptProcessOptions): ScriptProcess => {
  const { clock } = options
  const child = start(options)
  let stderr = ''
  let problem: string | undefined
  let running: { calls: EvaluationCalls; finish(end: EvaluationEnd): void; fail(error: Error): void } | undefined
  let closed: () => void = () => {}
  const isClosed = new Promise<void>(resolve => {
    closed = resolve
  })
  const kill = () => void child.kill('SIGKILL')

  const respond = async (request: string, { calls }: NonNullable<typeof running>) => {
    const { response, body } = await calls.respond(request)
    const message: ResponseMessage = { type: 'response', response }
    child.stdin.write(encodeFrame(message, body))
  }
  const take = (head: FromScripts, body: string) => {
    if (!running) return
    if (head.type === 'request') {
      const { fail } = running
      respond(body, running).catch(fail)
    } else if (head.type === 'log') running.calls.log(body)
    else if (head.type === 'clock') running.calls.clockMoved({ reading: head.reading, elapsedMs: head.elapsedMs })
    else running.finish({ result: body })
  }
  const read = createFrameReader()
  child.stdout.on('data', (bytes: Buffer) => {
    try {
      for (const { head, body } of read(bytes)) take(head as FromScripts, body)
    } catch (error) {
      problem ??= `its messages cannot be read: ${(error as Error).message}`
      kill()
    }
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS_KEPT)
  })
  // Its end says more than a pipe that it closed.
  child.stdin.on('error', () => {})
  child.on('error', error => {
    problem ??= error.message
    closed()
    running?.fail(new Error(`The process for the scripts of a flow could not be started: ${problem}`))
  })
  child.on('close', (code, signal) => {
    closed()
    const isMemory = problem === undefined && (MEMORY_SIGNALS.includes(signal ?? '') || MEMORY_WORDS.test(stderr))
    if (isMemory) return running?.finish({ ended: 'memory' })
    problem ??= stderr.trim().split('\n').at(-1) || `it ended with ${signal ?? `code ${code}`}`
    return running?.fail(new Error(`The process for the scripts of a flow is gone: ${problem}`))
  })
  // Only a running evaluation keeps the host, by its deadline.
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref()

  return {
    evaluate: (task, timeoutMs, calls) =>
      new Promise((resolve, reject) => {
        if (problem !== undefined) return reject(new Error(`The process for the scripts of a flow is gone: ${problem}`))
        const deadline = clock.at(clock.now() + timeoutMs, () => {
          running?.finish({ ended: 'timeout' })
          kill()
        })
        const settle = () => {
          running = undefined
          deadline.cancel()
        }
        running = {
          calls,
          finish(end) {
            settle()
            resolve(end)
          },
          fail(error) {
            settle()
            kill()
            reject(error)
          },
        }
        child.stdin.write(encodeFrame(task))
      }),
    async end() {
      problem ??= 'it was ended'
      kill()
      let timer = { cancel: () => {} }
      const isLate = new Promise<void>(resolve => {
        timer = clock.at(clock.now() + END_MS, resolve)
      })
      await Promise.race([isClosed, isLate])
      timer.cancel()
    },
  }
}
