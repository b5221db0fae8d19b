/** Messages of a fleet on NATS: requests and answers between hosts, the log, records of hosts and phones, and placements. */
import * as v from 'valibot'
import { FleetBeat, FleetHostRecord } from '../../../src/contracts/fleet.ts'
import { frame, toAskerIn, toHostIn } from '../../../src/fleet/exchange/messages.ts'
import { readMessage, readPositionHeaders } from '../../../src/fleet/log/log-message.ts'
import { fitting, readTerms } from '../../../src/fleet/membership/labels.ts'
import { PhoneRecord } from '../../../src/fleet/ownership/phone-claims.ts'
import { readMonitorUrl, readUrls, ServerUrlError } from '../../../src/fleet/servers/server-urls.ts'
import { resultOf } from '../../../src/service/http-transport.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateJson } from '../mutate/json.ts'
import { behindLengths } from '../mutate/pieces.ts'
import { mutateText } from '../mutate/text.ts'
import { expectSame, expectThat, type Mutate, refusedBy, stateless, type Target } from '../target.ts'

const ID = 'x'.repeat(22)
const ASK = {
  kind: 'ask',
  until: 1_700_000_000_000,
  request: {
    id: ID,
    instance: ID,
    method: 'POST',
    path: '/execute',
    headers: { 'content-type': 'application/json' },
    withinMs: 30_000,
  },
} as const
const HEADS = [
  ASK,
  { kind: 'look', id: ID, instance: ID, until: 1, cancel: true },
  { kind: 'fetch', id: ID, instance: ID, until: 1, part: 3 },
  { kind: 'done', id: ID, instance: ID, until: 1 },
  { kind: 'taken' },
  { kind: 'refused', why: 'late', instance: ID, now: 5 },
  { kind: 'answer', answer: { status: 200, headers: {} }, bytes: 3, partBytes: 100_000 },
  { kind: 'part', part: 1 },
  { kind: 'gone' },
]

/** The head keeps its length: what stands behind it are bytes. */
const mutateFramed: Mutate = (input, tools) => {
  const { cut, join } = behindLengths('BE', mutateJson)
  const [head = Buffer.alloc(0)] = cut(input)
  return Buffer.concat([join([mutateJson(head, tools)]), input.subarray(4 + head.length)])
}

export const fleetExchange: Target = {
  name: 'fleet-exchange',
  seeds: HEADS.map(head => frame(head as never, Buffer.from('{}'))),
  mutate: oneOf(mutateFramed, mutateFramed, mutateBytes),
  open: stateless(input => {
    const [host, asker] = [toHostIn(input), toAskerIn(input)]
    const read = host ?? asker
    if (!read) return 'refused'
    const again = frame(read.head, read.bytes)
    expectSame('the message', host ? toHostIn(again) : toAskerIn(again), read)
    return 'accepted'
  }),
}

const TRANSITION = {
  seq: 7,
  actor: 'device:d1',
  machine: 'device',
  event: 'execution.settled',
  from: 'busy',
  to: 'ready',
  at: 1_700_000_000_000,
}
const LOG = {
  entries: [
    { ...TRANSITION, outcome: { deviceId: 'd1', input: { actions: [] }, result: { ok: true } } },
    { ...TRANSITION, seq: 8, outcome: { deviceId: 'd1', parts: [1, 2], inputBytes: 10 } },
    { gap: { reason: 'records-missing', from: 1, to: 2 } },
    { gap: { reason: 'journal-replaced' } },
  ],
}

export const fleetLog: Target = {
  name: 'fleet-log',
  seeds: [JSON.stringify(LOG), '{"entries":[]}'],
  mutate: mutateJson,
  open: stateless(input => {
    const text = input.toString('utf8')
    readPositionHeaders({ get: () => text })
    const entries = readMessage('h1', 5, text)
    for (const { outcome } of entries ?? []) {
      if (outcome === undefined || !('input' in outcome)) continue
      JSON.parse(outcome.input)
      JSON.parse(outcome.result)
    }
    return entries ? 'accepted' : 'refused'
  }),
}

const RECORD = {
  protocol: 1,
  host: 'h1',
  instance: ID,
  version: '1.0.0',
  pid: 5,
  startedAt: 1,
  draining: false,
  labels: { tag: 'lab' },
  devices: [{ serial: 'emulator-5554', state: 'device', labels: { android: '14' }, phone: 'p', epoch: 3 }],
}
const SCHEMAS = [FleetHostRecord, FleetBeat, PhoneRecord] as const

export const fleetRecords: Target = {
  name: 'fleet-records',
  seeds: [
    JSON.stringify(RECORD),
    JSON.stringify({ instance: ID, revision: 3, head: 9, mirrored: 9, busy: ['emulator-5554'] }),
    JSON.stringify({ phone: 'p', host: 'h', instance: ID, epoch: 1, state: 'held' }),
  ],
  mutate: mutateJson,
  open: stateless(input => {
    let value: unknown
    try {
      value = JSON.parse(input.toString('utf8'))
    } catch {
      return 'refused'
    }
    const taken = SCHEMAS.flatMap(schema => {
      const read = v.safeParse(schema, value)
      return read.success ? [{ schema, output: read.output }] : []
    })
    for (const { schema, output } of taken) {
      const again = v.safeParse(schema, JSON.parse(JSON.stringify(output)))
      expectThat(again.success, 'a record that was accepted, written and then refused')
      if (again.success) expectSame('the record', again.output, output)
    }
    return taken.length > 0 ? 'accepted' : 'refused'
  }),
}

export const fleetTexts: Target = {
  name: 'fleet-texts',
  seeds: ['any:android>=14,tag=lab', 'any', 'nats://user:pass@host:4222', 'tls://[::1]:1', 'http://u:p@h:8222'],
  mutate: mutateText([
    'any:',
    '>=',
    '!=',
    ',',
    '=',
    'android',
    'nats://',
    'tls://',
    '@',
    ':',
    '/',
    '%',
    '%zz',
    '[::1]',
  ]),
  open: stateless(input => {
    const text = input.toString('utf8')
    const terms = readTerms(text)
    if (terms.ok) fitting(terms.terms)({ android: '14.0.1', tag: 'lab', __proto__: 'x' }, { constructor: '1' })
    const urls = refusedBy(ServerUrlError, () => readUrls([text]))
    readMonitorUrl(text)
    return urls || (terms.ok && terms.terms.length > 0) ? 'accepted' : 'refused'
  }),
}

export const fleetAnswers: Target = {
  name: 'fleet-answers',
  seeds: [
    JSON.stringify({ ok: true, envelope: { status: 'success', stepResults: [] }, deviceId: 'd1' }),
    JSON.stringify({ ok: false, error: { code: 'DEVICE_NOT_FOUND', message: 'No.', retriable: false } }),
    JSON.stringify({ ok: true, executions: [], unanswered: [] }),
  ],
  mutate: mutateJson,
  open: stateless(input => {
    const answer = { status: 200, headers: { 'content-type': 'application/json' }, body: input }
    const results = [
      resultOf('execute', {} as never, answer, 'h1'),
      resultOf('executions.list', {} as never, answer, 'h1'),
      resultOf('skills.run', { skillId: 's' } as never, answer, 'h1'),
      resultOf('devices.list', {} as never, answer, 'h1'),
    ]
    return results.some(({ ok }) => ok) ? 'accepted' : 'refused'
  }),
}
