/** A daemon in the test's own process: it listens, and its metadata says so; what it answers is up to the test. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { thisProcess } from '../../../../src/runtime/processes/processes.ts'
import { buildText, type Metadata, type Version } from '../../../../src/surfaces/daemon/identity.ts'
import { daemonPaths } from '../../../../src/surfaces/daemon/paths.ts'

export const VERSION: Version = { version: '1.0.0', buildIdentity: { entryPath: '/svc', mtimeMs: 1, size: 2 } }

/** Given the text of each request as it comes; `undefined` says nothing. */
export type Script = (request: string, socket: Socket) => string | undefined

/** What the head of a request expects of the daemon that takes it. */
export interface Expected {
  instance: string | undefined
  build: string | undefined
}

/** What it says the execution is to be called. */
export const OFFERED_ID = 'e0'
export const CONTINUE = `HTTP/1.1 100 Continue\r\nSvc-Instance: i\r\nSvc-Offered-Id: ${OFFERED_ID}\r\n\r\n`
/** As every listener says it that knows nothing of instances. */
export const PLAIN_CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

export const response = (body: string, headers: Record<string, string> = {}, status = 200): string => {
  const all = { 'Svc-Instance': 'i', 'Content-Length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} X\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

export const versionAnswer = (version: unknown = VERSION, headers: Record<string, string> = {}) =>
  response(JSON.stringify(version), headers)

export const refusal = (facts: unknown, headers: Record<string, string> = {}) =>
  response(JSON.stringify(facts), headers, 412)

/** As a daemon of this build does. */
const takeOurs = ({ instance, build }: Expected) =>
  instance === 'i' && build === buildText(VERSION) ? CONTINUE : refusal(VERSION)

export interface FakeDaemon {
  /** Those that came whole. */
  requests: string[]
  /** How many there have been. */
  connections(): number
  close(): Promise<void>
}

export interface FakeOptions {
  home: string
  script: Script
  /** What it says to the head of a command, before the body. */
  takes?: (expected: Expected, socket: Socket) => string | undefined
  metadata?: Partial<Metadata> | undefined
  device?: string
}

/** By default a ready daemon of the right version. */
export const fakeDaemon = async ({
  home,
  script,
  takes = takeOurs,
  metadata = {},
  device,
}: FakeOptions): Promise<FakeDaemon> => {
  const paths = daemonPaths(home, device)
  const requests: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server: Server = createServer({ allowHalfOpen: true }, socket => {
    connections += 1
    sockets.add(socket)
    let text = ''
    let isTaken = false
    socket.on('error', () => {})
    socket.on('data', chunk => {
      text += chunk
      const [head = '', body = ''] = text.split('\r\n\r\n')
      if (!isTaken && /expect: 100-continue/i.test(head)) {
        isTaken = true
        const named = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]
        const said = takes({ instance: named('svc-expect-instance'), build: named('svc-expect-build') }, socket)
        if (said !== undefined) socket.write(said)
      }
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (!text.includes('\r\n\r\n') || body.length < length) return
      text = ''
      requests.push(`${head.split(' HTTP')[0]}${body === '' ? '' : ` ${body}`}`)
      const said = script(requests.at(-1) ?? '', socket)
      if (said !== undefined) socket.write(said)
    })
  })
  mkdirSync(dirname(paths.socket), { recursive: true, mode: 0o700 })
  await new Promise<void>(resolve => server.listen(paths.socket, resolve))
  const { pid, started } = thisProcess()
  const facts = { pid, startedAt: 1, daemonKey: paths.key, cliEntryPath: '/svc', rawDeviceId: '' }
  writeFileSync(paths.metadata, JSON.stringify({ ...facts, startTime: started, instanceId: 'i', ...metadata }))
  return {
    requests,
    connections: () => connections,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
