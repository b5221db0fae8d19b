/** A server of a few lines, which answers as a test says and remembers what it was asked. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { createGuard } from '../../../src/surfaces/http/guard.ts'
import { type ConnectOptions, connectFrom } from '../../../src/surfaces/library/connect.ts'
import type { Svc } from '../../../src/surfaces/library/svc.ts'

export interface Asked {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export type Answer = (asked: Asked, outgoing: ServerResponse) => void | Promise<void>

export const json = (outgoing: ServerResponse, body: unknown, headers: Record<string, string> = {}, status = 200) =>
  void outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

interface StubOptions {
  /** With it, every request is judged as one from another machine. */
  token?: string
  tls?: { cert: string; key: string }
  /** Names its journal each time it is asked; undefined where it has none. */
  journal?: () => string | undefined
}

const ELSEWHERE = '192.0.2.7'

export const startStubServer = async (
  answer: Answer,
  { token, tls, journal = () => 'journal-1' }: StubOptions = {},
) => {
  const asked: Asked[] = []
  const guard = token === undefined ? undefined : createGuard({ host: '127.0.0.1', port: 0, allowOrigins: [], token })
  const listener: RequestListener = (incoming, outgoing) => {
    let body = ''
    incoming.on('data', part => {
      body += String(part)
    })
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming
      const caller = { method, target: url, headers, hosts: 1, remoteAddress: ELSEWHERE, localAddress: '127.0.0.1' }
      const admission = guard?.(caller)
      if (admission?.kind === 'refused') return json(outgoing, { ok: false, error: admission.error }, {}, 401)
      if (url.endsWith('/version')) return json(outgoing, { ok: true, version: '0.0.0', journal: journal() })
      const one = { method, path: url, headers, body }
      asked.push(one)
      void answer(one, outgoing)
    })
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, asked, server }
}

/** The library as a program has it, without the environment of this process. */
export const connectHere = async (options: ConnectOptions, clock: Clock = systemClock()): Promise<Svc> => {
  const svc = await connectFrom(options, { env: {}, program: 'none', clock })
  onTestFinished(() => svc.close())
  return svc
}

export const EXECUTION_ID = '01900000-0000-7000-8000-000000000001'

/** The answer to an execution whose first step has these data. */
export const executed = (data: Record<string, string> = {}) => ({
  ok: true,
  deviceId: 'phone-1',
  terminalSource: 'svc_result',
  envelope: {
    commandId: 'c',
    taskId: 't',
    status: 'success',
    stepResults: [{ id: 'step-1', actionType: 'click', success: true, data }],
    error: null,
  },
})
