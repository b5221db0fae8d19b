/** The snapshot helper on a simulated phone: its one process, started by `am instrument`, and the port it listens on. */
import { countedFaults, type NextFaults } from '../operator-app/fault-plan.ts'
import { socketPair } from '../operator-app/socket-pair.ts'
import type { AppSocket } from '../phone-parts.ts'
import type { Fault } from '../scenario/fault.ts'
import {
  type AutomationConnection,
  captureHierarchy,
  createAutomationConnection,
  failureAnswer,
  gesture,
  HELPER_PACKAGE,
  type HelperAnswer,
  type HelperFacts,
  HelperFailure,
  keepFile,
  PROTOCOL_FIELDS,
  viewport,
} from './requests.ts'
import {
  type Arguments,
  createHelperSession,
  modeIn,
  optionFields,
  optionsIn,
  outputPathIn,
  payloadIn,
  wantsChunks,
} from './session.ts'

interface Instrumentation {
  /** The status that says the port is bound. */
  ready: Record<string, string>
  /** How the process ended, or that the `am` that started it has. */
  ended: Promise<'crash' | 'abandoned' | HelperAnswer>
}

const REQUEST_FAULTS = [
  ...(['helper-dies-before', 'helper-dies-after', 'helper-hangs-up', 'helper-silent', 'helper-late'] as const),
  ...(['helper-blank', 'touch-refused'] as const),
]
const FIRST_PID = 9_000
const PORT = { min: 1_024, max: 65_535 } as const

/** Every result of `am instrument` begins with this head, a failure too. */
const resultHead = (args: Arguments) => ({ ...PROTOCOL_FIELDS, ...optionFields(optionsIn(args)) })

const cannotListen = (port: number, isTaken: boolean): HelperFailure | undefined => {
  const bind = (reason: string) => new HelperFailure('java.net.BindException', `bind failed: ${reason}`)
  if (port > PORT.max)
    return new HelperFailure('java.lang.IllegalArgumentException', `Port value out of range: ${port}`)
  if (port < PORT.min) return bind('EACCES (Permission denied)')
  return isTaken ? bind('EADDRINUSE (Address already in use)') : undefined
}

interface Process {
  pid: number
  port: number | undefined
  accept(socket: AppSocket): void
  end(how: 'quit' | 'crash' | HelperFailure): void
}

export const createSnapshotHelper = ({ faults, ...facts }: HelperFacts & { faults: readonly Fault[] }) => {
  const requestFaults: NextFaults = countedFaults(faults, REQUEST_FAULTS)
  const heldFaults: NextFaults = countedFaults(faults, ['automation-held'])
  const portFaults: NextFaults = countedFaults(faults, ['port-taken'])
  const isHeld = () => heldFaults().length > 0
  let running: Process | undefined
  let pids = FIRST_PID

  const snapshot = (args: Arguments, hit: readonly Fault[]): HelperAnswer => {
    const { fields, xml = '' } = captureHierarchy(facts, optionsIn(args), hit)
    const path = outputPathIn(args)
    if (path !== undefined) keepFile(facts, path, xml)
    return wantsChunks(args) ? { fields, xml } : { fields }
  }

  const perform = (
    args: Arguments,
    use: () => readonly Fault[],
    am: AbortSignal,
  ): HelperAnswer | Promise<HelperAnswer> => {
    const mode = modeIn(args)
    if (mode === 'snapshot') return snapshot(args, use())
    if (mode === 'gesture') return gesture(facts, payloadIn(args), use(), am)
    if (mode !== 'viewport') throw new HelperFailure('java.lang.IllegalArgumentException', `Unsupported mode: ${mode}`)
    use()
    return viewport(facts)
  }

  /** A call of its own: performs it, and the process ends. Ends one that runs. */
  const once = async (args: Arguments, am: AbortSignal): Promise<HelperAnswer> => {
    running?.end('crash')
    const connection = createAutomationConnection(facts, isHeld)
    const use = () => {
      connection.use()
      return requestFaults()
    }
    const answer = async () => {
      try {
        return await perform(args, use, am)
      } catch (error) {
        return failureAnswer(error)
      } finally {
        connection.release()
      }
    }
    const { fields, ...more } = await answer()
    return { ...more, fields: { ...resultHead(args), ok: 'true', ...fields } }
  }

  const begin = (port: number, args: Arguments, am: AbortSignal): Instrumentation => {
    const life = new AbortController()
    const connection: AutomationConnection = createAutomationConnection(facts, isHeld)
    let settle: (how: 'crash' | 'abandoned' | HelperAnswer) => void = () => {}
    const ended = new Promise<'crash' | 'abandoned' | HelperAnswer>(resolve => {
      settle = resolve
    })
    const end: Process['end'] = how => {
      connection.release()
      if (running === process) running = undefined
      life.abort('the process has ended')
      if (how === 'crash') return settle(how)
      const fields = how === 'quit' ? { ok: 'true', sessionEnded: 'true' } : failureAnswer(how).fields
      settle({ fields: { ...resultHead(args), ...fields } })
    }
    // UiAutomation lives in `am`; the process stays, with its port open, and answers with errors.
    am.addEventListener('abort', () => {
      connection.release()
      settle('abandoned')
    })
    const session = createHelperSession({
      facts,
      options: optionsIn(args),
      connection,
      faults: requestFaults,
      signal: life.signal,
      end,
    })
    const process: Process = { pid: ++pids, port, accept: session.accept, end }
    running = process
    return { ready: { ...resultHead(args), sessionReady: 'true', sessionPort: String(port) }, ended }
  }

  return {
    pid: (): number | undefined => running?.pid,
    kill: () => running?.end('crash'),
    once,
    /** Ends one that runs. The answer when it could not listen. */
    start(port: number, args: Arguments, am: AbortSignal): Instrumentation | HelperAnswer {
      running?.end('crash')
      const failure = cannotListen(port, portFaults().length > 0)
      return failure ? { fields: { ...resultHead(args), ...failureAnswer(failure).fields } } : begin(port, args, am)
    },
    connect(port: number): AppSocket | undefined {
      if (running?.port !== port) return undefined
      const [ours, theirs] = socketPair()
      running.accept(ours)
      return theirs
    },
  }
}

export const SNAPSHOT_COMPONENT = `${HELPER_PACKAGE}/.SnapshotInstrumentation`
