/** Runs `svc` inside this process, with all that is behind its commands: what `run-cli.ts` does without the start of a process. */
import { Readable } from 'node:stream'
import { systemClock } from '../../../src/runtime/clock.ts'
import { catalogue } from '../../../src/surfaces/cli/commands/catalogue.ts'
import { run } from '../../../src/surfaces/cli/run.ts'
import { CLI, type CliEnded, type CliOptions } from './run-cli.ts'

export type CliHereOptions = Pick<CliOptions, 'env' | 'cwd' | 'input'>

export interface CliHere {
  ended: Promise<CliEnded>
  /** What was said so far. */
  stdout(): string
  stderr(): string
  /** As SIGINT does. */
  interrupt(): void
}

const INTERRUPTED = 130

/** While commands run, they look beside the built program for threads, helpers and the program that they start. */
const [, ownProgram = ''] = process.argv
let running = 0
const beginAsProgram = () => {
  running += 1
  process.argv[1] = CLI
}
const endAsProgram = () => {
  running -= 1
  if (running === 0) process.argv[1] = ownProgram
}

export const startCliHere = (args: readonly string[], options: CliHereOptions = {}): CliHere => {
  const { env = {}, cwd = process.cwd(), input = '' } = options
  beginAsProgram()
  const stop = new AbortController()
  let forgiven = false
  const said = { stdout: '', stderr: '' }
  const work = async (): Promise<CliEnded> => {
    const code = await run({
      catalogue,
      argv: args,
      version: __SVC_VERSION__,
      env: { PATH: '', SVC_NO_DAEMON: '1', ...env },
      cwd: () => cwd,
      clock: systemClock(),
      io: {
        print: async text => {
          said.stdout += `${text}\n`
          return true
        },
        note: text => {
          said.stderr += `${text}\n`
        },
        show: text => {
          said.stderr += text
        },
        stdin: () => Readable.from(input.length > 0 ? [input] : [], { objectMode: false }),
        isTerminal: () => false,
        columns: () => 100,
        errorColumns: () => undefined,
        rows: () => 24,
        draw: text => {
          said.stdout += text
        },
      },
      signal: () => stop.signal,
      forgiveSignal: () => {
        forgiven = true
      },
      releaseSignals: () => {},
      survive: () => {},
      async openServices(given) {
        const { createServices } = await import('../../../src/start/command.ts')
        return createServices({ ...given, program: CLI })
      },
    })
    const isInterrupted = stop.signal.aborted && !forgiven
    return { code: isInterrupted ? INTERRUPTED : code, signal: null, ...said, json: () => JSON.parse(said.stdout) }
  }
  return {
    ended: work().finally(endAsProgram),
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    interrupt: () => stop.abort('SIGINT'),
  }
}

export const runCliHere = (args: readonly string[], options: CliHereOptions = {}): Promise<CliEnded> =>
  startCliHere(args, options).ended
