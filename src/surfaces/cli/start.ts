/** Brings the commands together with this process: its streams, its environment, its signals. */
import { systemClock } from '../../runtime/clock.ts'
import { catalogue } from './commands/catalogue.ts'
import { outputFormat } from './flags/flag-values.ts'
import { createIo } from './io.ts'
import type { LoadedCode } from './keep-code.ts'
import { globalFlags } from './parse.ts'
import { currentDirectory, processSignals, programFile } from './process.ts'
import { run } from './run.ts'

const FAILED = 1

/** A process that lasts has started by then. */
const LASTING_MS = 5_000
/** After this time a command looks whether it compiled more than is kept. */
const LOOK_AGAIN_MS = 60 * 60 * 1_000

type Keep = typeof import('./keep-code.ts')

/** No code is kept where the program was replaced meanwhile. */
const keeping = (keep: (writer: Keep) => Promise<void>): Promise<void> =>
  import('./keep-code.ts').then(keep).catch(() => {})

/** An error that was thrown in a callback, or a rejection that was not awaited, ends a command. */
const uncaughtErrors = () => {
  let note: ((error: unknown) => void) | undefined
  const first = new Promise<unknown>(resolve =>
    process.on('uncaughtException', error => (note ? note(error) : resolve(error))),
  )
  return {
    first,
    /** From now on it is noted, and nothing ends: others depend on this process. */
    survive: (noteError: (error: unknown) => void) => {
      note = noteError
    },
  }
}

/** The exit code: that of the command, or 128 + the signal that ended it. */
export const main = async (argv: readonly string[], compiled: LoadedCode): Promise<number> => {
  const signals = processSignals()
  const clock = systemClock()
  const begunAt = clock.elapsed()
  const io = createIo({
    stdin: () => process.stdin,
    stdout: () => process.stdout,
    stderr: () => process.stderr,
    stop: signals.beforeWrite,
  })
  const uncaught = uncaughtErrors()
  const ended = run({
    catalogue,
    argv,
    version: __SVC_VERSION__,
    env: process.env,
    cwd: currentDirectory,
    clock,
    io,
    signal: signals.signal,
    forgiveSignal: signals.forgive,
    releaseSignals: signals.releaseAtWrite,
    survive: uncaught.survive,
    async openServices({ use, ...options }) {
      const { createServices } = await (use === 'execution'
        ? import('../../start/execution.ts')
        : import('../../start/command.ts'))
      return createServices({ ...options, program: programFile() })
    },
  })
  const broken = uncaught.first.then(async error => {
    const { failureOf } = await import('./failure-of.ts')
    const output = failureOf(error)
    const [given, env] = [globalFlags(argv), process.env]
    if (outputFormat(given, env) === 'text') {
      const { printText } = await import('./text/print-text.ts')
      await printText({ output, ok: false, command: undefined, given, env, clock, begunAt, io })
    } else await io.print(JSON.stringify(output))
    return FAILED
  })
  clock.at(clock.now() + LASTING_MS, () => void keeping(writer => writer.keepWhileLasting(compiled, clock)), {
    idle: true,
  })
  const code = await Promise.race([ended, broken])
  const due = compiled.pieces.filter(({ lookedAtMs }) => clock.now() - lookedAtMs > LOOK_AGAIN_MS)
  if (due.length > 0 && signals.code() === undefined)
    await keeping(writer => writer.keepAtEnd({ ...compiled, pieces: due }, clock))
  return signals.code() ?? code
}
