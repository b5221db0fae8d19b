/** This host as a member of a fleet: everything it runs while it is one, and what routes ask of it. */
import type { ErrorObject } from '../contracts/error.ts'
import type { Fence } from '../contracts/fence.ts'
import { FLEET_PROTOCOL, type FleetHostRecord } from '../contracts/fleet.ts'
import { FLEET_SETTLE_MS, PRESENCE_MS } from '../contracts/fleet-limits.ts'
import { pause } from '../runtime/clock.ts'
import { messageOf } from '../runtime/message-of.ts'
import { createAnnouncer } from './announcer.ts'
import { connectFleet, type FleetConnection } from './connection.ts'
import type { FleetMemberOptions, FleetWork } from './deps.ts'
import { createDirectory, type Directory, seesPhone } from './directory.ts'
import { createFence, isOnNetwork } from './fence.ts'
import { createFencing, createHostLease } from './host-lease.ts'
import { createMembershipActor } from './membership-actor.ts'
import { membershipPorts } from './membership-ports.ts'
import { createPhones, ownershipPorts } from './ownership-ports.ts'
import { createPhoneClaims } from './phone-claims.ts'
import { createPresence, type SeenDevice } from './presence.ts'
import { createRoster, type Roster } from './roster.ts'
import { openStores, type Stores } from './stores.ts'
import { hasEnded, thisFleetProcess } from './this-process.ts'

export interface FleetMember {
  ports: {
    membership: ReturnType<typeof membershipPorts>
    ownership: ReturnType<typeof ownershipPorts>
  }
  fence: Fence
  /** Resolves once it is a member or the servers do not answer yet; an error when it may not be one. */
  join(allowsUnsafe: boolean): Promise<ErrorObject | undefined>
  /** Begins to give everything back; `close` waits for it. */
  leave(): Promise<void>
  drain(): Promise<void>
  close(): Promise<void>
  readonly host: string
  readonly instance: string
  /** Undefined until the servers were reached. */
  connection(): FleetConnection | undefined
  stores(): Stores | undefined
  directory(): Directory | undefined
  /** `joining`, `serving`, `draining`, ... as the chart has it. */
  state(): string
  /** Whether requests of the fleet are taken. */
  isServing(): boolean
  /** Whether it has looked at what is connected here, and read what the other hosts say of themselves. */
  knowsDevices(): boolean
  /** The devices of all hosts, up to date when it is asked for. */
  roster(): Roster
  /** What the others are told of this host. */
  record(): FleetHostRecord
}

const FINISH_LOOK_MS = 100
const END_MS = 3_000

export const createFleetMember = (options: FleetMemberOptions, work: FleetWork): FleetMember => {
  const { address, instance, clock, note } = options
  const { self: host, names } = address
  let connection: FleetConnection | undefined
  let stores: Stores | undefined
  let directory: Directory | undefined
  let endWork: (() => Promise<void>) | undefined
  let seen: SeenDevice[] = []
  const stopped = new AbortController()
  const startedAt = clock.now()

  const owners = () => {
    if (!stores) throw new Error('the buckets of the fleet are not open')
    return stores.owners
  }
  const lease = createHostLease({ owners, names, host, instance, process: thisFleetProcess(), hasEnded, clock })
  const fencing = createFencing({ owners, names, host, hasEnded, clock })
  const claims = createPhoneClaims({ owners, names, host, instance, lease, fencing })
  const phones = createPhones(options.host)
  const presence = createPresence(options)

  const actor = createMembershipActor(options, withdraw)
  const { state } = actor
  const isShared = (phone: string) =>
    seesPhone(directory?.hosts() ?? [], host, phone) ||
    seen.some(device => device.phone === phone && isOnNetwork(device.serial))
  const isServing = () => state() === 'serving' && lease.isProven()

  const isBusy = ({ phone }: SeenDevice): boolean => {
    if (phone === undefined) return false
    return options.journal().leases.read(phone) !== undefined
  }

  const record = (): FleetHostRecord => ({
    protocol: FLEET_PROTOCOL,
    host,
    instance,
    version: options.version,
    pid: process.pid,
    startedAt,
    draining: state() === 'draining' || state() === 'drained',
    ...(state() === 'drained' ? { drained: true } : {}),
    labels: options.labels,
    devices: seen.map(device => {
      const found = device.phone === undefined ? undefined : phones.of(device.phone)
      return { ...device, ...(found?.state === 'owned' ? { epoch: found.epoch } : {}) }
    }),
  })

  const busySerials = () => seen.filter(isBusy).map(({ serial }) => serial)
  const announcer = createAnnouncer({ host, names, clock, connection: () => connection, stores: () => stores })

  let hasLooked = false
  let problem = ''
  const sayOnce = (said: string) => {
    if (said !== problem && said !== '') note(said)
    problem = said
  }
  /** What was connected counts until the debug bridge says something else. */
  const lookAround = async () => {
    try {
      seen = await presence.look()
      sayOnce('')
    } catch (error) {
      sayOnce(`fleet: the devices of this host cannot be listed: ${messageOf(error)}`)
    }
    hasLooked = true
  }

  /** Looks what is connected, asks for what is, and tells the others, until the host leaves. */
  const tellPresence = async () => {
    while (!stopped.signal.aborted) {
      try {
        await lookAround()
        const isOpen = state() === 'serving'
        const owned = isOpen
          ? seen.flatMap(({ phone, serial }) => (phone === undefined ? [] : [[phone, serial] as const]))
          : []
        // Cut off, it keeps what it had: whether it is lost is decided when the servers answer again.
        if (isOpen || state() === 'drained') await phones.see(new Map(owned))
        await announcer.tell(record(), { ...work.lag(), busy: busySerials() })
      } catch (error) {
        if (connection?.isUp()) sayOnce(`fleet: the others were not told what is connected: ${messageOf(error)}`)
      }
      await pause(clock, PRESENCE_MS, stopped.signal)
    }
  }

  let begun: Promise<void> | undefined
  let presenceLoop: Promise<void> | undefined
  const begin = async (epoch: number) => {
    await phones.tellAll(() => ({ type: 'lease.proven', epoch }))
    begun ??= start()
    try {
      await begun
    } catch (error) {
      // With the next lease it is begun anew.
      begun = undefined
      throw error
    }
  }
  const start = async () => {
    if (!connection || !stores || stopped.signal.aborted) return
    const made = await createDirectory({ connection, names, hosts: stores.hosts, owners: stores.owners, clock })
    try {
      endWork = await work.start({ connection, stores, directory: made })
    } catch (error) {
      made.close()
      throw error
    }
    directory = made
    // Left meanwhile: nobody else ends what has only just begun.
    if (stopped.signal.aborted) {
      made.close()
      await endWork().catch(() => {})
      return
    }
    presenceLoop = tellPresence()
  }

  const membership = membershipPorts({
    clock,
    note,
    async connect() {
      const made = connection ?? (await connectFleet(address, clock))
      if (stopped.signal.aborted) await made.close()
      connection = made
      return made
    },
    judge: signal => (connection ? work.judge(connection, signal) : Promise.resolve([])),
    async open() {
      if (connection) stores ??= await openStores(connection, names)
    },
    lease: () => lease,
    begin,
    lapse: message => phones.tellAll(phone => ({ type: 'lease.lapsed', message, isShared: isShared(phone) })),
    async finish(signal) {
      while (!signal.aborted && work.inFlight() > 0) await pause(clock, FINISH_LOOK_MS, signal)
      await phones.see(new Map())
      while (!signal.aborted && !phones.isEmpty()) await pause(clock, FINISH_LOOK_MS, signal)
    },
    end,
  })

  async function end() {
    stopped.abort('the host leaves the fleet')
    await presenceLoop
    await endWork?.().catch(() => {})
    endWork = undefined
    await phones.see(new Map())
    const until = clock.elapsed() + END_MS
    while (!phones.isEmpty() && clock.elapsed() < until) await pause(clock, FINISH_LOOK_MS)
    await giveBack()
  }

  /** Another process has the id now: what it tells of the host is true, and nothing that this one would tell. */
  function withdraw() {
    stopped.abort('another process has the id of the host')
    directory?.close()
    void endWork?.()
      .catch(() => {})
      .then(() => connection?.close())
    endWork = undefined
  }

  let given: Promise<void> | undefined
  const giveBack = () => {
    given ??= (async () => {
      if (!stores || !connection?.isUp()) return
      // With the lease all that was not given back one by one is free, too.
      const wasHeld = await lease.release().catch(() => false)
      // The record of a host that another process speaks for is that one's.
      if (wasHeld) await stores.hosts.delete(host).catch(() => {})
    })()
    return given
  }

  return {
    host,
    instance,
    ports: { membership, ownership: ownershipPorts({ claims: () => claims, journal: options.journal, clock }) },
    fence: createFence({ host, phones, lease, state, isShared }),
    connection: () => connection,
    stores: () => stores,
    directory: () => directory,
    state,
    isServing,
    knowsDevices: () => hasLooked && directory?.isRead() === true,
    record,
    roster: createRoster({ host, record, busy: busySerials, directory: () => directory }),
    async join(allowsUnsafe) {
      const refused = await actor.join(allowsUnsafe)
      if (refused || actor.state() === 'joining') return refused
      // For a moment, so that the first request finds the other hosts.
      const waited = new AbortController()
      await Promise.race([begun?.catch(() => {}), pause(clock, FLEET_SETTLE_MS, waited.signal)])
      waited.abort()
      await directory?.settled(FLEET_SETTLE_MS)
      return undefined
    },
    async leave() {
      // Told first: a host that is stopping tells its actors nothing more.
      stopped.abort('the host leaves the fleet')
      await phones.see(new Map())
      await actor.tell({ type: 'leave.requested' })
    },
    async drain() {
      await actor.tell({ type: 'drain.requested' })
    },
    async close() {
      stopped.abort('the host leaves the fleet')
      await endWork?.().catch(() => {})
      await giveBack()
      directory?.close()
      await connection?.close()
    },
  }
}
