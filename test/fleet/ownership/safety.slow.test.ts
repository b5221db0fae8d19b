/** What svc says of real servers in settings that keep a fleet safe, and in some that do not. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inspectServers } from '../../../src/fleet/ownership/safety.ts'
import { connectFleet } from '../../../src/fleet/servers/connection.ts'
import { namesOf } from '../../../src/fleet/servers/names.ts'
import { openStores } from '../../../src/fleet/servers/stores.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { fleetMembers } from '../../support/fleet/fleet-members.ts'
import { natsLab } from '../../support/fleet/nats-lab.ts'
import { needs } from '../../support/needs.ts'
import { testEnd } from '../../support/per-test.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-safety-')
const keysFolder = () => mkdtempSync(join(folder(), 'keys-'))
const names = namesOf('f')

describe.skipIf(!needs('nats-server')).concurrent('servers', () => {
  const lab = natsLab()
  const atEnd = testEnd()

  interface Asked {
    urls: readonly string[]
    credsFile?: string
    monitors?: readonly string[]
    /** Milliseconds by which the clock of the host is wrong. */
    wrongMs?: number
  }

  const connected = async ({ urls, credsFile, wrongMs = 0 }: Asked) => {
    const real = systemClock()
    const clock = {
      ...real,
      now: () => real.now() + wrongMs,
      at: (at: number, call: () => void) => real.at(at - wrongMs, call),
    }
    const connection = await connectFleet({ urls, names, self: 'a', credsFile }, clock)
    atEnd(() => connection.close())
    return { connection, clock }
  }

  const inspected = async (asked: Asked) => {
    const checks = await inspectServers({ ...(await connected(asked)), names, self: 'a', monitors: asked.monitors })
    return Object.fromEntries(checks.map(({ check, level }) => [check, level]))
  }

  const SAFE = {
    version: 'ok',
    jetstream: 'ok',
    copies: 'ok',
    sync: 'ok',
    clock: 'ok',
    payload: 'ok',
    permissions: 'ok',
    identity: 'ok',
  }

  test('three that write at once, and know their users, are safe before and after the first host; two of them as well', async ({
    expect,
  }) => {
    const { auth, credsOf } = fleetMembers(keysFolder(), names, { hosts: ['a'] })
    const servers = await lab({ nodes: 3, auth })
    const asked = { urls: servers.urls, monitors: servers.monitors, credsFile: credsOf('a') }
    expect(await inspected(asked)).toEqual(SAFE)
    await openStores((await connected(asked)).connection, names)
    expect(await inspected(asked)).toEqual(SAFE)
    await servers.kill(2)
    await expect.poll(() => inspected(asked), { timeout: 40_000 }).toEqual({ ...SAFE, copies: 'warn', sync: 'warn' })
  })

  test('one alone keeps one copy, in general and of the streams that are there', async () => {
    const { urls, monitors } = await lab()
    const alone = { ...SAFE, copies: 'unsafe', identity: 'warn' }
    expect(await inspected({ urls, monitors })).toEqual(alone)
    await openStores((await connected({ urls })).connection, names)
    expect(await inspected({ urls, monitors })).toEqual(alone)
  })

  test('late writes to disk are seen on the monitoring port only', async () => {
    const late = await lab({ syncAlways: false })
    expect(await inspected({ urls: late.urls, monitors: late.monitors })).toMatchObject({ sync: 'unsafe' })
    expect(await inspected({ urls: late.urls })).toMatchObject({ sync: 'warn' })
    const other = await lab()
    expect(await inspected({ urls: late.urls, monitors: other.monitors })).toMatchObject({ sync: 'warn' })
    expect(await inspected({ urls: late.urls, monitors: ['http://127.0.0.1:1'] })).toMatchObject({ sync: 'warn' })
  })

  test('without JetStream, in the servers or for the account', async () => {
    const { urls } = await lab({ jetstream: false })
    expect(await inspected({ urls })).toMatchObject({ jetstream: 'unsafe' })
    const auth =
      'accounts { A: { users: [{ user: a, password: a }] }, J: { jetstream: enabled, users: [{ user: j, password: j }] } }'
    const servers = await lab({ auth })
    const as = (user: string) => servers.urls.map(url => url.replace('://', `://${user}:${user}@`))
    expect(await inspected({ urls: as('a') })).toMatchObject({ jetstream: 'unsafe' })
    expect(await inspected({ urls: as('j') })).toMatchObject({ jetstream: 'ok' })
  })

  test('messages that are too small, and a clock that is wrong', async () => {
    const { urls } = await lab({ config: 'max_payload: 65536' })
    expect(await inspected({ urls, wrongMs: 60_000 })).toMatchObject({ payload: 'unsafe', clock: 'unsafe' })
    expect(await inspected({ urls, wrongMs: -60_000 })).toMatchObject({ clock: 'unsafe' })
  })

  test('a user who may do only some of it, and one who may not even look', async () => {
    const user = (name: string, allow: string) =>
      `{ user: ${name}, password: ${name}, permissions: { publish: { allow: [${allow}] }, subscribe: { allow: ["svc.f.re.a.>"] } } }`
    const some = '"svc.f.>", "$JS.API.INFO", "$JS.API.STREAM.INFO.>", "$SYS.REQ.>"'
    const { urls } = await lab({
      auth: `authorization { users: [${user('some', some)}, ${user('blind', '"nothing"')}] }`,
    })
    const as = (name: string) => urls.map(url => url.replace('://', `://${name}:${name}@`))
    expect(await inspected({ urls: as('some') })).toMatchObject({
      jetstream: 'ok',
      permissions: 'unsafe',
      identity: 'warn',
    })
    expect(await inspected({ urls: as('blind') })).toMatchObject({
      version: 'ok',
      jetstream: 'unsafe',
      clock: 'warn',
      permissions: 'warn',
      identity: 'warn',
    })
  })
})
