import { describe, expect, test } from 'vitest'
import { session } from '../../machines/session/session.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import { given } from '../support/runtime/given.ts'

const event = (type: string, more: object = {}): StoredEvent => ({ type, at: 2_000, ...more })
const requested = event('session.requested', { sessionId: 's1', wanted: null, idleMs: 60_000 })
const reserved = event('phone.reserved', { deviceId: 'd1', leaseId: 'l1' })
const opened = event('session.opened')
const failed = event('opening.failed', { code: 'INSTALL_FAILED', message: 'm', executionId: 'e1' })
const begun = event('command.begun', { method: 'POST', path: '/back', executionId: 'e2' })
const done = event('command.ended', { error: null, executionIds: ['e2'] })
const idle = event('idle.passed')
const lost = event('lease.lost', { code: 'LEASE_NOT_FOUND', message: 'm' })
const end = event('end.requested', { requestId: 'r1' })
const closing = event('host.closing')
const released = event('phone.released')
const unreleased = event('release.failed', { message: 'm' })
const interrupted = event('session.interrupted')
const broken = event('port.failed', { port: 'open', message: 'm' })

const preparing = [requested, reserved]
const active = [...preparing, opened]
const commanding = [...active, begun]

const afterEvents = (events: readonly StoredEvent[], next: StoredEvent) => given(session, events).when(next)

describe('what an event leads to', () => {
  test.each([
    ['a request', [], requested, 'opening.reserving'],
    ['a phone', [requested], reserved, 'opening.preparing'],
    ['a phone that is ready', preparing, opened, 'active.idle'],
    ['a command', active, begun, 'active.commanding'],
    ['the end of a command', commanding, done, 'active.idle'],
    ['no phone', [requested], failed, 'closing'],
    ['an app that is not installed', preparing, failed, 'closing'],
    ['a port that breaks while it opens', preparing, broken, 'closing'],
    ['idleness', active, idle, 'closing'],
    ['a reservation that is lost', commanding, lost, 'closing'],
    ['the end by its client, also in a command', commanding, end, 'closing'],
    ['the end of the server', commanding, closing, 'closing'],
    ['the end of its process', commanding, interrupted, 'ended.interrupted'],
    ['the end of its process while it closes', [...active, end], interrupted, 'ended.interrupted'],
  ] as const)('%s', (_, events, next, state) => {
    expect(afterEvents(events, next).state).toBe(state)
  })

  test.each([
    ['deleted', [...active, end]],
    ['idle', [...active, idle]],
    ['lost', [...active, lost]],
    ['closed', [...active, closing]],
    ['failed', [...preparing, failed]],
  ] as const)('a session ends as %s, also where its phone could not be given back', (reason, events) => {
    expect(afterEvents(events, released).state).toBe(`ended.${reason}`)
    expect(afterEvents(events, unreleased).state).toBe(`ended.${reason}`)
  })

  test('a session that is over stays as it ended', () => {
    const over = [...active, end, released]
    for (const late of [begun, done, idle, lost, closing, interrupted])
      expect(afterEvents(over, late).state).toBe('ended.deleted')
  })
})

describe('ports', () => {
  test('the reservation is extended from the phone to the end', () => {
    expect(afterEvents([requested], reserved).ports).toContain('keep')
    expect(afterEvents(preparing, opened).ports).toContain('keep')
    expect(afterEvents(active, begun).ports).toEqual(['keep'])
    expect(afterEvents(commanding, end).ports).toEqual(['close'])
  })

  test('idleness counts between commands alone', () => {
    expect(afterEvents(preparing, opened).ports).toContain('watch')
    expect(afterEvents(active, begun).ports).not.toContain('watch')
    expect(afterEvents(commanding, done).ports).toContain('watch')
  })
})

describe('who is told what', () => {
  test('that the session is ready, once', () => {
    expect(afterEvents(preparing, opened).emitted).toEqual([{ type: 'session.ready', sessionId: '' }])
    expect(afterEvents([requested], reserved).emitted).toEqual([])
  })

  test('why it could not be opened, when the phone is free', () => {
    expect(afterEvents(preparing, failed).emitted).toEqual([])
    expect(afterEvents([...preparing, failed], released).emitted).toEqual([
      {
        type: 'session.over',
        sessionId: '',
        reason: 'failed',
        failure: { code: 'INSTALL_FAILED', message: 'm', executionId: 'e1' },
      },
    ])
  })
})
