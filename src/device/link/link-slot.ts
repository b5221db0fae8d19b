/** The one link of one device: opened by the first who asks, shared by all, opened again after a pause when it is lost. */
import { setMaxListeners } from 'node:events'
import type { DeviceRecord } from '../../contracts/device/device.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { AuthListener, AuthStage } from './adb-key.ts'
import { bounded } from './bounded.ts'
import { type CallOptions, type Link, LinkError } from './link.ts'
import type { LinkLimits } from './link-limits.ts'
import type { Transport } from './transport.ts'

const pauseAfter = (failures: number, limits: Pick<LinkLimits, 'firstPauseMs' | 'lastPauseMs'>): number =>
  failures === 0 ? 0 : Math.min(limits.lastPauseMs, limits.firstPauseMs * 2 ** (failures - 1))

export interface OpenedLink {
  link: Link
  transport: Transport
  /** The state that the device reports: `device`, `recovery`, ... */
  state: string
}

interface SlotOptions {
  serial: string
  clock: Clock
  limits: Pick<LinkLimits, 'firstPauseMs' | 'lastPauseMs' | 'stableMs'>
  /** Ends by itself. */
  open(stop: AbortSignal, onStage: AuthListener): Promise<OpenedLink>
}

export interface Attempt {
  readonly opened: Promise<OpenedLink>
  readonly since: number
  /** Resolves once a person has to decide; never when none has to. */
  readonly offered: Promise<void>
  /** True when the device has asked who we are and has not accepted us yet. */
  isAsked(): boolean
}

export interface LinkSlot {
  /**
   * The link. During the pause after a failure, a call whose deadline lies behind the pause waits for its end and a new
   * attempt; any other fails at once with the last error.
   */
  get(options: CallOptions): Promise<Link>
  current(): OpenedLink | undefined
  /** The attempt under way, or a new one; the last error while there is a pause. */
  attempt(): Attempt | LinkError
  close(): Promise<void>
}

const unauthorized = (serial: string) =>
  new LinkError('DEVICE_UNAUTHORIZED', `device ${serial} has not allowed this host to debug it yet`)

const asLinkError = (error: unknown, serial: string) =>
  error instanceof LinkError ? error : new LinkError('DEVICE_OFFLINE', `device ${serial}: ${error}`, { cause: error })

export const createLinkSlot = ({ serial, clock, limits, open }: SlotOptions): LinkSlot => {
  const closing = new AbortController()
  // Every caller that waits for the opening listens for it.
  setMaxListeners(0, closing.signal)
  let current: OpenedLink | undefined
  let running: Attempt | undefined
  let failures = 0
  let rest: { until: number; error: LinkError } | undefined

  const fail = (cause: unknown): LinkError => {
    const error = asLinkError(cause, serial)
    failures += 1
    rest = { until: clock.elapsed() + pauseAfter(failures, limits), error }
    return error
  }

  const keep = (opened: OpenedLink) => {
    const since = clock.elapsed()
    current = opened
    rest = undefined
    opened.transport.lost.addEventListener('abort', () => {
      current = undefined
      // A device that comes and goes is left alone for longer each time; one that stayed starts anew at once.
      if (clock.elapsed() - since < limits.stableMs) fail(opened.transport.lost.reason)
      else failures = 0
    })
  }

  const begin = (): Attempt => {
    let isAsked = false
    let offer: () => void = () => {}
    const offered = new Promise<void>(resolve => {
      offer = resolve
    })
    const onStage = (stage: AuthStage) => {
      isAsked = true
      if (stage === 'offered') offer()
    }
    const opened = open(closing.signal, onStage).then(
      async result => {
        running = undefined
        if (closing.signal.aborted) {
          await result.transport.close()
          throw closing.signal.reason
        }
        if (result.transport.lost.aborted) throw fail(result.transport.lost.reason)
        keep(result)
        return result
      },
      (error: unknown) => {
        running = undefined
        throw fail(error)
      },
    )
    // The caller may have gone.
    opened.catch(() => {})
    running = { opened, since: clock.now(), offered, isAsked: () => isAsked }
    return running
  }

  /** How long it still is; undefined when there is none. */
  const restMs = () => (rest && clock.elapsed() < rest.until ? rest.until - clock.elapsed() : undefined)

  const attempt = (): Attempt | LinkError => running ?? (restMs() !== undefined && rest ? rest.error : begin())

  const get = async (options: CallOptions): Promise<Link> => {
    for (;;) {
      if (closing.signal.aborted) throw closing.signal.reason
      if (current) return current.link
      const found = attempt()
      const bounds = { clock, what: `opening device ${serial}`, lost: closing.signal, ...options }
      if (found instanceof LinkError) {
        const ms = restMs()
        if (ms === undefined) continue
        if (options.deadline <= clock.now() + ms) throw found
        await bounded(bounds, stop => pause(clock, ms, stop))
      } else {
        const timeout = () =>
          found.isAsked() ? unauthorized(serial) : new LinkError('LINK_TIMEOUT', `${bounds.what} took too long`)
        return (await bounded({ ...bounds, timeout }, () => found.opened)).link
      }
    }
  }

  return {
    get,
    current: () => current,
    attempt,
    async close() {
      closing.abort(new LinkError('LINK_CANCELLED', 'the links were closed'))
      await current?.transport.close()
      await running?.opened.catch(() => {})
    },
  }
}

export interface Listing {
  devices: DeviceRecord[]
  /** Set when the adb server failed and only the devices that need none are listed. */
  problem?: LinkError
}

const STATES: Partial<Record<LinkError['code'], string>> = { DEVICE_UNAUTHORIZED: 'unauthorized' }
const OFFLINE = 'offline'
const UNAUTHORIZED = 'unauthorized'

const stateOfError = (error: unknown) => (error instanceof LinkError ? STATES[error.code] : undefined) ?? OFFLINE

export interface ProbeOptions extends CallOptions {
  clock: Clock
  limits: Pick<LinkLimits, 'probeMs' | 'authorizingGraceMs'>
}

/** Opening the link is the question, and the link is kept: the next execution finds it open. */
export const stateOf = async (slot: LinkSlot, { clock, limits, ...call }: ProbeOptions): Promise<string> => {
  const open = slot.current()
  if (open) return open.state
  const attempt = slot.attempt()
  if (attempt instanceof LinkError) return stateOfError(attempt)
  const unanswered = () => (attempt.isAsked() ? UNAUTHORIZED : OFFLINE)
  const undecided = async (stop: AbortSignal) => {
    await attempt.offered
    await pause(clock, limits.authorizingGraceMs, stop)
    return UNAUTHORIZED
  }
  const deadline = Math.min(call.deadline, attempt.since + limits.probeMs)
  if (deadline <= clock.now()) return unanswered()
  const bounds = { clock, what: 'probing a device', ...call, deadline }
  try {
    return await bounded(bounds, stop => Promise.race([attempt.opened.then(({ state }) => state), undecided(stop)]))
  } catch (error) {
    if (error instanceof LinkError && error.code === 'LINK_CANCELLED') throw error
    return error instanceof LinkError && error.code === 'LINK_TIMEOUT' ? unanswered() : stateOfError(error)
  }
}

/** The devices of the server, or why there are none. Without a server there is nothing wrong when others are configured. */
export const fromServer = async (ask: () => Promise<DeviceRecord[]>, hasOthers: boolean): Promise<Listing> => {
  try {
    return { devices: await ask() }
  } catch (error) {
    if (!hasOthers || !(error instanceof LinkError)) throw error
    if (error.code === 'ADB_NOT_FOUND') return { devices: [] }
    if (error.code === 'ADB_SERVER_FAILED') return { devices: [], problem: error }
    throw error
  }
}
