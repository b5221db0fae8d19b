/** The operator app of a simulated phone: takes requests by broadcast and by socket, runs one at a time, answers each. */

import { LOG_TAG } from '../../contracts/device/operator.ts'
import { ENVELOPE_GRACE_MS } from '../../contracts/limits/limits.ts'
import type { UiDriver } from '../../device/screen/driver.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { AppSocket, PhoneLog } from '../phone-parts.ts'
import type { Fault, FaultKind } from '../scenario/fault.ts'
import { DEFAULT_PACE, type Delivery, deliver, type Pace } from './deliver.ts'
import { createFaultPlan } from './fault-plan.ts'
import { executeRequest, type ReadRequest, readRequestText, refusal } from './request.ts'
import { openSession, type Session } from './session.ts'
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

const addressOf = (read: ReadRequest) => (read.ok ? read.request : read.address)

export const createOperator = (options: OperatorOptions): OperatorApp => {
  const { clock, deviceClock, log, driver, timeScale, random, hasAccessibility, pace = DEFAULT_PACE } = options
  const plan = createFaultPlan(options.faults)
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

  const run = async (
    read: ReadRequest,
    session: Session | undefined,
    faults: readonly Fault[],
    record: SeenExecution,
  ) => {
    const faulty = new Set<FaultKind>(faults.map(fault => fault.do))
    const msOf = (kind: FaultKind) => faults.find(fault => fault.do === kind)?.ms
    if (faulty.has('slow')) await pause(clock, msOf('slow') ?? SLOW_MS, signal)
    if (signal.aborted) return
    const envelope = await executeRequest(read, {
      driver,
      clock: deviceClock,
      timeScale,
      random,
      signal,
      hasAccessibility,
    })
    record.finishedAt = clock.now()
    if (signal.aborted || faulty.has('no-result')) return
    if (!faulty.has('late')) return await answer({ envelope, faulty, session })
    const timeoutMs = read.ok ? read.request.timeoutMs : 0
    const wait = msOf('late') ?? record.at + timeoutMs + LATE_AFTER_DEADLINE_MS - clock.now()
    // The next request need not wait for an answer that is only late on its way.
    void pause(clock, wait, signal).then(() => answer({ envelope, faulty, session }))
  }

  const receive = (read: ReadRequest, session: Session | undefined) => {
    const address = addressOf(read)
    const faults = plan.of(address.commandId)
    const hit = (kind: FaultKind) => faults.some(fault => fault.do === kind)
    if (hit('link-lost-before')) return options.cutLinks()
    const record: SeenExecution = { wireId: address.commandId, way: session ? 'socket' : 'broadcast', at: clock.now() }
    if (isRepeated(read)) return remember(arrived, record)
    if (queued >= QUEUE_MAX) {
      const envelope = refusal(
        address,
        'EXECUTION_CONFLICT_IN_FLIGHT',
        'The operator app has too many requests waiting.',
      )
      void answer({ envelope, faulty: new Set(), session })
      return
    }
    remember(arrived, record)
    remember(seen, record)
    queued += 1
    last = last
      .then(() => run(read, session, faults, record))
      .catch((error: unknown) => log.write('E', LOG_TAG, `a request was lost: ${String(error)}`))
      .finally(() => {
        queued -= 1
      })
    if (hit('device-gone')) options.vanish()
    else if (hit('link-lost-after')) options.cutLinks()
  }

  return {
    broadcast: payload => receive(readRequestText(payload), undefined),
    connect() {
      if (sessions.size >= SESSIONS_MAX || signal.aborted) return undefined
      const [host, app] = socketPair()
      const { packageName, version } = options
      const session = openSession({ socket: app, packageName, version, onRequest: receive })
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
