/** A command as a client of a fleet: which host it asks, and what it means when none answers. */
import { Kvm } from '@nats-io/kv'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { FLEET_PROTOCOL, type FleetHostRecord } from '../../contracts/fleet.ts'
import { HOST_SILENT_MS } from '../../contracts/limits/fleet-limits.ts'
import type { Outcome } from '../../contracts/outcome.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { HttpAnswer } from '../../service/http-transport.ts'
import { createDirectory, type Directory, type KnownHost } from '../directory.ts'
import { createExchange, type Exchange } from '../exchange/exchange.ts'
import type { Exchanged, Progress } from '../exchange/request.ts'
import { lookupReceipt } from '../log/mirror-receipts.ts'
import { refusalOf } from '../refusals.ts'
import { connectFleet, type FleetAddress, type FleetConnection, isFinal } from './connection.ts'
import { FleetConfigurationError } from './server-urls.ts'

/** No server can be reached, or none has a fleet of this name: nothing was sent. */
export class FleetUnreachableError extends Error {}

export interface ClientRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With its query. */
  path: string
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array
  withinMs: number
  /** The id that the client chose for the execution, if one comes of the request. */
  executionId?: string
  /** Cancels the request. */
  signal?: AbortSignal
  /** Told of each host before it is asked. */
  onAsked?: ((host: string) => void) | undefined
  onProgress?(host: string, progress: Progress): void
}

interface Interruption {
  reason: 'interrupted'
  host: string
}

export type ClientOutcome = Outcome<
  /** `host` has answered, or has passed the answer on. */
  { host: string; answer: HttpAnswer },
  Interruption | { reason: 'absent' },
  (Interruption & { isDispatched: boolean }) | { reason: 'lost'; error: ErrorObject }
>

const ABSENT = { kind: 'not sent', reason: 'absent' } as const

export interface FleetClientOptions {
  address: FleetAddress
  clock: Clock
  ids: Ids
}

const NO_BYTES = new Uint8Array()

const connected = async ({ address, clock }: FleetClientOptions): Promise<FleetConnection> => {
  try {
    return await connectFleet(address, clock)
  } catch (error) {
    if (error instanceof FleetConfigurationError) throw error
    const reason = messageOf(error)
    throw new FleetUnreachableError(
      isFinal(error) ? `its NATS servers do not let this command in: ${reason}` : `no NATS server answers: ${reason}`,
    )
  }
}

const directoryOf = async (connection: FleetConnection, { address, clock }: FleetClientOptions): Promise<Directory> => {
  const { names } = address
  try {
    const kvm = new Kvm(connection.js)
    const [hosts, owners] = [await kvm.open(names.hosts), await kvm.open(names.owners)]
    return await createDirectory({ connection, names, hosts, owners, clock })
  } catch (error) {
    const reason = messageOf(error)
    throw new FleetUnreachableError(
      /stream not found/i.test(reason)
        ? `no host has ever joined the fleet ${names.fleet} on these servers`
        : `the servers do not tell which hosts are in the fleet ${names.fleet}: ${reason}`,
    )
  }
}

/** Rejects with FleetUnreachableError, or with FleetConfigurationError. */
export const openFleetClient = async (options: FleetClientOptions): Promise<FleetClient> => {
  const connection = await connected(options)
  try {
    return createClient(connection, await directoryOf(connection, options), options)
  } catch (error) {
    await connection.close()
    throw error
  }
}

const createClient = (
  connection: FleetConnection,
  directory: Directory,
  { address, clock, ids }: FleetClientOptions,
) => {
  const { names, self } = address
  const exchange: Exchange = createExchange({ connection, names, self, clock })
  const openedAt = clock.elapsed()
  /** Reads the receipt that the fleet keeps, even when the host of the execution does not answer. */
  const mirrored = (executionId: string): Promise<Receipt | undefined> => lookupReceipt(connection, names, executionId)

  /** Nobody has been heard right after joining: then a host counts as gone only when it has had time to say something. */
  const isAlive = (host: string) => clock.elapsed() - openedAt < HOST_SILENT_MS || directory.isAlive(host)

  /** The hosts that have a record, by name. */
  const hosts = (): KnownHost[] => directory.hosts().sort((a, b) => (a.record.host < b.record.host ? -1 : 1))

  /** Hosts heard since the start go before those that were not. */
  const next = (tried: ReadonlySet<string>, first: string | undefined): string | undefined => {
    const left = hosts().filter(({ record }) => record.protocol === FLEET_PROTOCOL && !tried.has(record.host))
    const named = (host: string | undefined) => left.find(({ record }) => record.host === host)
    return (named(first) ?? named(self) ?? left.find(({ heard }) => heard) ?? left[0])?.record.host
  }

  const exchanged = async (
    { record }: { record: FleetHostRecord },
    request: ClientRequest,
    retries = 1,
  ): Promise<Exchanged> => {
    const { host, instance } = record
    const { method, path, headers = {}, body = NO_BYTES, withinMs, signal, onProgress } = request
    const outcome = await exchange.ask(
      host,
      { id: ids.instance(), instance, method, path, headers: { ...headers }, body, withinMs },
      { isAlive: () => isAlive(host), signal, onProgress: progress => onProgress?.(host, progress) },
    )
    if (outcome.kind !== 'not sent' || outcome.reason !== 'other instance' || retries === 0) return outcome
    // The host was started anew, and took nothing of this.
    await directory.refresh(host)
    const now = directory.host(host)
    return now ? exchanged(now, request, retries - 1) : outcome
  }

  const askHost = async (host: string, request: ClientRequest): Promise<ClientOutcome> => {
    const known = directory.host(host)
    if (!known) return ABSENT
    const { executionId, signal, method } = request
    request.onAsked?.(host)
    let isDispatched = false
    const onProgress = (from: string, progress: Progress) => {
      isDispatched ||= progress.dispatched
      request.onProgress?.(from, progress)
    }
    const outcome = await exchanged(known, { ...request, onProgress })
    if (outcome.kind === 'done') return { ...outcome, host: outcome.answer.headers['svc-host'] ?? host }
    if (outcome.kind === 'not sent') return signal?.aborted ? { ...outcome, reason: 'interrupted', host } : ABSENT
    if (signal?.aborted) return { kind: 'unknown', reason: 'interrupted', host, isDispatched }
    // A request that changes nothing can go to the next host.
    if (method === 'GET') return ABSENT
    const error = await refusalOf(outcome, { host, executionId, isDispatched, mirrored })
    return { kind: 'unknown', reason: 'lost', error }
  }

  return {
    /** This process speaks as the host of this machine. */
    self,
    connection,
    names,
    hosts,
    knows: (host: string) => directory.host(host) !== undefined,
    /** The first that takes it: `first`, the host of this machine, then the others by name. */
    async ask(request: ClientRequest, first?: string): Promise<ClientOutcome> {
      const tried = new Set<string>()
      for (let host = next(tried, first); host !== undefined; host = next(tried, first)) {
        tried.add(host)
        const outcome = await askHost(host, request)
        if (outcome.kind !== 'not sent' || outcome.reason !== 'absent') return outcome
      }
      return ABSENT
    },
    /** Lists the host no more; rejects where the servers do not take that. */
    forget: directory.forget,
    mirrored,
    async close() {
      exchange.close()
      directory.close()
      await connection.close()
    },
  }
}

export type FleetClient = ReturnType<typeof createClient>
