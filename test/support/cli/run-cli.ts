/** Runs the real `svc`, built beforehand, with an environment of its own; owns it until it has ended. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fromRoot } from '../root.ts'

export interface CliOptions {
  /** All that the child gets: nothing is inherited, and no daemon is used unless SVC_NO_DAEMON is set to another value. */
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Written to its stdin, which is then closed; without it, stdin is empty. */
  input?: string | Buffer
  /** Node's own flags. */
  node?: readonly string[]
  /** Another build than the one that is tested. */
  program?: string
  /** A program and its arguments, which starts the rest of the command line. */
  within?: readonly string[]
  /** When it is ended if it has not ended by itself. */
  longestMs?: number
}

export interface CliEnded {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** The one JSON document on stdout; throws when stdout holds anything else. */
  json<T = Record<string, unknown>>(): T
}

export interface RunningCli {
  child: ChildProcessWithoutNullStreams
  ended: Promise<CliEnded>
  /** What was said so far. */
  stdout(): string
  stderr(): string
}

const LONGEST_MS = 60_000

/** `SVC_TEST_CLI` names another build, for trying one out. */
export const CLI = process.env.SVC_TEST_CLI ?? fromRoot('dist/svc.cjs')

/** Code that earlier tests compiled: a home of its own has none. */
export const KEPT_CODE = { SVC_CACHE_DIR: process.env.SVC_CACHE_DIR }

/** Starts it without waiting, and without writing to or closing its stdin unless there is input. */
export const startCli = (args: readonly string[], options: CliOptions = {}): RunningCli => {
  const { env = {}, cwd, input, node = [], program = CLI, within = [], longestMs = LONGEST_MS } = options
  const [starter = process.execPath, ...words] = [...within, process.execPath, ...node, program, ...args]
  const child = spawn(starter, words, {
    env: { PATH: '', SVC_NO_DAEMON: '1', ...KEPT_CODE, ...env },
    cwd,
    stdio: 'pipe',
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', chunk => {
      said[stream] += chunk
    })
  }
  // A child that ends without reading is not a failure of the test.
  child.stdin.on('error', () => {})
  if (input !== undefined) child.stdin.end(input)
  const ended = new Promise<CliEnded>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal, ...said, json: () => JSON.parse(said.stdout) })
    })
  })
  return { child, ended, stdout: () => said.stdout, stderr: () => said.stderr }
}

export const runCli = (args: readonly string[], options: CliOptions = {}): Promise<CliEnded> =>
  startCli(args, { input: '', ...options }).ended
