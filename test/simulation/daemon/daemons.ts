/** The place of one daemon: its socket, its metadata, its lock, who listens there, and the phone that listeners act on. */

import { parseObject } from '../../../src/runtime/files/small-file.ts'
import type { Owner as Metadata, Version } from '../../../src/surfaces/daemon/identity.ts'
import { createPrecondition } from '../../../src/surfaces/daemon/run/requests.ts'
import { EPOCH } from '../clock.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import type { Listener } from './plan.ts'
import { type Acceptor, connectTo, type ServedConnection } from './socket.ts'

export const OURS: Version = { version: '2', buildIdentity: { entryPath: '/svc', mtimeMs: 2, size: 2 } }
const OLDER: Version = { version: '1', buildIdentity: { entryPath: '/svc', mtimeMs: 1, size: 1 } }
export const ENVIRONMENT = ''

/** An execution that a daemon has taken, as the journal of the home has it. */
interface Taken {
  executionId: string
  command: string
  dispatchedAt?: number
  result?: Record<string, unknown>
}

export interface Daemon {
  readonly owner: Owner
  readonly metadata: Metadata | undefined
  readonly version: Version
  isEnding: boolean
}

export interface Acts {
  command: string
  by: 'daemon' | 'client'
  at: number
}

const response = (status: number, body: string, headers: Record<string, string> = {}) => {
  const all = { 'Content-Length': String(Buffer.byteLength(body)), ...headers }
  return `HTTP/1.1 ${status} X\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`
}

const cancelled = (dispatched: boolean) => ({
  ok: false,
  error: { code: 'EXECUTION_CANCELLED', message: 'It was cancelled.', details: { dispatched } },
})

export const createDaemons = (scheduler: Scheduler, harness: Owner) => {
  const { post } = scheduler
  const links = new Set<{ of: Owner; end(): void }>()
  const acts: Acts[] = []
  /** How often the body of a command has reached a daemon. */
  const bodies = new Map<string, number>()
  /** Commands that a daemon got which may have other devices in reach. */
  const misled = new Set<string>()
  const taken = new Map<string, Taken>()
  const cancelRequests = new Set<string>()
  let present: Daemon | undefined
  let isFile = false
  let foreign: 'foreign' | 'silent' | 'garbage' | undefined
  let count = 0
  let ids = 0
  const state = { extraMs: 0, hangUp: { afterMessages: 0, times: 0 }, cannotStart: false }

  const cancel = (executionId: string): Taken | undefined => {
    cancelRequests.add(executionId)
    const one = taken.get(executionId)
    if (one && !one.result) one.result = cancelled(one.dispatchedAt !== undefined)
    return one
  }

  const perform = (daemon: Daemon, one: Taken, workMs: number, answer: () => void) => {
    const { owner } = daemon
    post(owner, workMs / 2, `dispatches ${one.command}`, () => {
      if (!one.result) {
        one.dispatchedAt = EPOCH + scheduler.now()
        acts.push({ command: one.command, by: 'daemon', at: scheduler.now() })
      }
      post(owner, workMs / 2 + state.extraMs, `ends ${one.command}`, () => {
        one.result ??= { ok: true, envelope: { status: 'success' } }
        answer()
      })
    })
  }

  const serve = (daemon: Daemon): Acceptor['accept'] => {
    const instanceId = daemon.metadata?.instanceId ?? ''
    const isForUs = createPrecondition({
      instanceId,
      version: daemon.version,
      isEnding: () => daemon.isEnding,
      newExecutionId: () => `execution-${++ids}`,
    })
    return connection => {
      let text = ''
      let offered: string | undefined
      let isTaken = false
      return heard => {
        text += heard
        const [head = '', body = ''] = text.split('\r\n\r\n')
        const [first = '', ...lines] = head.split('\r\n')
        const headers = Object.fromEntries(
          lines.map(line => line.split(': ').map((part, at) => (at ? part : part.toLowerCase()))),
        )
        const said: Record<string, string> = {}
        if (!isTaken) {
          isTaken = true
          const outgoing = {
            setHeader: (name: string, value: string) => {
              said[name] = value
            },
            writeHead: (status: number) => ({
              end: (facts: string) => {
                connection.send(response(status, facts, said))
                connection.end()
              },
            }),
          }
          if (!isForUs({ headers } as never, outgoing as never)) return
          offered = headers['svc-execution-id']
          if (headers.expect !== undefined)
            connection.send(
              `HTTP/1.1 100 Continue\r\n${Object.entries(said)
                .map(([name, value]) => `${name}: ${value}\r\n`)
                .join('')}\r\n`,
            )
        }
        if (body.length < Number(headers['content-length'] ?? 0)) return
        text = ''
        request(daemon, connection, { first, body, offered, said })
      }
    }
  }

  const request = (
    daemon: Daemon,
    connection: ServedConnection,
    {
      first,
      body,
      offered,
      said,
    }: { first: string; body: string; offered: string | undefined; said: Record<string, string> },
  ) => {
    const answer = (status: number, value: unknown, more: Record<string, string> = {}) => {
      connection.send(response(status, JSON.stringify(value), { ...said, ...more }))
      connection.end()
    }
    const [method, path = ''] = first.split(' ')
    if (method === 'GET') return answer(200, daemon.version)
    const id = path.split('/').at(-1) ?? ''
    if (method === 'DELETE') {
      const one = cancel(id)
      if (!one) return answer(404, { ok: false, error: { code: 'EXECUTION_NOT_FOUND' } })
      return answer(200, { ok: true, execution: one })
    }
    const { execution } = parseObject(body) as { execution: { commandId: string; workMs: number } }
    const { commandId: command, workMs } = execution
    bodies.set(command, (bodies.get(command) ?? 0) + 1)
    if (daemon.metadata?.environment !== ENVIRONMENT) misled.add(command)
    const one: Taken = { executionId: offered ?? '', command }
    taken.set(one.executionId, one)
    if (cancelRequests.has(one.executionId)) one.result = cancelled(false)
    perform(daemon, one, workMs, () => {
      // Somebody who has gone hears nothing; what was accepted goes on.
      if (!connection.isOver()) answer(200, one.result, { 'Svc-Execution-Id': one.executionId })
    })
  }

  const start = (kind: 'ours' | 'older' | 'elsewhere', bootMs: number): Owner => {
    count += 1
    const owner = scheduler.owner(`daemon-${count}`)
    const instanceId = `instance-${count}`
    const metadata: Metadata = {
      pid: 100 + count,
      startedAt: EPOCH,
      daemonKey: 'default',
      cliEntryPath: '/svc',
      rawDeviceId: '',
      startTime: instanceId,
      instanceId,
      environment: kind === 'elsewhere' ? 'SVC_TCP_DEVICES=other' : ENVIRONMENT,
    }
    post(owner, bootMs, 'publishes its socket', () => {
      if ((present && !present.owner.isDead) || foreign) {
        owner.isDead = true
        return
      }
      present = { owner, metadata, version: kind === 'older' ? OLDER : OURS, isEnding: false }
      isFile = true
    })
    return owner
  }

  const end = (owner: Owner, leavesFile: boolean) => {
    owner.isDead = true
    if (present?.owner === owner && !leavesFile) isFile = false
    for (const link of [...links]) if (link.of === owner) link.end()
  }

  const alive = () => (present && !present.owner.isDead ? present : undefined)

  /** Retires: takes nothing new, answers what it has taken, and goes. */
  const retire = (daemon: Daemon) => {
    daemon.isEnding = true
    if (present === daemon) isFile = false
    post(daemon.owner, 2_000, 'ends', () => end(daemon.owner, false))
  }

  return {
    acts,
    bodies,
    misled,
    state,
    begin(listener: Listener) {
      if (listener === 'ours' || listener === 'older' || listener === 'elsewhere') start(listener, 0)
      else if (listener === 'stale') isFile = true
      else if (listener !== 'none') {
        foreign = listener
        isFile = true
      }
    },
    alive,
    start,
    end,
    retire,
    cancelRecorded: (executionId: string) => cancel(executionId) ?? ('unaccepted' as const),
    ownerOf: () => alive()?.metadata,
    connect(client: Owner) {
      const acceptorOf = (): Acceptor | 'ENOENT' | 'ECONNREFUSED' => {
        if (!isFile) return 'ENOENT'
        const messagesLeft = () => {
          if (state.hangUp.times <= 0) return Number.POSITIVE_INFINITY
          state.hangUp.times -= 1
          return state.hangUp.afterMessages
        }
        if (foreign) {
          const text = foreign === 'garbage' ? 'what is HTTP?\r\n\r\n' : response(200, '{"ok":true}')
          const accept: Acceptor['accept'] = connection => () => foreign === 'silent' || connection.send(text)
          return { owner: harness, accept: accept as Acceptor['accept'], messagesLeft }
        }
        const daemon = alive()
        return daemon ? { owner: daemon.owner, accept: serve(daemon), messagesLeft } : 'ECONNREFUSED'
      }
      const acceptor = acceptorOf()
      const link = connectTo(scheduler, client, acceptor)
      if (typeof acceptor !== 'string') links.add({ of: acceptor.owner, end: link.end })
      return link
    },
  }
}

export type Daemons = ReturnType<typeof createDaemons>
