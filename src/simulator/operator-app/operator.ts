/** The operator app of a simulated phone: takes requests by broadcast and by socket, runs one at a time, answers each, and is asked about them. */

import { LOG_TAG, type OperatorCapability } from '../../contracts/device/operator.ts'
import { ENVELOPE_GRACE_MS } from '../../contracts/limits/limits.ts'
import type { UiDriver } from '../../device/screen/driver.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { AppSocket, PhoneLog } from '../phone-parts.ts'
import type { Fault, FaultKind } from '../scenario/fault.ts'
import { DEFAULT_PACE, type Delivery, deliver, FOREIGN_NONCE, type Pace, tellProgress } from './deliver.ts'
import { createFaultPlan } from './fault-plan.ts'
import { executeRequest, type ReadRequest, readRequestText, refusal } from './request.ts'
import { createResultMemory, type RequestState } from './result-memory.ts'
import { openSession, type RequestName, type Session } from './session.ts'
import { socketPair } from './socket-pair.ts'

/** A request as the device saw it: tests check that it came once. */
export interface SeenExecution {
  wireId: string
  way: 'broadcast' | 'socket'
  /** When it arrived, in epoch ms. */
  at: number
  finishedAt?: number
}

export interface OperatorApp {
  broadcast(payload: string): void
  /** Undefined when there are too many sessions. */
  connect(): AppSocket | undefined
  /** The latest ones, in the order of their arrival. */
  executions(): readonly SeenExecution[]
  /** The same, with each repetition of a request, which is not performed: a host must send none. */
  arrivals(): readonly SeenExecution[]
  /** Lets nothing run on. */
  close(): void
}

interface OperatorOptions {
  packageName: string
  version: string
  capabilities: readonly OperatorCapability[]
  driver: UiDriver
  log: PhoneLog
  /** Ours, for faults and pacing. */
  clock: Clock
  /** The device's clock, for the steps. */
  deviceClock: Clock
  timeScale: number
  random: () => number
  faults: readonly Fault[]
  hasAccessibility(): boolean
  /** Ends every link to a host, at once. */
  cutLinks(): void
  /** The same, and takes no new one. */
  vanish(): void
  pace?: Pace
}

const QUEUE_MAX = 64
const SESSIONS_MAX = 16
const EXECUTIONS_KEPT = 1_000
const SLOW_MS = 2_000
/** A late answer that is not said to be sooner comes after every host has given up. */
const LATE_AFTER_DEADLINE_MS = ENVELOPE_GRACE_MS + 3_000

const TOO_MANY = 'The operator app has too many requests waiting.'

/** A request whose turn comes. */
interface Work {
  read: ReadRequest
  session: Session | undefined
  faults: readonly Fault[]
  /** Undefined for one that nobody can ask about. */
  state: RequestState | undefined
  record: SeenExecution
}

const addressOf = (read: ReadRequest) => (read.ok ? read.request : read.address)

export const createOperator = (options: OperatorOptions): OperatorApp => {
  const { clock, deviceClock, log, driver, timeScale, random, hasAccessibility, pace = DEFAULT_PACE } = options
  const { capabilities } = options
  const plan = createFaultPlan(options.faults)
  const results = createResultMemory(clock)
  const seen: SeenExecution[] = []
  const arrived: SeenExecution[] = []
  const sessions = new Set<Session>()
  const stop = new AbortController()
  const { signal } = stop
  const taken = new Set<string>()
  let last: Promise<void> = Promise.resolve()
  let queued = 0

  /** True for a request that came before: it is answered once, and performed once. */
  const isRepeated = (read: ReadRequest): boolean => {
    if (!read.ok) return false
    const { commandId, nonce } = read.request
    const key = `${commandId} ${nonce}`
    if (taken.has(key)) return true
    taken.add(key)
    const [oldest] = taken
    if (taken.size > EXECUTIONS_KEPT && oldest !== undefined) taken.delete(oldest)
    return false
  }

  const remember = (records: SeenExecution[], record: SeenExecution): void => {
    records.push(record)
    if (records.length > EXECUTIONS_KEPT) records.shift()
  }

  const answer = (delivery: Delivery) => deliver(delivery, { log, clock, pace, signal })

  const run = async ({ read, session, faults, state, record }: Work) => {
    const faulty = new Set<FaultKind>(faults.map(fault => fault.do))
    const msOf = (kind: FaultKind) => faults.find(fault => fault.do === kind)?.ms
    if (faulty.has('slow')) await pause(clock, msOf('slow') ?? SLOW_MS, signal)
    if (signal.aborted) return
    const address = addressOf(read)
    /** The result follows the last step at once. */
    const lastStep = read.ok ? read.request.actions.length - 1 : 0
    const tellEnd = (step: number) => {
      const nonce = faulty.has('nonce-wrong') ? FOREIGN_NONCE : address.nonce
      tellProgress({ commandId: address.commandId, nonce, step, success: true }, session, log)
    }
    const tells = capabilities.includes('progress')
    if (tells && faulty.has('progress-untrue')) for (let step = 0; step < lastStep; step++) tellEnd(step)
    const envelope = await executeRequest(read, {
      driver,
      clock: deviceClock,
      timeScale,
      random,
      signal,
      hasAccessibility,
      onStepEnd(step, success) {
        if (!success || step >= lastStep) return
        if (state) state.step = step + 1
        if (tells && !faulty.has('progress-untrue')) tellEnd(step)
      },
    })
    record.finishedAt = clock.now()
    const json = JSON.stringify(envelope)
    if (state) results.end(state, json)
    if (signal.aborted || faulty.has('no-result')) return
    if (!faulty.has('late')) return await answer({ address, json, faulty, session })
    const timeoutMs = read.ok ? read.request.timeoutMs : 0
    const wait = msOf('late') ?? record.at + timeoutMs + LATE_AFTER_DEADLINE_MS - clock.now()
    // The next request need not wait for an answer that is only late on its way.
    void pause(clock, wait, signal).then(() => answer({ address, json, faulty, session }))
  }

  const enqueue = (work: Work) => {
    remember(seen, work.record)
    queued += 1
    last = last
      .then(() => run(work))
      .catch((error: unknown) => log.write('E', LOG_TAG, `a request was lost: ${String(error)}`))
      .finally(() => {
        queued -= 1
      })
  }

  const receive = (read: ReadRequest, session: Session | undefined) => {
    const address = addressOf(read)
    const { commandId, nonce } = address
    const faults = plan.of(commandId)
    const hit = (kind: FaultKind) => faults.some(fault => fault.do === kind)
    if (hit('link-lost-before')) return options.cutLinks()
    const arrival = (): SeenExecution => ({
      wireId: commandId,
      way: session ? 'socket' : 'broadcast',
      at: clock.now(),
    })
    const record = arrival()
    if (isRepeated(read)) return remember(arrived, record)
    const repeat = () => {
      if (queued < QUEUE_MAX) enqueue({ read, session, faults, state: undefined, record: arrival() })
    }
    const isRemembered =
      capabilities.includes('results') && commandId !== '' && nonce !== '' && !hit('result-forgotten')
    const state = isRemembered
      ? results.begin(address, {
          nonce: hit('nonce-wrong') ? FOREIGN_NONCE : undefined,
          repeat: hit('asking-repeats') ? repeat : undefined,
        })
      : undefined
    if (queued >= QUEUE_MAX) {
      const json = JSON.stringify(refusal(address, 'EXECUTION_CONFLICT_IN_FLIGHT', TOO_MANY))
      if (state) results.end(state, json)
      void answer({ address, json, faulty: new Set(), session })
      return
    }
    remember(arrived, record)
    enqueue({ read, session, faults, state, record })
    if (hit('device-gone')) options.vanish()
    else if (hit('link-lost-after')) options.cutLinks()
  }

  const answerQuestion = (question: RequestName, session: Session) => {
    if (!capabilities.includes('results')) return
    const { commandId, nonce } = question
    const request = results.find(question)
    if (!request) return session.send(JSON.stringify({ type: 'unknown', commandId }))
    const { result, step, lies } = request
    const json = lies.nonce === undefined ? result?.json : result?.json.replaceAll(nonce, lies.nonce)
    session.send(
      json === undefined
        ? JSON.stringify({ type: 'running', commandId, step })
        : `{"type":"result","envelope":${json}}`,
    )
    lies.repeat?.()
  }

  return {
    broadcast: payload => receive(readRequestText(payload), undefined),
    connect() {
      if (sessions.size >= SESSIONS_MAX || signal.aborted) return undefined
      const [host, app] = socketPair()
      const { packageName, version } = options
      const session = openSession({
        ...{ socket: app, packageName, version, capabilities },
        onRequest: receive,
        onQuestion: answerQuestion,
      })
      sessions.add(session)
      app.onClose(() => sessions.delete(session))
      return host
    },
    executions: () => seen,
    arrivals: () => arrived,
    close() {
      stop.abort(new Error('the phone is switched off'))
      for (const session of sessions) session.close()
    },
  }
}
