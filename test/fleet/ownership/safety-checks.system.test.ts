/** What is made of servers that no machine with one nats-server can show: old ones, others' clocks, dead nodes. */
import { describe, expect, test } from 'vitest'
import {
  checkClocks,
  checkCopies,
  checkIdentity,
  checkPermissions,
  checkSync,
  checkVersions,
} from '../../../src/fleet/ownership/safety-checks.ts'
import { hostPermissions, streamCreation } from '../../../src/fleet/permissions.ts'
import { namesOf } from '../../../src/fleet/servers/names.ts'

const names = namesOf('f')

test.each([
  ['2.9.10', 'unsafe'],
  ['2.10.27', 'unsafe'],
  ['2.11.0', 'ok'],
  ['2.11.0-RC.1', 'ok'],
  ['2.15.1', 'ok'],
  ['3.0.0', 'ok'],
])('nats-server %s is %s', (version, level) => {
  expect(checkVersions([{ name: 'n0', version }]).level).toBe(level)
})

test('one old server among new ones is unsafe, and named alone', () => {
  const checked = checkVersions([
    { name: 'n0', version: '2.15.1' },
    { name: 'n1', version: '2.10.27' },
  ])
  expect(checked.level).toBe('unsafe')
  expect(checked.message).toContain('n1 (2.10.27)')
  expect(checked.message).not.toContain('n0')
})

describe('copies', () => {
  const server = (name: string, extra: { cluster?: string; jetstream?: boolean } = {}) => ({
    name,
    cluster: 'lab',
    jetstream: true,
    ...extra,
  })
  const stream = { stream: 's', copies: 3, isOnDisk: true, behind: [] }
  const three = ['n0', 'n1', 'n2'].map(name => server(name))
  const seen = { cluster: 'lab', servers: three, streams: [], expected: 2 }

  test.each([
    ['three servers before the first host', seen, 'ok'],
    ['two servers before the first host', { ...seen, servers: three.slice(1) }, 'unsafe'],
    [
      'three, one without JetStream',
      { ...seen, servers: [...three.slice(1), server('n0', { jetstream: false })] },
      'unsafe',
    ],
    [
      'three, one of another cluster',
      { ...seen, servers: [...three.slice(1), server('n0', { cluster: 'x' })] },
      'unsafe',
    ],
    ['a cluster that does not say who is in it', { ...seen, servers: [] }, 'warn'],
    ['a server alone', { ...seen, cluster: undefined, servers: three.slice(2) }, 'unsafe'],
    ['streams of one copy', { ...seen, streams: [stream, { ...stream, copies: 1 }] }, 'unsafe'],
    ['streams in memory', { ...seen, streams: [stream, { ...stream, isOnDisk: false }] }, 'unsafe'],
    ['all streams, with a server down', { ...seen, streams: [stream, { ...stream, behind: ['n2'] }] }, 'warn'],
    [
      'all streams, and nobody answers the question who is there',
      { ...seen, servers: [], streams: [stream, stream] },
      'ok',
    ],
  ])('%s', (_, given, level) => expect(checkCopies(given).level).toBe(level))
})

describe('writing to disk', () => {
  const servers = ['n0', 'n1'].map(name => ({ id: name, name }))
  const monitored = (...syncMs: number[]) =>
    syncMs.map((ms, index) => ({ id: `n${index}`, name: `n${index}`, syncMs: ms }))

  test.each([
    ['always', monitored(0, 0), [], 'ok'],
    ['seconds late on one', monitored(0, 10_000), [], 'warn'],
    ['minutes late on one', monitored(0, 120_000), [], 'unsafe'],
    ['minutes late on the only one that is seen', monitored(120_000), ['n1: refused'], 'unsafe'],
    ['seen of one of two only', monitored(0), [], 'warn'],
    ['seen of none', [], [], 'warn'],
    ['a monitor that does not answer', monitored(0, 0), ['http://x: refused'], 'warn'],
  ])('%s', (_, seen, unreadable, level) => expect(checkSync(servers, seen, unreadable).level).toBe(level))
})

test.each([
  [4_000, 'ok'],
  [-4_000, 'ok'],
  [6_000, 'unsafe'],
  [-6_000, 'unsafe'],
])('a clock that is %d ms ahead is %s', (aheadMs, level) => {
  expect(checkClocks([{ name: 'n0', aheadMs }]).level).toBe(level)
})

describe('permissions', () => {
  const { publish, subscribe } = hostPermissions(names, 'a')
  const check = (permissions: object | undefined, isSetUp = false) => {
    const user = { permissions } as Parameters<typeof checkPermissions>[0]['user']
    const { level, message } = checkPermissions({ user, names, self: 'a', isSetUp })
    return { level, message, identity: checkIdentity({ user, names, self: 'a' }).level }
  }
  const of = (publishAllow: string[], deny: string[] = []) => ({
    publish: { allow: publishAllow, deny },
    subscribe: { allow: subscribe, deny: [] },
  })

  test('those of the host are enough, and prove who it is', () =>
    expect(check(of(publish))).toMatchObject({ level: 'ok', identity: 'ok' }))

  test('a user without any may do everything, also in the name of others, and is told what is enough', () => {
    expect(check(undefined)).toMatchObject({ level: 'ok', identity: 'warn' })
    expect(checkIdentity({ user: {}, names, self: 'a' }).details).toEqual({ publish, subscribe })
  })

  test('with everything but one subject, that subject is named', () => {
    const without = publish.filter(subject => subject !== names.log('a'))
    expect(check(of(without))).toMatchObject({
      level: 'unsafe',
      message: expect.stringContaining('svc.f.log.a') as string,
    })
  })

  test('a denied subject is missing though it is allowed', () =>
    expect(check(of(['>'], ['svc.f.beat.*']))).toMatchObject({
      level: 'unsafe',
      message: expect.stringContaining('svc.f.beat.a') as string,
    }))

  test('nobody has to make streams that are there', () => {
    const without = publish.filter(subject => !streamCreation(names).includes(subject))
    expect(check(of(without)).level).toBe('unsafe')
    expect(check(of(without), true).level).toBe('ok')
  })

  test('the right to answer whoever asks stands for the inboxes of all', () => {
    const without = publish.filter(subject => subject !== 'svc.f.re.*.>')
    expect(check(of(without)).level).toBe('unsafe')
    expect(check({ ...of(without), responses: { max: -1 } }).level).toBe('ok')
  })

  test('what cannot be seen is a warning', () =>
    expect(checkPermissions({ user: undefined, names, self: 'a', isSetUp: true }).level).toBe('warn'))
})
