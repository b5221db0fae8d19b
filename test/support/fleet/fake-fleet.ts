/** A fleet as the routes of one host see it, in memory: a test says which devices there are and what other hosts answer. */
import type { Fleet, Forwarded, ForwardRequest, KeyHolder } from '../../../src/fleet/fleet.ts'
import { createSending } from '../../../src/fleet/log/sending.ts'
import { place } from '../../../src/fleet/ownership/placement.ts'
import { rosterOf, type TestRow } from '../../fleet/rosters.ts'

export interface ForwardedRequest extends ForwardRequest {
  host: string
}

export interface FakeFleet extends Fleet {
  /** What was sent to other hosts, in order. */
  sent: ForwardedRequest[]
  keys: Map<string, KeyHolder>
}

export const SELF = 'self'

export const rowOf = (id: string, more: Partial<TestRow> = {}): TestRow => {
  const at = id.lastIndexOf('@')
  const [serial, host] = [id.slice(0, at), id.slice(at + 1)]
  return { host, serial, state: 'device', labels: {}, isBusy: false, isAlive: true, isDraining: false, ...more }
}

export const answered = (status: number, body: unknown, headers: Record<string, string> = {}): Forwarded => ({
  kind: 'done',
  answer: {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  },
})

export interface FakeFleetOptions {
  rows: readonly TestRow[]
  isUp?: boolean
  forward?(request: ForwardedRequest): Forwarded | Promise<Forwarded>
}

export const fakeFleet = ({
  rows,
  isUp = true,
  forward = () => ({ kind: 'not sent', reason: 'absent' }),
}: FakeFleetOptions): FakeFleet => {
  const sent: ForwardedRequest[] = []
  const keys = new Map<string, KeyHolder>()
  const hosts = [...new Set([SELF, ...rows.map(({ host }) => host)])]
  const isAlive = (host: string) => rows.every(row => row.host !== host || row.isAlive)
  const none = () => Promise.reject(new Error('this was not to be asked'))
  let ids = 0
  return {
    host: SELF,
    ended: new AbortController().signal,
    sent,
    keys,
    isUp: () => isUp,
    heldSince: () => 0,
    sentTo: () => undefined,
    isServing: () => true,
    devices: () => rows.filter(row => row.isAlive),
    place: deviceId => place(rosterOf(rows, hosts), deviceId),
    isBusy: serial => rows.some(row => row.host === SELF && row.serial === serial && row.isBusy),
    sending: createSending(),
    knows: host => hosts.includes(host),
    isAlive,
    others: () => hosts.filter(host => host !== SELF && isAlive(host)),
    silent: () => hosts.filter(host => host !== SELF && !isAlive(host)),
    async forward(host, request) {
      sent.push({ ...request, host })
      return forward({ ...request, host })
    },
    mirrored: async () => undefined,
    async holdKey(key, holder) {
      const before = keys.get(key)
      keys.set(key, before ?? holder)
      const isNew = before === undefined
      return { ...(before ?? holder), isNew, free: async () => void (isNew && keys.delete(key)) }
    },
    keyUse: async key => keys.get(key),
    newExecutionId: () => `01890000-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
    status: () => ({ fleet: 'svc', host: SELF, connected: isUp, hosts: [] }),
    statusOf: () => undefined,
    drain: none,
    refresh: none,
    forget: none,
  }
}
