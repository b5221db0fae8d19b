/** Under the permissions that svc proposes, a host can do its work, and cannot speak as another one. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { describe, expect, test } from 'vitest'
import { createDirectory } from '../../src/fleet/directory.ts'
import { isFromSender } from '../../src/fleet/log/message-origin.ts'
import { authorizationOf, bucketKey, EVERY_SERVER, OWN_USER } from '../../src/fleet/permissions.ts'
import { connectFleet, type FleetConnection } from '../../src/fleet/servers/connection.ts'
import { namesOf } from '../../src/fleet/servers/names.ts'
import { FleetConfigurationError } from '../../src/fleet/servers/server-urls.ts'
import { openStores } from '../../src/fleet/servers/stores.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { fleetMembers } from '../support/fleet/fleet-members.ts'
import { natsLab } from '../support/fleet/nats-lab.ts'
import { makeCertificates } from '../support/http/certificates.ts'
import { needs } from '../support/needs.ts'
import { testEnd } from '../support/per-test.ts'
import { temporary } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const folder = temporary('svc-permissions-')
const keysFolder = () => mkdtempSync(join(folder(), 'keys-'))
const names = namesOf('f')
const key = () => nkeys.createUser().getPublicKey()

describe('the authorization block', () => {
  test.each([
    ['an id that is no token of a subject', [{ id: 'a.*', nkey: key() }], '"a.*" cannot be an id'],
    ['a seed in the place of a public key', [{ id: 'a', nkey: String(nkeys.createUser().getSeed()) }], 'public NKey'],
    [
      'one id twice',
      [
        { id: 'a', nkey: key() },
        { id: 'a', nkey: key() },
      ],
      'the id a',
    ],
  ])('refuses %s', (_, hosts, said) => {
    const build = () => authorizationOf(names, { hosts, clients: [] })
    expect(build).toThrow(FleetConfigurationError)
    expect(build).toThrow(said)
  })

  test('refuses one key for a host and a client', () => {
    const nkey = key()
    expect(() => authorizationOf(names, { hosts: [{ id: 'a', nkey }], clients: [{ id: 'b', nkey }] })).toThrow(
      'the nkey',
    )
  })
})

describe.skipIf(!needs('nats-server')).concurrent('with real servers', () => {
  const lab = natsLab()
  const atEnd = testEnd()

  interface Joined extends FleetConnection {
    violations: string[]
  }

  const connected = async (address: { urls: readonly string[]; self: string; credsFile?: string; caFile?: string }) => {
    const connection = await connectFleet({ names, ...address }, systemClock())
    atEnd(() => connection.close())
    const violations: string[] = []
    const listen = async () => {
      for await (const status of connection.nc.status())
        if (status.type === 'error') violations.push(String(status.error))
    }
    void listen()
    return { ...connection, violations } satisfies Joined
  }

  const fleet = async () => {
    const members = fleetMembers(keysFolder(), names, { hosts: ['a', 'b'], clients: ['c'], witness: true })
    const { urls } = await lab({ auth: members.auth })
    const [url = ''] = urls
    const as = (self: string) => connected({ urls, self, credsFile: members.credsOf(self) })
    return { as, witness: () => connected({ urls: [url.replace('://', '://witness:witness@')], self: 'witness' }) }
  }

  /** All that a connection hears on these subjects, in order. */
  const hearing = async ({ nc }: Joined, ...subjects: string[]) => {
    const heard: { subject: string; isFromSender: boolean }[] = []
    for (const subject of subjects) {
      nc.subscribe(subject, {
        callback: (_, message) =>
          void heard.push({ subject: message.subject, isFromSender: isFromSender(message.headers, 'live') }),
      })
    }
    await nc.flush()
    return heard
  }

  test('a host can do everything that a host does', async () => {
    const { as } = await fleet()
    const [a, b] = [await as('a'), await as('b')]
    const { hosts, owners, keys } = await openStores(a, names)
    await openStores(b, names)

    await hosts.put('a', 'here')
    expect((await hosts.get('a'))?.string()).toBe('here')
    for (const [bucket, name] of [
      [owners, names.lease('a')],
      [owners, names.lease('b')],
      [owners, names.phone('a phone')],
      [keys, names.idempotency('a key')],
    ] as const) {
      const revision = await bucket.create(name, '1')
      const next = await bucket.update(name, '2', revision)
      expect((await bucket.get(name))?.revision).toBe(next)
      await bucket.delete(name, { previousSeq: next })
    }
    const { seq } = await a.js.publish(names.log('a'), 'x', { expect: { lastSubjectSequence: 0 } })
    await a.js.publish(names.receipt('a', 'an execution'), 'x')
    for (const [stream, subject] of [
      [names.logStream, names.log('a')],
      [names.receiptStream, names.receipt('a', 'an execution')],
    ] as const) {
      expect((await b.jsm.streams.getMessage(stream, { last_by_subj: subject }))?.string()).toBe('x')
      expect((await b.jsm.direct.getMessage(stream, { last_by_subj: subject }))?.string()).toBe('x')
      expect((await b.jsm.streams.info(stream)).state.messages).toBe(1)
    }
    for await (const message of await b.jsm.direct.getBatch(names.logStream, { seq, batch: 10 })) {
      expect(isFromSender(message.header, 'direct')).toBe(true)
    }
    await a.jsm.getAccountInfo()
    for (const subject of [OWN_USER, EVERY_SERVER]) await a.nc.request(subject, '', { timeout: 2_000 })

    const heard = await hearing(b, names.beat('*'), names.request('b', '*'))
    a.nc.publish(names.beat('a'))
    a.nc.publish(names.request('b', 'a'))
    await until(() => heard.length === 2, 'a beat and a request')
    expect(heard.every(message => message.isFromSender)).toBe(true)
    const answers = await hearing(a, `${names.inbox('a')}.secret.>`)
    b.nc.publish(`${names.inbox('a')}.secret.1`)
    await until(() => answers.length === 1, 'the answer')
    expect([...a.violations, ...b.violations]).toEqual([])
  })

  test('a host can neither beat, log, nor request as another, nor listen in its place', async () => {
    const { as, witness } = await fleet()
    const [a, everything] = [await as('a'), await witness()]
    await openStores(a, names)
    const heard = await hearing(everything, 'svc.>', '$KV.>')
    const forbidden = [
      names.beat('b'),
      names.log('b'),
      names.receipt('b', 'an execution'),
      names.request('a', 'b'),
      names.request('b', 'c'),
      bucketKey(names.hosts, 'b'),
    ]
    for (const subject of forbidden) a.nc.publish(subject)
    for (const subject of [names.request('b', '*'), `${names.inbox('b')}.>`, names.log('*'), '>'])
      a.nc.subscribe(subject)
    a.nc.publish(names.beat('a'))
    await until(() => heard.length > 0, 'the beat that is allowed')
    expect(heard.map(({ subject }) => subject)).toEqual([names.beat('a')])
    await until(() => a.violations.length === forbidden.length + 4, 'each refusal')
  })

  test('a host can neither destroy a stream nor have it delivered somewhere', async () => {
    const { as } = await fleet()
    const a = await as('a')
    await openStores(a, names)
    const refused = { name: expect.stringMatching(/Permission|RequestError|TimeoutError/) as string }
    await expect(a.jsm.streams.delete(names.logStream)).rejects.toMatchObject(refused)
    await expect(a.jsm.streams.purge(names.logStream)).rejects.toMatchObject(refused)
    await expect(a.jsm.streams.update(names.logStream, { max_msgs: 1 })).rejects.toMatchObject(refused)
    const consumer = { durable_name: 'd', deliver_subject: names.beat('b') }
    await expect(a.jsm.consumers.add(names.logStream, consumer)).rejects.toMatchObject(refused)
    await expect(a.jsm.streams.info(names.logStream)).resolves.toMatchObject({ config: { name: names.logStream } })
  })

  test('a client can read and ask, and write nothing', async () => {
    const { as, witness } = await fleet()
    const a = await as('a')
    await openStores(a, names)
    await a.js.publish(names.log('a'), 'x')
    const [c, everything] = [await as('c'), await witness()]
    expect((await c.jsm.direct.getMessage(names.logStream, { seq: 1 }))?.string()).toBe('x')
    await c.jsm.streams.info(names.logStream)
    const heard = await hearing(everything, 'svc.>', '$KV.>')
    for (const subject of [names.beat('c'), names.log('c'), names.request('a', 'a'), bucketKey(names.keys, 'k')]) {
      c.nc.publish(subject)
    }
    c.nc.publish(names.request('a', 'c'))
    await until(() => heard.length > 0, 'the request')
    expect(heard.map(({ subject }) => subject)).toEqual([names.request('a', 'c')])
  })

  test('what a host has the servers say in the name of another is told apart', async ({ expect }) => {
    const { as } = await fleet()
    const [a, b] = [await as('a'), await as('b')]
    const { hosts } = await openStores(a, names)
    await a.js.publish(names.log('a'), 'forged')
    const heard = await hearing(b, names.beat('*'), names.request('b', '*'))
    for (const subject of [names.beat('c'), names.request('b', 'c'), names.log('b'), bucketKey(names.hosts, 'b')]) {
      a.nc.publish(`$JS.API.DIRECT.GET.${names.logStream}.${names.log('a')}`, '', { reply: subject })
    }
    await until(() => heard.length === 2, 'both messages')
    expect(heard.some(message => message.isFromSender)).toBe(false)
    await expect.poll(() => hosts.get('b')).not.toBeNull()
    const last = { last_by_subj: names.log('b') }
    expect(isFromSender((await b.jsm.streams.getMessage(names.logStream, last))?.header, 'live')).toBe(false)
    expect(isFromSender((await b.jsm.direct.getMessage(names.logStream, last))?.header, 'direct')).toBe(false)
    const own = { last_by_subj: names.log('a') }
    expect(isFromSender((await b.jsm.streams.getMessage(names.logStream, own))?.header, 'live')).toBe(true)
    expect(isFromSender((await b.jsm.direct.getMessage(names.logStream, own))?.header, 'direct')).toBe(true)
  })

  test('a host that is silent is not kept alive by a beat that another had the servers say', async () => {
    const { as } = await fleet()
    const [a, b] = [await as('a'), await as('b')]
    const { hosts, owners } = await openStores(a, names)
    const record = {
      protocol: 1,
      instance: 'i',
      version: '1',
      pid: 1,
      startedAt: 1,
      draining: false,
      labels: {},
      devices: [],
    }
    for (const [host, { js }] of [
      ['a', a],
      ['b', b],
    ] as const) {
      await js.publish(bucketKey(names.hosts, host), JSON.stringify({ ...record, host }))
    }
    const directory = await createDirectory({ connection: a, names, hosts, owners, clock: systemClock() })
    atEnd(() => directory.close())
    const beat = JSON.stringify({ instance: 'i', revision: 1, head: 1, mirrored: 1, busy: [] })
    await a.js.publish(names.log('a'), beat)
    const heard = await hearing(a, names.beat('b'))
    a.nc.publish(`$JS.API.DIRECT.GET.${names.logStream}.${names.log('a')}`, '', { reply: names.beat('b') })
    await until(() => heard.length === 1, 'the forged beat')
    a.nc.publish(names.beat('a'), beat)
    await until(() => directory.isAlive('a'), 'the beat of the host itself')
    expect(directory.isAlive('b')).toBe(false)
    b.nc.publish(names.beat('b'), beat)
    await until(() => directory.isAlive('b'), 'the beat of the other host itself')
  })

  test('a key that the servers do not know is refused', async () => {
    const { urls } = await lab({ auth: fleetMembers(keysFolder(), names, { hosts: ['a'] }).auth })
    const { credsOf } = fleetMembers(keysFolder(), names, { hosts: ['stranger'] })
    await expect(connected({ urls, self: 'a', credsFile: credsOf('stranger') })).rejects.toThrow(/authorization/i)
  })

  describe.skipIf(!needs('openssl'))('with TLS', () => {
    test('a host trusts the authority it is given, and no other', async () => {
      const { ca, cert, key: serverKey } = makeCertificates(folder())
      const { urls } = await lab({ tls: { cert, key: serverKey } })
      const trusting = await connected({ urls, self: 'a', caFile: ca })
      expect(trusting.isUp()).toBe(true)
      await expect(connected({ urls, self: 'a' })).rejects.toThrow(/certificate/i)
      const plain = urls.map(url => url.replace('tls://', 'nats://'))
      expect((await connected({ urls: plain, self: 'a', caFile: ca })).isUp()).toBe(true)
    })
  })
})
