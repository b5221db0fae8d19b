/** The servers that tests of a fleet run against: they start, die, stand still and are cut off when a test says so. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describe, expect, test } from 'vitest'
import { type NatsLab, natsLab } from '../support/fleet/nats-lab.ts'
import { needs } from '../support/needs.ts'
import { testEnd } from '../support/per-test.ts'
import { until, wait } from '../support/until.ts'

const TIMEOUT_MS = 1_500

describe.skipIf(!needs('nats-server')).concurrent('a lab of nats-servers', () => {
  const lab = natsLab()
  const atEnd = testEnd()

  const connected = async (...servers: string[]) => {
    const nc = await connect({ servers, ignoreClusterUpdates: true, maxReconnectAttempts: -1, reconnectTimeWait: 100 })
    atEnd(() => nc.close())
    const js = jetstream(nc, { timeout: TIMEOUT_MS })
    return { nc, js, jsm: await jetstreamManager(nc, { checkAPI: false, timeout: TIMEOUT_MS }) }
  }
  type Connected = Awaited<ReturnType<typeof connected>>

  /** A cluster that has only just been made may leave a request unanswered, or not know its nodes yet; to add the same stream again does nothing. */
  const addStream = async ({ jsm }: Connected, replicas: number) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await jsm.streams.add({ name: 'log', subjects: ['log'], num_replicas: replicas })
      } catch (error) {
        if (tries === 100) throw error
        await wait(100)
      }
    }
  }
  /** The sequence, or undefined: not acknowledged. In a cluster that may be so right after the stream was made, too. */
  const publish = async ({ js }: Connected): Promise<number | undefined> =>
    (await js.publish('log', 'x').catch(() => undefined))?.seq
  const untilPublished = async (client: Connected) => {
    let seq: number | undefined
    for (let tries = 0; seq === undefined && tries < 100; tries++) {
      seq = await publish(client)
      await wait(100)
    }
    return seq
  }
  const leader = async (servers: NatsLab): Promise<number> => {
    let found: number | undefined
    for (let tries = 0; found === undefined && tries < 100; tries++) {
      found = await servers.leaderOf('log')
      await wait(50)
    }
    if (found === undefined) throw new Error('nobody leads the stream')
    return found
  }
  const urlOf = (servers: NatsLab, node: number) => servers.urls[node] as string

  test('a single server keeps what it was told over a kill', async () => {
    const servers = await lab()
    const client = await connected(...servers.urls)
    await addStream(client, 1)
    expect(await publish(client)).toBe(1)
    await servers.kill(0)
    expect(await publish(client)).toBeUndefined()
    await servers.restart(0)
    await until(() => !client.nc.isClosed() && client.nc.getServer() !== '', 'the connection')
    expect(await untilPublished(client)).toBeGreaterThan(1)
  })

  test('three nodes take a stream of three copies at once, and go on without the leader of it', async () => {
    const servers = await lab({ nodes: 3 })
    const client = await connected(...servers.urls)
    await addStream(client, 3)
    expect(await untilPublished(client)).toBeGreaterThan(0)
    const led = await leader(servers)
    await servers.kill(led)
    expect(await untilPublished(client)).toBeGreaterThan(1)
    await servers.restart(led)
    expect(await untilPublished(client)).toBeGreaterThan(2)
  })

  test('a frozen server keeps its connections and answers when it goes on', async () => {
    const servers = await lab()
    const client = await connected(...servers.urls)
    await addStream(client, 1)
    servers.freeze(0)
    expect(await publish(client)).toBeUndefined()
    servers.thaw(0)
    expect(await untilPublished(client)).toBeGreaterThan(1)
  })

  test('a node that is cut off acknowledges nothing, and does again once healed', async () => {
    const servers = await lab({ nodes: 3, proxied: true })
    const client = await connected(...servers.urls)
    await addStream(client, 3)
    const led = await leader(servers)
    servers.cut(led)
    const lonely = await connected(urlOf(servers, led))
    expect(await publish(lonely)).toBeUndefined()
    const majority = await connected(urlOf(servers, (led + 1) % 3))
    expect(await untilPublished(majority)).toBeGreaterThan(0)
    servers.heal(led)
    await servers.ready()
    expect(await untilPublished(lonely)).toBeGreaterThan(0)
  })

  test.each(['silent', 'loud'] as const)('a %s cut keeps one client from its server until it heals', async kind => {
    const servers = await lab()
    const link = await servers.linkTo(0)
    const [through, direct] = [await connected(link.url), await connected(...servers.urls)]
    await addStream(direct, 1)
    expect(await publish(through)).toBe(1)
    link.cut(kind)
    expect(await publish(through)).toBeUndefined()
    expect(await publish(direct)).toBeGreaterThan(1)
    link.heal()
    expect(await untilPublished(through)).toBeGreaterThan(1)
  })

  test('a configuration that the server refuses is said with its own words', async () => {
    await expect(lab({ config: 'no_such_setting: 1' })).rejects.toThrow('no_such_setting')
  })
})
