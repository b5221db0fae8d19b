/** Constructs what makes `svc serve` one of many hosts: its membership, the way in and out, and what it tells the others. */
import { messageOfPosition } from '../contracts/fleet-log.ts'
import type { JournalRecord } from '../contracts/records/journal.ts'
import type { Links } from '../device/link/links.ts'
import { deviceOwnershipKey, type OwnershipKeyKind } from '../device/link/select-device.ts'
import type { FleetMember, FleetServeOptions } from '../fleet/deps.ts'
import { createExchange, type Exchange } from '../fleet/exchange/exchange.ts'
import type { Handle } from '../fleet/exchange/serve.ts'
import { createFleet, type Fleet } from '../fleet/fleet.ts'
import type { OutcomeParts } from '../fleet/log/log-message.ts'
import { createLogReader, type LogReader } from '../fleet/log/log-reader.ts'
import { type Mirror, startMirror } from '../fleet/log/mirror.ts'
import { lookupReceipt } from '../fleet/log/mirror-receipts.ts'
import { createSharedLog, type SharedLog } from '../fleet/log/shared-log.ts'
import { createFleetMember } from '../fleet/membership/member.ts'
import { hasEnded, thisFleetProcess } from '../fleet/membership/this-process.ts'
import { createPhoneQuestions, QUESTION_PATH } from '../fleet/ownership/phone-questions.ts'
import { inspectServers } from '../fleet/ownership/safety.ts'
import type { SafetyCheck } from '../fleet/ownership/safety-checks.ts'
import { type AskOwnApp, createInbound } from '../fleet/peer-requests.ts'
import { readUrls } from '../fleet/servers/server-urls.ts'
import { type Clock, pause } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { withoutFullStop } from '../runtime/text/without-end.ts'
import type { Learner } from '../service/executions/evidence/learn.ts'
import type { Network } from './world.ts'

export interface FleetPartsOptions extends FleetServeOptions {
  version: string
  clock: Clock
  ids: Ids
  leaseBy: OwnershipKeyKind
  links(): Links
  host(): Host
  journal(): Journal
  learner(): Pick<Learner, 'askFor'>
  note(text: string): void
  outcomeOf(journal: Journal, record: JournalRecord): OutcomeParts | undefined
  /** Monitoring addresses of the servers, by SVC_FLEET_MONITOR. */
  monitors: readonly string[]
  /** The real one unless told. */
  network?: Network | undefined
}

const CONNECTED_LOOK_MS = 250
const SETTLED_LOOK_MS = 20

const sentenceOf = ({ message, hint }: SafetyCheck): string =>
  `${message.charAt(0).toUpperCase()}${withoutFullStop(message.slice(1))}.${hint === undefined ? '' : ` ${hint}`}`

export interface FleetParts {
  member: FleetMember
  fleet: Fleet
  /** The records that all hosts have mirrored, for the event streams. */
  log: SharedLog
  /** Requests of other hosts are answered by this app, until it is undefined again. */
  answerBy(ask: AskOwnApp | undefined): void
  /** Waits so long for answers in the making. */
  settle(options: { graceMs: number }): Promise<void>
  close(): Promise<void>
}

export const createFleetParts = (options: FleetPartsOptions): FleetParts => {
  const { address, clock, ids, note, journal, network } = options
  const { names, self: host } = address
  const instance = ids.instance()
  const hasPassword = readUrls(address.urls).user !== undefined
  let ask: AskOwnApp | undefined
  let exchange: Exchange | undefined
  let mirror: Mirror | undefined
  let inFlight = 0
  if (hasPassword) {
    note('fleet: other users of this machine can see a password in a URL; --fleet-creds names a file.')
  }

  const counted =
    (handle: Handle): Handle =>
    async (request, tools) => {
      inFlight += 1
      try {
        return await handle(request, tools)
      } finally {
        inFlight -= 1
      }
    }
  const lag = () => mirror?.lag() ?? { head: journal().head(), mirrored: 0 }

  /** The log can be read once the servers were reached. */
  let reading: LogReader | undefined
  const reader = (): LogReader => {
    const connection = member.connection()
    if (!connection) throw new Error('no NATS server of the fleet was reached yet')
    reading ??= createLogReader({ connection, names, clock, note })
    return reading
  }
  const lateReader: LogReader = {
    head: async () => reader().head(),
    read: async after => reader().read(after),
    outcome: async outcome => reader().outcome(outcome),
    async follow(after, take, signal) {
      while (!member.connection() && !signal.aborted) await pause(clock, CONNECTED_LOOK_MS, signal)
      if (!signal.aborted) await reader().follow(after, take, signal)
    },
  }
  const log = createSharedLog({ reader: lateReader, clock, note })

  const member: FleetMember = createFleetMember(
    {
      ...options,
      instance,
      connectNats: network?.connectNats,
      process: network?.process ?? thisFleetProcess(),
      hasEnded: network?.hasEnded ?? hasEnded,
      async list(call) {
        const { devices } = await options.links().list(call)
        return devices
      },
      open: (serial, call) => options.links().get(serial, call),
      keyOf: (link, call) => deviceOwnershipKey(link, options.leaseBy, call),
    },
    {
      async judge(connection) {
        const checks = await inspectServers({ connection, names, self: host, clock, monitors: options.monitors })
        const passing = checks.find(({ isPassing }) => isPassing)
        if (passing) throw new Error(passing.message)
        const warned = checks.filter(({ level }) => level === 'warn')
        for (const check of warned) note(`fleet: ${sentenceOf(check)}`)
        return checks.filter(({ level }) => level === 'unsafe').map(sentenceOf)
      },
      askOwner: (owner, phone) => questions.ask(owner, phone),
      inFlight: () => inFlight,
      lag,
      logHead: () => Math.max(mirror?.sequence() ?? 0, messageOfPosition(log.position())),
      async start({ connection }) {
        const through = createExchange({ connection, names, self: host, clock })
        exchange = through
        const inbound = createInbound({ ask: () => ask, journal: journal(), clock })
        const isQuestion = ({ path }: { path: string }) => path === QUESTION_PATH
        const handle: Handle = (request, tools) => (isQuestion(request) ? questions.handle : inbound)(request, tools)
        const serving = through.serve(instance, counted(handle))
        const mirroring = startMirror({
          connection,
          names,
          host,
          journal: journal(),
          clock,
          note,
          outcomeOf: record => options.outcomeOf(journal(), record),
        })
        mirror = mirroring
        return async () => {
          await serving.close()
          through.close()
          await mirroring.close()
        }
      },
    },
  )
  const fleet = createFleet({
    member,
    names,
    clock,
    ids,
    exchange: () => exchange,
    async mirrored(executionId) {
      const connection = member.connection()
      return connection ? lookupReceipt(connection, names, executionId) : undefined
    },
    lag,
  })
  const { ownedSerial } = member
  const questions = createPhoneQuestions({ forward: fleet.forward, ownedSerial, learner: options.learner })
  return {
    member,
    log,
    fleet,
    answerBy(own) {
      ask = own
    },
    async settle({ graceMs }) {
      const until = clock.now() + graceMs
      while (inFlight > 0 && clock.now() < until) await pause(clock, SETTLED_LOOK_MS)
    },
    close: () => member.close(),
  }
}
