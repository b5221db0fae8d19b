/** All that hosts of builds of svc have said in a fleet, and left on its servers: today's code reads every message. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { FLEET_PROTOCOL, FleetBeat, FleetHostRecord } from '../../src/contracts/fleet.ts'
import { toAskerIn, toHostIn } from '../../src/fleet/exchange/messages.ts'
import { readMessage, readPositionHeaders } from '../../src/fleet/log/log-message.ts'
import { HostClaim } from '../../src/fleet/membership/host-claim.ts'
import { KeyRecord } from '../../src/fleet/ownership/key-holds.ts'
import { PhoneRecord } from '../../src/fleet/ownership/phone-claims.ts'
import { namesOf } from '../../src/fleet/servers/names.ts'
import { captured, capturesOf } from '../support/runtime/captured.ts'

interface Captured {
  subject: string
  headers: [string, string[]][]
  /** In base64. */
  text: string
}

const names = namesOf('svc')
const builds = capturesOf('fleet')
test('there are captures', () => expect(builds.length).toBeGreaterThan(0))

describe.each(builds)('a fleet of %s', build => {
  const messages = captured<Captured[]>(build, 'fleet').map(({ text, ...rest }) => ({
    ...rest,
    bytes: Buffer.from(text, 'base64'),
  }))
  const below = (prefix: string) =>
    messages.filter(({ subject, bytes }) => subject.startsWith(prefix) && bytes.length > 0)
  const prefixOf = (subject: string) => subject.slice(0, subject.lastIndexOf('.') + 1)
  const jsonOf = ({ bytes }: { bytes: Buffer }) => JSON.parse(bytes.toString())
  const read = <S extends v.GenericSchema>(schema: S, prefix: string): v.InferOutput<S>[] =>
    below(prefix).map(message => v.parse(schema, jsonOf(message)))

  test('beats and records of hosts', () => {
    const records = read(FleetHostRecord, `$KV.${names.hosts}.`)
    expect(new Set(records.map(({ host }) => host))).toEqual(new Set(['lab1', 'lab2']))
    expect(new Set(records.map(({ protocol }) => protocol))).toEqual(new Set([FLEET_PROTOCOL]))
    expect(records.some(({ devices }) => devices.some(({ epoch, phone }) => epoch !== undefined && phone))).toBe(true)
    // News of the log go where beats go, and hosts that know only beats pass them over.
    const said = below(prefixOf(names.beat('x'))).map(jsonOf)
    const beats = said.filter(message => !('log' in message)).map(message => v.parse(FleetBeat, message))
    expect(beats.length).toBeGreaterThan(2)
    const instances = new Set(records.map(({ instance }) => instance))
    for (const { instance } of beats) expect(instances).toContain(instance)
  })

  test('leases of hosts, claims on phones and holds of keys', () => {
    const leases = read(HostClaim, `$KV.${names.owners}.${prefixOf(names.lease('x'))}`)
    const phones = read(PhoneRecord, `$KV.${names.owners}.phone.`)
    const keys = read(KeyRecord, `$KV.${names.keys}.`)
    expect(leases.length).toBeGreaterThan(1)
    expect(new Set(phones.map(({ host }) => host))).toEqual(new Set(['lab1', 'lab2']))
    expect(new Set(keys.map(({ host }) => host))).toEqual(new Set(['lab1', 'lab2']))
  })

  test('a request from host to host, and its answer', () => {
    const asked = below(prefixOf(names.request('lab2', 'x'))).map(({ bytes }) => toHostIn(bytes))
    expect(asked.length).toBeGreaterThan(0)
    expect(asked).not.toContain(undefined)
    const ask = asked.find(message => message?.head.kind === 'ask')
    if (ask?.head.kind !== 'ask') throw new Error('nothing was asked')
    expect(ask.head.request).toMatchObject({ method: 'POST', path: expect.stringMatching(/^\/execute/) })
    expect(JSON.parse(Buffer.from(ask.bytes).toString())).toMatchObject({ execution: { commandId: 'wire' } })
    const answered = below(`${names.inbox('lab1')}.`).flatMap(({ bytes }) => toAskerIn(bytes) ?? [])
    const kinds = new Set(answered.map(({ head }) => head.kind))
    expect(kinds).toContain('taken')
    const answer = answered.find(({ head }) => head.kind === 'answer')
    if (answer?.head.kind !== 'answer') throw new Error('nothing was answered')
    expect(answer.head.answer.status).toBe(200)
    expect(JSON.parse(Buffer.from(answer.bytes).toString())).toMatchObject({ ok: true, deviceId: expect.any(String) })
  })

  test('the mirrors of both journals, without a gap', () => {
    const seen = new Map<string, number[]>()
    for (const { subject, bytes, headers } of below(prefixOf(names.log('x')))) {
      const host = subject.slice(prefixOf(subject).length)
      const all = new Map(headers)
      const position = readPositionHeaders({ get: name => all.get(name)?.[0] ?? '' })
      if (!position) continue
      const entries = readMessage(host, 1, bytes.toString()) ?? []
      expect(entries.filter(({ gap }) => gap)).toEqual([])
      const numbers = entries.flatMap(({ transition }) => transition?.seq ?? [])
      expect(numbers.at(-1)).toBe(position.seq)
      seen.set(host, [...(seen.get(host) ?? []), ...numbers])
      for (const { transition, outcome } of entries) {
        if (transition?.event !== 'execution.settled' || !outcome) continue
        expect(outcome).toMatchObject({ deviceId: expect.any(String) })
      }
    }
    expect([...seen.keys()].sort()).toEqual(['lab1', 'lab2'])
    for (const numbers of seen.values()) {
      expect(new Set(numbers)).toEqual(new Set(numbers.map((_, index) => index + (numbers[0] ?? 0))))
    }
  })
})
