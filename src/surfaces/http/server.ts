/** Section Local HTTP safety: the server of `svc serve` on TCP, and the same on the Unix socket of a daemon. */
import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { SERVE_TOKEN_CHARS, SOCKET_PATH_BYTES_MAX, STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { OnRequest } from '../daemon/run/requests.ts'
import { createGuard, isLoopbackAddress, isLoopbackName, readOrigin } from './guard.ts'
import type { InspectEndpointOptions } from './inspect-ws/endpoint.ts'
import { type ListenerOptions, listenOn, startFailed } from './listen.ts'
import type { App } from './module.ts'

export interface ServeOptions {
  host: string
  port: number
  allowOrigins: readonly string[]
  /** When true, GET /inspect-ws tells about the actors. */
  inspectWs?: boolean | undefined
  /** WebDriver is answered beside the API, or alone; undefined: not at all. */
  webDriver?: 'beside' | 'alone' | undefined
  /** The folders whose files agents, and callers from other machines, may name. */
  fileRoots?: readonly string[] | undefined
  version: string
  /** The program that was started, for the build identity. */
  entryPath: string | undefined
}

export interface ServeSocketOptions {
  path: string
  onRequest: OnRequest
  version: string
  entryPath: string | undefined
  /** Requests that name no operator get this one. */
  operatorPackage: string | undefined
  /** The same as in AppParts. */
  listener: string
  /** A line for the log. */
  note(text: string): void
}

export interface ServerOptions extends ListenerOptions {
  /** Made once the port is known, where it has to know it. */
  app: App | ((port: number) => App)
  /** A name or an address; IPv6 with or without brackets. */
  host: string
  /** 0 takes any free one. */
  port: number
  /** Origins of web pages that may use this server: `https://example.com`. */
  allowOrigins?: readonly string[]
  /** SVC_SERVE_TOKEN, for callers from other machines. An empty one is none; then it is minted, and noted when the host is not loopback. */
  token?: string | undefined
  /** GET /inspect-ws tells about the actors of this journal; if it is missing, the endpoint does not exist. */
  inspected?: Journal | undefined
}

export interface RunningServer {
  address: { host: string; port: number }
  /** The base URL, with no slash at the end. */
  url: string
  /** Stops taking requests, ends streams, waits so long for answers in the making, then ends every connection. */
  close(options: { graceMs: number }): Promise<void>
}

export type Started<S> = { ok: true; server: S } | { ok: false; error: ErrorObject }

const TOKEN_BYTES = 32

const TOKEN_HINT = `Set SVC_SERVE_TOKEN to ${SERVE_TOKEN_CHARS.min} or more ASCII letters, digits and punctuation marks, or unset it to have a token generated.`

/** Never repeats the token: what is said here ends up in logs. */
const tokenProblem = (token: string): string | undefined => {
  const { min, max } = SERVE_TOKEN_CHARS
  if (!/^[\x21-\x7e]*$/.test(token)) {
    return 'SVC_SERVE_TOKEN has a space, a control character or a non-ASCII character.'
  }
  if (token.length < min) return `SVC_SERVE_TOKEN is shorter than ${min} characters.`
  return token.length > max ? `SVC_SERVE_TOKEN is longer than ${max} characters.` : undefined
}

const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** Few servers have it, so few load it. */
const endpointOf = async (options: InspectEndpointOptions) => {
  const { createInspectEndpoint } = await import('./inspect-ws/endpoint.ts')
  return createInspectEndpoint(options)
}

export const startServer = async (options: ServerOptions): Promise<Started<RunningServer>> => {
  const { app, port, allowOrigins = [], note, clock, inspected } = options
  const host = bare(options.host.trim())
  if (host === '') return startFailed('The host is blank.', 'Name an address of this machine, or omit the flag.')
  const origins: string[] = []
  for (const text of allowOrigins) {
    const origin = readOrigin(text)
    if (origin === undefined) {
      // A text with an @ may hold a password.
      return startFailed(
        `${text.includes('@') ? 'A URL with a user' : JSON.stringify(text)} is not an origin.`,
        'Write an origin as scheme and host, such as https://example.com.',
      )
    }
    origins.push(origin)
  }
  const givenToken = options.token || undefined
  const problem = givenToken === undefined ? undefined : tokenProblem(givenToken)
  if (problem !== undefined) return startFailed(problem, TOKEN_HINT)
  const token = givenToken ?? randomBytes(TOKEN_BYTES).toString('base64url')
  const endpoint = inspected && (await endpointOf({ journal: inspected, clock, note }))
  const listened = await listenOn({ host, port }, options, server => {
    const bound = (server.address() as AddressInfo).port
    const guard = createGuard({ host, port: bound, allowOrigins: origins, token })
    return { app: typeof app === 'function' ? app(bound) : app, guard, endpoint }
  })
  if (!listened.ok) return listened
  const { server, close } = listened.listening
  const address = server.address() as AddressInfo
  const isOpen = !isLoopbackName(host) && !isLoopbackAddress(address.address)
  if (isOpen && givenToken === undefined) note(`callers from other machines need this token: ${token}`)
  const name = host.includes(':') ? `[${host}]` : host
  return {
    ok: true,
    server: { address: { host, port: address.port }, url: `http://${name}:${address.port}`, close },
  }
}

export interface SocketServer {
  path: string
  close(options: { graceMs: number }): Promise<void>
}

/** A daemon listens here. Only this user can open the file, which is gone when the server is closed. */
export const startSocketServer = async (
  options: ListenerOptions & { app: App; path: string },
): Promise<Started<SocketServer>> => {
  const { app, path } = options
  const bytes = Buffer.byteLength(path)
  // Node silently truncates a longer one, and would listen on another file.
  if (bytes > SOCKET_PATH_BYTES_MAX) {
    return startFailed(`The socket path has ${bytes} bytes, the maximum is ${SOCKET_PATH_BYTES_MAX}: ${path}`)
  }
  const listened = await listenOn({ path }, options, () => {
    chmodSync(path, STATE_FILE_MODE)
    return { app, guard: undefined }
  })
  return listened.ok ? { ok: true, server: { path, close: listened.listening.close } } : listened
}
