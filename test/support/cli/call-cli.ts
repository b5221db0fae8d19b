/** One call of `svc` inside this process: real parsing and printing, with nothing behind the commands unless it is given. */
import { Readable } from 'node:stream'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Command, Environment } from '../../../src/surfaces/cli/command.ts'
import { type Catalogue, catalogue as realCatalogue } from '../../../src/surfaces/cli/commands/catalogue.ts'
import { type RunOptions, run } from '../../../src/surfaces/cli/run.ts'

export interface CallOptions {
  /** Instead of the real ones. */
  commands?: readonly Command[]
  env?: Environment
  cwd?: string
  stdin?: Readable
  openServices?: RunOptions['openServices']
  signal?: AbortSignal
}

export interface Called {
  code: number
  /** What was printed, one entry for each print. */
  printed: string[]
  notes: string[]
  /** The one document that was printed. */
  json<T = Record<string, unknown>>(): T
}

/** No test starts a daemon that it does not know of. */
const WITHOUT_DAEMON = { SVC_NO_DAEMON: '1' }

const noServices = () => Promise.reject(new Error('this call was to load nothing'))

const catalogueOf = (commands: readonly Command[]): Catalogue => ({
  part: async word => {
    const found = commands.filter(({ path }) => path[0] === word)
    return found.length > 0 ? found : undefined
  },
  all: async () => commands,
})

export const callCli = async (argv: readonly string[], options: CallOptions = {}): Promise<Called> => {
  const { commands, cwd = '/', stdin = Readable.from([]), openServices = noServices } = options
  const printed: string[] = []
  const notes: string[] = []
  const code = await run({
    catalogue: commands ? catalogueOf(commands) : realCatalogue,
    argv,
    version: '1.2.3',
    env: { ...WITHOUT_DAEMON, ...options.env },
    cwd: () => cwd,
    clock: systemClock(),
    io: {
      print: async text => {
        printed.push(text)
        return true
      },
      note: text => void notes.push(text),
      show: text => void notes.push(text),
      stdin: () => stdin,
      isTerminal: () => false,
      columns: () => 100,
      errorColumns: () => undefined,
      rows: () => 24,
      draw: text => void printed.push(text),
    },
    signal: () => options.signal ?? new AbortController().signal,
    forgiveSignal: () => {},
    releaseSignals: () => {},
    survive: () => {},
    openServices,
  })
  const json = <T>(): T => {
    if (printed.length !== 1) throw new Error(`${printed.length} documents were printed`)
    return JSON.parse(printed[0] ?? '')
  }
  return { code, printed, notes, json }
}
