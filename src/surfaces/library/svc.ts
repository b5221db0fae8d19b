/** A connection to svc: phones, reservations, streams, receipts, skills, test runs, and every other request. */
import type { Clock } from '../../runtime/clock.ts'
import { type Ask, createAsk, followed } from './ask.ts'
import type { Door } from './door.ts'
import type { Executor } from './execution.ts'
import type { AppsQuery, FilesQuery, Requests } from './generated/shapes.ts'
import { createLease, type Lease, type LeaseOptions } from './lease.ts'
import { type AskOptions, checkOptions } from './options.ts'
import { createPhone, type Phone } from './phone.ts'
import { createReceipts, type Receipts } from './receipts.ts'
import { createSkills, createTestRuns, type Skills, type TestRuns } from './runs.ts'
import {
  type FollowedLine,
  followLogs,
  followTransitions,
  type LogsOptions,
  type Stream,
  type Transition,
  type TransitionsOptions,
} from './streams.ts'
import { SvcError } from './svc-error.ts'

type Answer<Id extends keyof Requests> = Requests[Id]['answer']

export interface DeviceOptions {
  /** Carries the actions out: `svc.shell`, `svc.uiautomator` or an app of yours. */
  operatorPackage?: string | undefined
}

export interface Svc extends AsyncDisposable {
  /** The phone with this serial; without one, the device of `connect`, else the only phone there is. */
  device(deviceId?: string, options?: DeviceOptions): Phone
  /** Reserves a phone by its serial, in a fleet also by `any:<labels>`. */
  lease(device: string, options: LeaseOptions & DeviceOptions): Promise<Lease>
  /** The transitions of all actors as they happen, without gap or double. */
  transitions(options?: TransitionsOptions): Stream<Transition>
  /** The log of a phone as it grows, without gap or double. */
  logs(deviceId: string, options?: LogsOptions): Stream<FollowedLine>
  readonly receipts: Receipts
  readonly skills: Skills
  readonly test: TestRuns
  readonly devices: {
    list(options?: AskOptions): Promise<Answer<'devices.list'>['devices']>
    get(deviceId: string, options?: AskOptions): Promise<Answer<'devices.get'>['device']>
  }
  readonly apps: {
    list(deviceId: string, query?: AppsQuery, options?: AskOptions): Promise<Answer<'apps.list'>['apps']>
    get(deviceId: string, applicationId: string, options?: AskOptions): Promise<Answer<'apps.get'>['app']>
  }
  readonly files: {
    list(deviceId: string, query: FilesQuery, options?: AskOptions): Promise<Answer<'files.list'>>
  }
  readonly settings: {
    get(deviceId: string, options?: AskOptions): Promise<Answer<'settings.get'>['settings']>
  }
  /** Any request, by its name in docs/http.md. */
  request<Id extends keyof Requests>(
    id: Id,
    input: Requests[Id]['input'],
    options?: AskOptions,
  ): Promise<Requests[Id]['answer']>
  /** Ends the streams and releases the reservations of this connection; calls that are under way go on. So does the daemon. */
  close(): Promise<void>
}

/** @internal */
export interface SvcOptions {
  door: Door
  clock: Clock
  memory: Executor['memory']
  device: string | undefined
  operatorPackage: string | undefined
}

const closedError = () =>
  new SvcError({
    code: 'USAGE',
    message: 'The connection is closed.',
    hint: 'Make another one with connect().',
    dispatched: false,
  })

/** @internal */
export const createSvc = ({ door, clock, memory, device, operatorPackage }: SvcOptions): Svc => {
  const closing = new AbortController()
  const leases = new Set<Lease>()
  const reserving = new Set<Promise<Lease>>()
  const always = createAsk(door, clock)
  const checkOpen = () => {
    if (closing.signal.aborted) throw closedError()
  }
  const ask: Ask = async (id, input, options) => {
    if (!options?.isContinued) checkOpen()
    return always(id, input, options)
  }
  const executor: Executor = { door, clock, ask, memory, checkOpen }
  const streaming = { door, clock, closed: closing.signal }

  const close = async () => {
    closing.abort()
    await Promise.allSettled(reserving)
    const released = await Promise.allSettled([...leases].map(lease => lease.release()))
    const failed = released.find(each => each.status === 'rejected')
    if (failed) throw failed.reason
  }
  return {
    device: (deviceId = device, options = {}) =>
      createPhone(executor, { deviceId, operatorPackage: options.operatorPackage ?? operatorPackage }),
    async lease(query, leaseOptions) {
      checkOptions(leaseOptions)
      checkOpen()
      const { operatorPackage: chosenPackage = operatorPackage, ...options } = leaseOptions
      const { controller: leaving, release } = followed(options.signal)
      const leave = () => leaving.abort()
      closing.signal.addEventListener('abort', leave, { once: true })
      const target = { device: query, operatorPackage: chosenPackage }
      const made = createLease(executor, target, { ...options, signal: leaving.signal }, leases)
      reserving.add(made)
      try {
        return await made
      } finally {
        reserving.delete(made)
        release()
        closing.signal.removeEventListener('abort', leave)
      }
    },
    transitions: (options = {}) => followTransitions(streaming, options),
    logs: (deviceId, options = {}) => followLogs(streaming, deviceId, options),
    receipts: createReceipts(ask, clock),
    skills: createSkills(ask),
    test: createTestRuns(ask, clock),
    devices: {
      list: async options => (await ask('devices.list', {}, options)).devices,
      get: async (deviceId, options) => (await ask('devices.get', { deviceId }, options)).device,
    },
    apps: {
      list: async (deviceId, query = {}, options) => (await ask('apps.list', { deviceId, ...query }, options)).apps,
      get: async (deviceId, applicationId, options) =>
        (await ask('apps.get', { deviceId, applicationId }, options)).app,
    },
    files: { list: (deviceId, query, options) => ask('files.list', { deviceId, ...query }, options) },
    settings: { get: async (deviceId, options) => (await ask('settings.get', { deviceId }, options)).settings },
    request: (id, input, options) => ask(id, input, options),
    close,
    [Symbol.asyncDispose]: close,
  }
}
