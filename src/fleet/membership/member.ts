/** This host as a member of a fleet: everything it runs while it is one, and what routes ask of it. */
import { FLEET_PROTOCOL, type FleetHostRecord } from '../../contracts/fleet.ts'
import { FLEET_SETTLE_MS } from '../../contracts/limits/fleet-limits.ts'
import { pause } from '../../runtime/clock.ts'
import { standingReservation } from '../../service/reservations/end-expired.ts'
import type { FleetMember, FleetMemberOptions, FleetWork } from '../deps.ts'
import { createDirectory, type Directory, seesPhone } from '../directory.ts'
import { lookupSentList } from '../log/sent-lists.ts'
import { createFence, isOnNetwork } from '../ownership/fence.ts'
import { createPhones, ownershipPorts } from '../ownership/ownership-ports.ts'
import { createPhoneClaims } from '../ownership/phone-claims.ts'
import { bucketStream } from '../permissions.ts'
import { connectFleet, type FleetConnection } from '../servers/connection.ts'
import { createStoreKeeper } from '../servers/store-keeper.ts'
import { createAnnouncer } from './announcer.ts'
import { createFencing, createHostClaimKeeper } from './host-claim.ts'
import { createMembershipActor } from './membership-actor.ts'
import { membershipPorts } from './membership-ports.ts'
import { createPresence, type SeenDevice } from './presence.ts'
import { createRoster } from './roster.ts'
import { createPresenceTeller } from './tell-presence.ts'

const FINISH_LOOK_MS = 100
const END_MS = 3_000

export const createFleetMember = (options: FleetMemberOptions, work: FleetWork): FleetMember => {
  const { address, instance, clock, note, hasEnded } = options
  const { self: host, names } = address
  let connection: FleetConnection | undefined
  let directory: Directory | undefined
  let endWork: (() => Promise<void>) | undefined
  const stopped = new AbortController()
  const startedAt = clock.now()

  const keeper = createStoreKeeper({ connection: () => connection, names, clock, logHead: work.logHead, onAnew })
  const { stores } = keeper
  const owners = () => {
    const opened = stores()
    if (!opened) throw new Error('the buckets of the fleet are not open')
    return opened.owners
  }
  const lease = createHostClaimKeeper({ owners, names, host, instance, process: options.process, hasEnded, clock })
  const fencing = createFencing({ owners, names, host, hasEnded, clock })
  const memberForMs = () => actor.memberForMs()
  const bucketAgeMs = () => keeper.ageMs(bucketStream(names.owners))
  const claims = createPhoneClaims({ owners, names, host, instance, lease, fencing, bucketAgeMs, memberForMs })
  const phones = createPhones(options.host, clock)
  const presence = createPresence(options)

  const actor = createMembershipActor(options, withdraw)
  const { state } = actor
  const isShared = (phone: string) =>
    seesPhone(directory?.hosts() ?? [], host, phone) ||
    telling.seen().some(device => device.phone === phone && isOnNetwork(device.serial))
  const lookup = async (phone: string) => connection && lookupSentList(connection, names, phone)
  const fence = createFence({ host, phones, lease, state, isShared, clock, lookup, askOwner: work.askOwner })
  const isServing = () => state() === 'serving' && lease.isProven()

  const isBusy = ({ phone }: SeenDevice): boolean => {
    if (phone === undefined) return false
    const journal = options.journal()
    if (journal.leases.read(phone) !== undefined) return true
    return standingReservation(phone, { host: options.host(), journal, clock }) !== undefined
  }

  const record = (): FleetHostRecord => ({
    protocol: FLEET_PROTOCOL,
    host,
    instance,
    version: options.version,
    pid: options.process.pid,
    startedAt,
    draining: state() === 'draining' || state() === 'drained',
    ...(state() === 'drained' ? { drained: true } : {}),
    labels: options.labels,
    devices: telling.seen().map(device => {
      const found = device.phone === undefined ? undefined : phones.of(device.phone)
      return { ...device, ...(found?.state === 'owned' ? { epoch: found.epoch } : {}) }
    }),
  })

  const busySerials = () =>
    telling
      .seen()
      .filter(isBusy)
      .map(({ serial }) => serial)
  const announcer = createAnnouncer({ host, names, clock, connection: () => connection, stores })

  /** Servers that came back without what they had stored: it is told again, and claimed again when the lease is. */
  function onAnew(streams: ReadonlySet<string>) {
    note(`fleet: the servers came back without ${[...streams].join(', ')}; this host goes on with new ones`)
    fencing.forgetRevisions()
    claims.forgetRevisions()
    announcer.forgetTold()
    directory?.forgetRevisions()
  }

  const telling = createPresenceTeller({
    ...{ clock, note, presence, phones, announcer, state },
    isUp: () => connection?.isUp() === true,
    record: () => record(),
    beat: () => ({ ...work.lag(), busy: busySerials() }),
  })

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
    const opened = stores()
    if (!connection || !opened || stopped.signal.aborted) return
    const made = await createDirectory({ connection, names, hosts: opened.hosts, owners: opened.owners, clock })
    try {
      endWork = await work.start({ connection, stores: opened, directory: made })
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
    presenceLoop = telling.run(stopped.signal)
    void keeper.watch(stopped.signal)
  }

  const membership = membershipPorts({
    clock,
    note,
    async connect() {
      const made = connection ?? (await connectFleet(address, clock, options.connectNats))
      if (stopped.signal.aborted) await made.close()
      connection = made
      return made
    },
    judge: signal => (connection ? work.judge(connection, signal) : Promise.resolve([])),
    async open() {
      await keeper.open()
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

  let givingBack: Promise<void> | undefined
  const giveBack = () => {
    givingBack ??= (async () => {
      const opened = stores()
      if (!opened || !connection?.isUp()) return
      // With the lease all that was not given back one by one is free, too.
      const wasHeld = await lease.release().catch(() => false)
      // The record of a host that another process speaks for is that one's.
      if (wasHeld) await opened.hosts.delete(host).catch(() => {})
    })()
    return givingBack
  }

  return {
    host,
    instance,
    ended: stopped.signal,
    ports: { membership, ownership: ownershipPorts({ claims: () => claims, journal: options.journal, clock }) },
    fence,
    connection: () => connection,
    stores,
    directory: () => directory,
    state,
    isServing,
    heldSince: phones.heldSince,
    ownedSerial: phone => (fence.epochOf(phone) === undefined ? undefined : phones.of(phone)?.serial),
    knowsDevices: () => telling.hasLooked() && directory?.isRead() === true,
    record,
    roster: createRoster({ host, record, busy: busySerials, directory: () => directory }),
    async join(allowsUnsafe) {
      const refused = await actor.join(allowsUnsafe)
      if (refused || actor.state() === 'joining') return refused
      // Waits a moment, so that the first request finds the other hosts.
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
      await telling.tellNow()
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
