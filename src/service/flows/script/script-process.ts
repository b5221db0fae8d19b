/** The process of the scripts of one flow, as its host sees it: one evaluation at a time, each with an end. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { readLoggedLine, readMessage, readRequest } from '../../../contracts/flow-script-messages.ts'
import { FLOW_RUN_ENV } from '../../../contracts/records/ids.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { createFrameReader, encodeFrame } from './frames.ts'
import type { EvaluationTask, FromScripts, LoggedLine, ResponseMessage } from './messages.ts'

/** Finds the program beside the one that runs; undefined where it was not built. */
export const scriptProgram = (program: string | undefined): string | undefined => {
  if (program === undefined || !existsSync(program)) return undefined
  const file = join(dirname(realpathSync(program)), 'flow-scripts', 'program.cjs')
  return existsSync(file) ? file : undefined
}

export interface ScriptProcessOptions {
  readonly program: string
  /** Whoever finds the run without a runner ends the process by this mark. */
  readonly flowRunId: string
  readonly memoryMb: number
  readonly clock: Clock
}

export interface EvaluationCalls {
  /** Takes a ScriptRequest as JSON. */
  respond(request: string): Promise<{ response: ResponseMessage['response']; body: string }>
  log(line: LoggedLine): void
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
const HEAD_BYTES_MAX = 1_024
const BODY_BYTES_MAX = 64 * 1_024 * 1_024
/** Requests, lines of the console and steps of the clock of one evaluation. */
const MESSAGES_MAX = 10_000
/** The realm of the scripts ends its log earlier. */
const LOG_CHARS_MAX = 2 * 1_024 * 1_024
/** V8 aborts, by a trap or a signal that depends on the platform. */
const MEMORY_SIGNALS = ['SIGABRT', 'SIGTRAP', 'SIGILL']
const MEMORY_WORDS = /out of memory|allocation failed/i

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const WATCH_FD = 3

/** Node renamed the flag when the permission model left its experiment. */
const permissionFlag = (): string =>
  process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'

/**
 * Ends its process group when the host closes the pipe, by its death too: a busy script does not look at its pipes. The
 * program takes the place and the id of the shell.
 */
const WATCHED = '(read _; kill -9 0) <&3 >/dev/null 2>&1 3<&- & unset PWD; exec "$@" 3<&-'

const start = ({ program, flowRunId, memoryMb }: ScriptProcessOptions): Child => {
  const args = [
    '-c',
    WATCHED,
    'svc-flow-scripts',
    process.execPath,
    // No file but its own, no process, no worker, no add-on.
    permissionFlag(),
    `--allow-fs-read=${join(dirname(program), '*')}`,
    '--no-warnings',
    // Needed to replace what V8 calls for `import()` and `error.stack`.
    '--expose-internals',
    `--max-old-space-size=${memoryMb}`,
    '--max-semi-space-size=4',
    // Closes the way from an object of this process to a function with its global names. The context of scripts has its own setting.
    '--disallow-code-generation-from-strings',
    program,
  ]
  return spawn('/bin/sh', args, {
    // An interrupt of the terminal is for the host, which ends this process.
    detached: true,
    cwd: tmpdir(),
    // Scripts are told their environment; dates are those of this host.
    env: { TZ: Intl.DateTimeFormat().resolvedOptions().timeZone, [FLOW_RUN_ENV]: flowRunId },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
}

interface Evaluation {
  readonly calls: EvaluationCalls
  messages: number
  loggedChars: number
  isAsking: boolean
  finish(end: EvaluationEnd): void
  fail(error: Error): void
}

export const startScriptProcess = (options: ScriptProcessOptions): ScriptProcess => {
  const { clock } = options
  const child = start(options)
  let stderr = ''
  let problem: string | undefined
  let running: Evaluation | undefined
  let closed: () => void = () => {}
  const isClosed = new Promise<void>(resolve => {
    closed = resolve
  })
  const watch = child.stdio[WATCH_FD]
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group is gone.
    }
  }

  const respond = async (request: string, evaluation: Evaluation) => {
    const { calls } = evaluation
    const { response, body } = await calls.respond(request)
    evaluation.isAsking = false
    const message: ResponseMessage = { type: 'response', response }
    child.stdin.write(encodeFrame(message, body))
  }
  const take = (head: FromScripts, body: string) => {
    if (!running) return
    if (++running.messages > MESSAGES_MAX) throw new Error(`a script sent more than ${MESSAGES_MAX} messages`)
    // A request blocks its script until it is answered.
    if (running.isAsking) throw new Error('a message came while a request was waiting for its response')
    if (head.type === 'request') {
      const evaluation = running
      evaluation.isAsking = true
      respond(readRequest(body), evaluation).catch(evaluation.fail)
    } else if (head.type === 'log') {
      const line = readLoggedLine(body)
      running.loggedChars += line.text.length
      if (running.loggedChars > LOG_CHARS_MAX) throw new Error(`a script logged more than ${LOG_CHARS_MAX} characters`)
      running.calls.log(line)
    } else if (head.type === 'clock') running.calls.clockMoved({ reading: head.reading, elapsedMs: head.elapsedMs })
    else running.finish({ result: body })
  }
  const read = createFrameReader({ headBytesMax: HEAD_BYTES_MAX, bodyBytesMax: BODY_BYTES_MAX })
  child.stdout.on('data', (bytes: Buffer) => {
    try {
      for (const { head, body } of read(bytes)) take(readMessage(head), body)
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
  // The process that watches the pipe ends with it.
  child.on('exit', () => (watch as Writable | null)?.destroy())
  child.on('close', (code, signal) => {
    closed()
    const isMemory = problem === undefined && (MEMORY_SIGNALS.includes(signal ?? '') || MEMORY_WORDS.test(stderr))
    if (isMemory) return running?.finish({ ended: 'memory' })
    problem ??= stderr.trim().split('\n').at(-1) || `it ended with ${signal ?? `code ${code}`}`
    return running?.fail(new Error(`The process for the scripts of a flow is gone: ${problem}`))
  })
  // Only a running evaluation keeps the host, by its deadline.
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr, watch])
    (stream as unknown as { unref(): void }).unref()

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
          messages: 0,
          loggedChars: 0,
          isAsking: false,
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
