/** Brings the commands together with this process: its streams, its environment, its signals. */

import { systemClock } from '../runtime/clock.ts'
import { callersDirectory } from './callers-directory.ts'
import { catalogue } from './commands/catalogue.ts'
import { createIo } from './io.ts'
import { run } from './run.ts'
import { processSignals } from './signals.ts'

const FAILED = 1

/** What reaches nobody else: a callback of a driver that threw, a promise that nobody waited for. */
const brokenProcess = () => new Promise<unknown>(resolve => process.once('uncaughtException', resolve))

/** The exit code: that of the command, or 128 + the signal that ended it. */
export const main = async (argv: readonly string[]): Promise<number> => {
  const signals = processSignals()
  const io = createIo({
    stdin: () => process.stdin,
    stdout: () => process.stdout,
    stderr: () => process.stderr,
    stop: () => (signals.isListening() ? signals.signal() : undefined),
  })
  const ended = run({
    catalogue,
    argv,
    version: __SVC_VERSION__,
    env: process.env,
    cwd: callersDirectory,
    clock: systemClock(),
    io,
    signal: signals.signal,
    forgiveSignal: signals.forgive,
    releaseSignals: signals.release,
    heavy: async () => (await import('./load-app.ts')).loadApp(),
  })
  const broken = brokenProcess().then(async error => {
    const { failureOf } = await import('./failure-of.ts')
    await io.print(JSON.stringify(failureOf(error)))
    return FAILED
  })
  const code = await Promise.race([ended, broken])
  return signals.code() ?? code
}
