/** The snapshot helper on a simulated phone: its one process, started by `am instrument`, and the port it listens on. */

import { socketPair } from '../app/socket-pair.ts'
import type { AppSocket } from '../phone-parts.ts'
import type { Fault } from '../scenario/fault.ts'
import { countedFaults, type NextFaults } from './counted-faults.ts'
import {
  type Answer,
  type Connection,
  capture,
  common,
  createConnection,
  failed,
  gesture,
  HELPER_PACKAGE,
  type HelperFacts,
  HelperFailure,
  viewport,
} from './requests.ts'
import { createSession } from './session.ts'

export interface Instrumentation {
  /** The port of the session. */
  port: number
  /** How the process ended, or that the `am` that started it has. */
  ended: Promise<'quit' | 'crash' | 'abandoned'>
}

export interface SnapshotHelper {
  pid(): number | undefined
  kill(): void
  /** A call of its own: performs it, and the process ends. Ends one that runs. */
  once(args: ReadonlyMap<string, string>, am: AbortSignal): Promise<Answer>
  /** Ends one that runs. The answer when it could not listen. */
  start(args: ReadonlyMap<string, string>, am: AbortSignal): Instrumentation | Answer
  connect(port: number): AppSocket | undefined
}

const REQUEST_FAULTS = [
  ...(['helper-dies-before', 'helper-dies-after', 'helper-hangs-up', 'helper-silent', 'helper-late'] as const),
  ...(['helper-blank', 'touch-refused'] as const),
]
const FIRST_PID = 9_000
const PORT = { min: 1_024, max: 65_535 } as const

const numberIn = (args: ReadonlyMap<string, string>, name: string, otherwise: number): number => {
  const value = Number(args.get(name) ?? otherwise)
  return Number.isInteger(value) ? Math.max(0, value) : otherwise
}
const optionsIn = (args: ReadonlyMap<string, string>) => ({
  depth: numberIn(args, 'maxDepth', 128),
  nodes: numberIn(args, 'maxNodes', 5_000),
})

interface Process {
  pid: number
  port: number | undefined
  accept(socket: AppSocket): void
  end(how: 'quit' | 'crash'): void
}

export interface SnapshotHelperOptions extends HelperFacts {
  faults: readonly Fault[]
}

export const createSnapshotHelper = ({ faults, ...facts }: SnapshotHelperOptions): SnapshotHelper => {
  const requestFaults: NextFaults = countedFaults(faults, REQUEST_FAULTS)
  const heldFaults: NextFaults = countedFaults(faults, ['automation-held'])
  const portFaults: NextFaults = countedFaults(faults, ['port-taken'])
  const isHeld = () => heldFaults().length > 0
  let running: Process | undefined
  let pids = FIRST_PID

  const once = async (args: ReadonlyMap<string, string>, am: AbortSignal): Promise<Answer> => {
    running?.end('crash')
    const connection = createConnection(facts, isHeld)
    const mode = args.get('mode') ?? 'snapshot'
    try {
      connection.use()
      const hit = requestFaults()
      if (mode === 'snapshot') return capture(facts, optionsIn(args), hit)
      if (mode === 'viewport') return viewport(facts)
      if (mode === 'gesture') return await gesture(facts, args.get('payloadBase64') ?? '', hit, am)
      throw new HelperFailure('java.lang.IllegalArgumentException', `unknown mode: ${mode}`)
    } catch (error) {
      return failed(error)
    } finally {
      connection.release()
    }
  }

  const begin = (port: number, args: ReadonlyMap<string, string>, am: AbortSignal): Instrumentation => {
    const life = new AbortController()
    const connection: Connection = createConnection(facts, isHeld)
    let settle: (how: 'quit' | 'crash' | 'abandoned') => void = () => {}
    const ended = new Promise<'quit' | 'crash' | 'abandoned'>(resolve => {
      settle = resolve
    })
    const end = (how: 'quit' | 'crash') => {
      connection.release()
      if (running === process) running = undefined
      life.abort('the process has ended')
      settle(how)
    }
    // UiAutomation lives in `am`; the process stays, with its port open, and answers with errors.
    am.addEventListener('abort', () => {
      connection.release()
      settle('abandoned')
    })
    const session = createSession({
      facts,
      options: optionsIn(args),
      connection,
      faults: requestFaults,
      signal: life.signal,
      end,
    })
    const process: Process = { pid: ++pids, port, accept: session.accept, end }
    running = process
    return { port, ended }
  }

  return {
    pid: () => running?.pid,
    kill: () => running?.end('crash'),
    once,
    start(args, am) {
      running?.end('crash')
      const port = numberIn(args, 'sessionPort', 0)
      if (port < PORT.min || port > PORT.max || portFaults().length > 0) {
        return { fields: { ...common(), ...failed(new HelperFailure('java.net.BindException', 'EADDRINUSE')).fields } }
      }
      return begin(port, args, am)
    },
    connect(port) {
      if (running?.port !== port) return undefined
      const [ours, theirs] = socketPair()
      running.accept(ours)
      return theirs
    },
  }
}

export const SNAPSHOT_COMPONENT = `${HELPER_PACKAGE}/.SnapshotInstrumentation`
