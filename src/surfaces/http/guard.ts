/** Section Local HTTP safety: who may talk to this server over TCP. A web page of another origin may not, a stranger needs the token. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import { FLOW_SCRIPT_HEADER } from '../../contracts/doors/headers.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { Headers } from './answer.ts'
import { ANSWER_HEADERS, REQUEST_HEADERS } from './headers.ts'

export interface HostName {
  /** Lower case, IPv6 without brackets. */
  name: string
  port: string
}

const HOST = /^(?:\[([\da-f:.]+)\]|([a-z\d._-]+))(?::(\d{1,5}))?$/i

export const readHost = (header: string): HostName | undefined => {
  const [, v6, name, port = ''] = HOST.exec(header) ?? []
  if (v6 !== undefined) return isIP(v6) === 6 ? { name: v6.toLowerCase(), port } : undefined
  return name === undefined ? undefined : { name: name.toLowerCase(), port }
}

const MAPPED = '::ffff:'

/** An IPv4 address that came over an IPv6 socket, as what it is. */
export const plainAddress = (address: string): string => {
  const lower = address.toLowerCase()
  const rest = lower.startsWith(MAPPED) ? lower.slice(MAPPED.length) : ''
  return isIPv4(rest) ? rest : lower
}

export const isLoopbackAddress = (address: string): boolean => {
  const plain = plainAddress(address)
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}

export const isLoopbackName = (name: string): boolean => name === 'localhost' || isLoopbackAddress(name)

export interface GuardOptions {
  /** The host as it was given: a name or an address. */
  host: string
  port: number
  /** Origins as browsers send them: `https://example.com`. */
  allowOrigins: readonly string[]
  /** Needed by callers from other machines. */
  token: string
}

/** The parts of a request that the guard looks at. */
export interface Caller {
  method: string
  /** The path with its query, as it was sent. */
  target: string
  headers: IncomingHttpHeaders
  /** How often the header Host is there. */
  hosts: number
  /** The caller's address, and the one of ours that it has reached. */
  remoteAddress: string
  localAddress: string
}

export type Admission =
  | { kind: 'pass'; headers: Headers }
  /** Answered here: 204 and these headers. */
  | { kind: 'preflight'; headers: Headers }
  | { kind: 'refused'; error: ErrorObject; headers: Headers }

const FLOW_SCRIPT = FLOW_SCRIPT_HEADER.toLowerCase()

const NONE: Headers = {}
const PASS: Admission = { kind: 'pass', headers: NONE }
const PREFLIGHT_KEPT_S = 600

/** Undefined for a text that is not an origin of a web page. */
export const readOrigin = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return url && isWeb && url.origin === text.toLowerCase().replace(/\/$/, '') ? url.origin : undefined
}

/**
 * A browser cannot send a token with an address. Pages hold no data for callers from elsewhere: they ask for the token
 * themselves, or leave the data out.
 */
const isPage = ({ method, target }: Caller): boolean =>
  (method === 'GET' || method === 'HEAD') && /^\/(inspector(\/files\/[^/]*)?|docs(\/[^/]*)?)?(\?|$)/.test(target)

const refused = (error: ErrorObject, headers = NONE): Admission => ({ kind: 'refused', error, headers })

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares digests, so that the time it takes says nothing about the token, its length included. */
const hasToken = (authorization: string | undefined, token: Buffer): boolean => {
  const bearer = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return bearer !== undefined && timingSafeEqual(digest(bearer), token)
}

const corsHeaders = (origin: string): Headers => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': ANSWER_HEADERS.join(', '),
  Vary: 'Origin',
})

const preflightHeaders = ({ headers }: Caller): Headers => ({
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
  'Access-Control-Allow-Headers': REQUEST_HEADERS.join(', '),
  'Access-Control-Max-Age': `${PREFLIGHT_KEPT_S}`,
  ...(headers['access-control-request-private-network'] === 'true'
    ? { 'Access-Control-Allow-Private-Network': 'true' }
    : {}),
})

export const createGuard = ({ host, port, allowOrigins, token }: GuardOptions) => {
  const bound = host.toLowerCase()
  const allowed = new Set(allowOrigins)
  const tokenDigest = digest(token)

  /** An address that the caller has reached cannot be a name that somebody else made point here. */
  const isOurs = (name: string, localAddress: string) =>
    isLoopbackName(name) || name === bound || plainAddress(name) === plainAddress(localAddress)

  /** The last name that was found to be ours: nearly all requests come under the same one. */
  let known = { header: '', localAddress: '' }

  const isOurHost = (header: string, localAddress: string): boolean => {
    if (header === known.header && localAddress === known.localAddress) return true
    const named = readHost(header)
    if (!named || !isOurs(named.name, localAddress)) return false
    known = { header, localAddress }
    return true
  }

  const hostProblem = ({ headers, hosts, localAddress }: Caller): ErrorObject | undefined => {
    if (hosts === 1 && headers.host !== undefined && isOurHost(headers.host, localAddress)) return undefined
    return failure('FORBIDDEN_HOST', 'The Host header is not an address of this server.', {
      hint: 'Use the address that the server listens on, or start it with svc serve --host <name>.',
    })
  }

  const isOwnOrigin = (origin: string, { headers, localAddress }: Caller): boolean => {
    if (origin === `http://${headers.host}`) return true
    const named = origin.startsWith('http://') ? readHost(origin.slice('http://'.length)) : undefined
    return named !== undefined && Number(named.port || 80) === port && isOurs(named.name, localAddress)
  }

  const forbiddenOrigin = () =>
    refused(
      failure('FORBIDDEN_ORIGIN', 'The request comes from a web page of another origin.', {
        hint: 'Start the server with svc serve --allow-origin <origin> if that page may drive your devices.',
      }),
    )

  const fromFlowScript = () =>
    refused(
      failure('FORBIDDEN_ORIGIN', 'The request comes from a script of a flow, and scripts may not use svc.', {
        hint: 'Use the commands of the flow instead.',
      }),
    )

  const needsToken = (caller: Caller): boolean =>
    !isLoopbackAddress(caller.remoteAddress) && !isPage(caller) && !hasToken(caller.headers.authorization, tokenDigest)

  const unauthorized = (cors: Headers) =>
    refused(
      failure('UNAUTHORIZED', 'Callers from other machines need the token of this server.', {
        hint: 'Send the header Authorization: Bearer <token>; the token was printed when the server started.',
      }),
      { ...cors, 'WWW-Authenticate': 'Bearer' },
    )

  return (caller: Caller): Admission => {
    const { headers, method } = caller
    if (headers[FLOW_SCRIPT] !== undefined) return fromFlowScript()
    const problem = hostProblem(caller)
    if (problem) return refused(problem)
    const { origin } = headers
    if (origin === undefined) {
      if (headers['sec-fetch-site'] === 'cross-site') return forbiddenOrigin()
      return needsToken(caller) ? unauthorized(NONE) : PASS
    }
    const isAllowed = allowed.has(origin)
    if (!isAllowed && (headers['sec-fetch-site'] === 'cross-site' || !isOwnOrigin(origin, caller))) {
      return forbiddenOrigin()
    }
    const cors = isAllowed ? corsHeaders(origin) : NONE
    // A browser sends no credentials with it.
    if (isAllowed && method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) {
      return { kind: 'preflight', headers: { ...cors, ...preflightHeaders(caller) } }
    }
    if (needsToken(caller)) return unauthorized(cors)
    return isAllowed ? { kind: 'pass', headers: cors } : PASS
  }
}

export type Guard = ReturnType<typeof createGuard>
