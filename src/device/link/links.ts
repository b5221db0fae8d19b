/** All links of this process: which devices there are, and one cached link for each. */
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import {
  addressText,
  type ServerAddress,
  serverAddress,
  type TcpDevice,
  tcpDevices,
} from '../../contracts/device/addresses.ts'
import type { DeviceRecord } from '../../contracts/device/device.ts'
import type { Clock } from '../../runtime/clock.ts'
import { userHome } from '../../runtime/home.ts'
import { type AuthListener, createKeyring } from './adb-key.ts'
import { type AdbProgram, findAdb } from './adb-program.ts'
import { createAdbServer } from './adb-server.ts'
import { bounded } from './bounded.ts'
import { createDeviceLink } from './device-link.ts'
import { openDirectTransport } from './direct-transport.ts'
import { createServerForwards, type ServerForwards } from './forwards/server-forwards.ts'
import { createKnownDevices } from './known-devices.ts'
import { type CallOptions, type Link, LinkError } from './link.ts'
import { LINK_LIMITS, type LinkLimits } from './link-limits.ts'
import { createLinkSlot, fromServer, type LinkSlot, type Listing, type OpenedLink, stateOf } from './link-slot.ts'
import { openServerTransport } from './server-transport.ts'
import { createWireless, type Wireless } from './wireless.ts'

export interface LinksOptions {
  clock: Clock
  server: ServerAddress
  program: AdbProgram
  /** Spoken to directly, unless the adb server has them. */
  tcpDevices: readonly TcpDevice[]
  /** `~/.android/adbkey` */
  keyPath: string
  limits?: Partial<LinkLimits>
}

/** Where devices are looked for. */
export interface LinkWays {
  /** True when there is an adb program; its path is for nobody but this host. */
  program: boolean
  /** The address of the adb server. */
  server: string
  /** The serials that SVC_TCP_DEVICES names. */
  tcpDevices: readonly string[]
}

/** Requests to the adb server that are for no link. */
export type ServerRequests = Wireless & { forwards: ServerForwards }

export interface Links {
  /** Undefined for links of a simulated world. */
  server?(): ServerRequests | undefined
  /** Undefined for links of a simulated world. */
  ways?(): LinkWays | undefined
  /** Asked anew each time. Rejects with ADB_NOT_FOUND or ADB_SERVER_FAILED, since neither is an empty listing. */
  list(options: CallOptions): Promise<Listing>
  /** The listing without asking the adb server; undefined where that is not certain, and before `track`. */
  known(options: CallOptions): Promise<Listing | undefined>
  /** Has the adb server tell of changes from the next listing on, until `close`. For processes that live long. */
  track(): void
  /** The open link of a device, opened when there is none. `options` end the waiting, not the opening that others share. */
  get(serial: string, options: CallOptions): Promise<Link>
  /** The link that is open now, if any: a device that holds one is there and ready. */
  current(serial: string): Link | undefined
  /** The state of a device that is spoken to directly, opened if need be; undefined for any other. */
  probe(serial: string, options: CallOptions): Promise<string | undefined>
  /** Closes every link, one after the other. Nothing opens afterwards. */
  close(): Promise<void>
}

/** Only a device that presents itself as one; the adb server gives out links to others too. */
const DEVICE = 'device'

/** Finds devices and opens links to them, by whichever way. */
export interface DeviceSource {
  ways?(): LinkWays
  readonly server?: ServerRequests
  /** The devices that are known without opening a link. */
  listed(options: CallOptions): Promise<Listing>
  /** The same where it is certain without asking, from the listing after `track` on. */
  known?(): Promise<Listing | undefined>
  track?(): void
  /** Serials that are known to no server: to open their link is to ask for their state. */
  readonly direct: readonly string[]
  /** Opens one link; ends by itself. */
  open(serial: string, stop: AbortSignal, onStage: AuthListener): Promise<OpenedLink>
  close?(): Promise<void>
}

interface LinksOver {
  clock: Clock
  limits?: LinksOptions['limits'] | undefined
  source: DeviceSource
}

export const linksOver = ({ clock, source, ...options }: LinksOver): Links => {
  const limits = { ...LINK_LIMITS, ...options.limits }
  const slots = new Map<string, LinkSlot>()
  const closing = new AbortController()

  const slotOf = (serial: string): LinkSlot => {
    const open = (stop: AbortSignal, onStage: AuthListener) => source.open(serial, stop, onStage)
    const slot = slots.get(serial) ?? createLinkSlot({ serial, clock, limits, open })
    slots.set(serial, slot)
    return slot
  }

  const withDirect = async (listing: Listing, call: CallOptions): Promise<Listing> => {
    const listed = new Set(listing.devices.map(({ serial }) => serial))
    const others = source.direct.filter(serial => !listed.has(serial))
    const probed = others.map(async serial => ({
      serial,
      state: await stateOf(slotOf(serial), { clock, limits, ...call }),
    }))
    return { ...listing, devices: [...listing.devices, ...(await Promise.all(probed))] }
  }

  return {
    ways: () => source.ways?.(),
    server: () => source.server,
    async list(call) {
      if (closing.signal.aborted) throw closing.signal.reason
      // Every device that is probed listens for it.
      if (call.signal) setMaxListeners(0, call.signal)
      return withDirect(await source.listed(call), call)
    },
    async known(call) {
      if (closing.signal.aborted) throw closing.signal.reason
      if (call.signal) setMaxListeners(0, call.signal)
      const listing = await source.known?.()
      return listing && withDirect(listing, call)
    },
    track: () => source.track?.(),
    async get(serial, call) {
      if (closing.signal.aborted) throw closing.signal.reason
      return slotOf(serial).get(call)
    },
    current(serial) {
      const open = slots.get(serial)?.current()
      return open?.state === DEVICE && !open.link.lost.aborted ? open.link : undefined
    },
    async probe(serial, call) {
      if (!source.direct.includes(serial)) return undefined
      // One device alone may take as long as the call; a listing gives each of many less.
      return stateOf(slotOf(serial), { clock, limits: { ...limits, probeMs: Number.POSITIVE_INFINITY }, ...call })
    },
    async close() {
      closing.abort(new LinkError('LINK_CANCELLED', 'the links were closed'))
      await source.close?.()
      for (const slot of slots.values()) await slot.close()
    },
  }
}

/** The devices of the adb server, and those that are spoken to directly. */
const bridgeSource = (options: LinksOptions): DeviceSource => {
  const { clock } = options
  const limits = { ...LINK_LIMITS, ...options.limits }
  const server = createAdbServer({ clock, address: options.server, program: options.program, limits })
  const known = createKnownDevices({ clock, server, limits })
  const keyring = createKeyring(options.keyPath)
  const direct = new Map(options.tcpDevices.map(device => [device.serial, device]))

  const overServer = async (serial: string, stop: AbortSignal): Promise<OpenedLink> => {
    const deadline = clock.now() + limits.openMs
    const timeout = () => new LinkError('ADB_SERVER_FAILED', `the adb server does not answer about device ${serial}`)
    const bounds = { clock, what: `opening device ${serial}`, deadline, signal: stop, timeout }
    const transport = await bounded(bounds, until => openServerTransport({ server, serial, clock, limits }, until))
    return { link: createDeviceLink(serial, transport, clock), transport, state: DEVICE }
  }

  const overTcp = async ({ serial, address }: TcpDevice, stop: AbortSignal, onStage: AuthListener) => {
    if (!address) throw new LinkError('DEVICE_OFFLINE', `${serial} is not a valid host:port`)
    const transport = await openDirectTransport({ serial, address, keyring, clock, limits, onStage }, stop)
    return { link: createDeviceLink(serial, transport, clock), transport, state: transport.state }
  }

  /** The server wins when both have a device; it is not started to find that out. */
  const isOnServer = async (serial: string, stop: AbortSignal): Promise<boolean> => {
    const deadline = clock.now() + limits.serverAsideMs
    const listed = await server.devices({ start: false, deadline, signal: stop }).catch((): DeviceRecord[] => [])
    return listed.some(device => device.serial === serial)
  }

  return {
    ways: () => ({
      program: options.program.path !== undefined,
      server: addressText(options.server),
      tcpDevices: [...direct.keys()],
    }),
    server: { ...createWireless({ clock, server }), forwards: createServerForwards({ clock, server }) },
    direct: [...direct.keys()],
    listed: call => fromServer(() => known.ask(() => server.devices({ ...call, start: true })), direct.size > 0),
    async known() {
      const devices = known.current()
      // Without other devices, a server that is of no use is asked again each time.
      if (!devices || (devices instanceof LinkError && direct.size === 0)) return undefined
      return fromServer(async () => {
        if (devices instanceof LinkError) throw devices
        return devices
      }, true)
    },
    track: known.keep,
    close: known.close,
    async open(serial, stop, onStage) {
      const tcp = direct.get(serial)
      return tcp && !(await isOnServer(serial, stop)) ? overTcp(tcp, stop, onStage) : overServer(serial, stop)
    },
  }
}

export const createLinks = (options: LinksOptions): Links =>
  linksOver({ clock: options.clock, limits: options.limits, source: bridgeSource(options) })

interface LinksFrom {
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
}

export const linksFrom = ({ env, clock }: LinksFrom): Links =>
  createLinks({
    clock,
    server: serverAddress(env),
    program: { path: findAdb(env), env },
    tcpDevices: tcpDevices(env.SVC_TCP_DEVICES),
    keyPath: join(userHome(env), '.android', 'adbkey'),
  })
