/** Where requests of scripts may go, judged by the address that a connection is made to: names, redirects and ways of writing change nothing. */
import { lookup } from 'node:dns'
import { BlockList, connect as connectTcp, isIP, isIPv4, type LookupFunction, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { connect as connectTls } from 'node:tls'

export interface Reach {
  /** Ports of this machine on which svc itself listens. */
  readonly closedPorts: () => readonly number[]
  /** This machine and its link are open, as far as these ports allow. */
  readonly isLocalOpen: () => boolean
}

/** For callers who can reach everything anyhow. */
export const OPEN_REACH: Reach = { closedPorts: () => [], isLocalOpen: () => true }

const LOCAL = new BlockList()
LOCAL.addSubnet('0.0.0.0', 8)
LOCAL.addSubnet('127.0.0.0', 8)
LOCAL.addAddress('::', 'ipv6')
LOCAL.addAddress('::1', 'ipv6')
const LINK = new BlockList()
LINK.addSubnet('169.254.0.0', 16)
LINK.addSubnet('fe80::', 10, 'ipv6')

/** IPv4 in IPv6: mapped, compatible, and behind NAT64. */
const EMBEDDED = /^(?:::ffff:(?:0:)?|::|64:ff9b::)(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/

/** An address as URL parsers write it, and the IPv4 address in it. */
const plain = (address: string): string => {
  const [bare = ''] = address.split('%')
  if (isIPv4(bare)) return bare
  const written = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const [, dotted, high, low] = EMBEDDED.exec(written) ?? []
  if (dotted !== undefined) return dotted
  if (high === undefined || low === undefined) return written
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

const isIn = (list: BlockList, address: string) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')

const isOfThisMachine = (address: string): boolean =>
  isIn(LOCAL, address) ||
  Object.values(networkInterfaces()).some(all => all?.some(each => plain(each.address) === address))

const SVC_ITSELF = 'svc itself listens there, and scripts of flows may not use it'
const LOCAL_DENIED =
  'this caller may not reach this machine or its link by a script: a rule of the policy with effect allow that names flow_http permits it'

/** Undefined for an address that may be reached. */
export const unreachable = (address: string, port: number, reach: Reach): string | undefined => {
  const plainAddress = plain(address)
  const isHere = isOfThisMachine(plainAddress)
  if (isHere && reach.closedPorts().includes(port)) return SVC_ITSELF
  return (isHere || isIn(LINK, plainAddress)) && !reach.isLocalOpen() ? LOCAL_DENIED : undefined
}

interface Target {
  readonly hostname: string
  readonly port: string
  readonly protocol: string
  readonly servername?: string | undefined
}

type Connector = (target: Target, callback: (error: Error | null, socket: Socket | null) => void) => void

/** Gives only addresses that may be reached; the connection is made to one of them, without another lookup. */
const lookupWithin =
  (port: number, reach: Reach): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const problems = addresses.map(({ address }) => unreachable(address, port, reach))
      const open = addresses.filter((_, at) => problems[at] === undefined)
      const problem = problems.find(each => each !== undefined)
      if (open.length === 0 && problem !== undefined) return callback(new Error(problem), [])
      const [first] = open
      return options.all === true ? callback(null, open) : callback(null, first?.address ?? '', first?.family)
    })

export const connectorWithin =
  (reach: Reach): Connector =>
  ({ hostname, port, protocol, servername }, callback) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const isTls = protocol === 'https:'
    const number = Number(port) || (isTls ? 443 : 80)
    const problem = isIP(host) > 0 ? unreachable(host, number, reach) : undefined
    if (problem !== undefined) return callback(new Error(problem), null)
    const to = { host, port: number, lookup: lookupWithin(number, reach), autoSelectFamily: true }
    const name = servername || (isIP(host) > 0 ? undefined : host)
    const socket = isTls
      ? connectTls({ ...to, ALPNProtocols: ['http/1.1'], ...(name === undefined ? {} : { servername: name }) })
      : connectTcp(to)
    socket.once(isTls ? 'secureConnect' : 'connect', () => callback(null, socket))
    socket.once('error', error => callback(error, null))
  }

/** One request on its way, as `fetch` hands it over; a redirect is another one. */
interface Hop {
  readonly method: string
  readonly origin: string | URL
  readonly path: string
}

/** `fetch` takes it, and its types do not know it. */
export interface Dispatcher {
  dispatch(hop: Hop, handler: unknown): boolean
}

/** `fetch` by itself repeats a request that a server answers with 421, which may have been obeyed all the same. */
export const sendingOnce = (dispatcher: Dispatcher): Dispatcher => {
  const sent = new Set<string>()
  return {
    dispatch(hop, handler) {
      const name = `${hop.method} ${hop.origin}${hop.path}`
      if (sent.has(name)) throw new Error('the server asks for the same request again, and svc sends a request once')
      sent.add(name)
      return dispatcher.dispatch(hop, handler)
    },
  }
}

/** The dispatcher of `fetch` is found where Node keeps it; its class is not exported. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

/** Throws where this version of Node keeps it elsewhere: then no script makes a request. */
export const dispatcherWithin = (reach: Reach): Dispatcher => {
  // Node loads it with the first of these.
  new Headers()
  const known = (globalThis as unknown as Record<symbol, object | undefined>)[DISPATCHER]
  const Agent = known?.constructor as (new (options: { connect: Connector }) => Dispatcher) | undefined
  if (Agent === undefined) throw new Error(`Node ${process.version} does not let svc check where requests go.`)
  return new Agent({ connect: connectorWithin(reach) })
}
