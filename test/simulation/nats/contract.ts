/** What a fleet relies on of NATS, for each call that it uses: the same for real servers and for simulated ones. */
import { RequestError } from '@nats-io/transport-node'
import { expect } from 'vitest'
import { seeOwnUser, seeServers } from '../../../src/fleet/servers/servers.ts'
import { openStores } from '../../../src/fleet/servers/stores.ts'
import { type BenchRunner, type BenchTests, benchTests, LONG_MS } from './bench.ts'
import { streamsContract } from './contract-streams.ts'

const messagesContract = ({ onBench, until }: BenchTests): void => {
  onBench('messages reach whoever listens, in order', async (bench, link, names) => {
    const other = await bench.connect(names, 'two')
    const heard: string[] = []
    link.nc.subscribe(names.beat('*'), { callback: (_, message) => void heard.push(message.string()) })
    const walked: string[] = []
    const subscription = link.nc.subscribe(names.beat('two'))
    const walk = (async () => {
      for await (const message of subscription) walked.push(`${message.subject} ${message.string()}`)
    })()
    await link.nc.flush()
    for (let index = 0; index < 5; index++) other.nc.publish(names.beat('two'), `${index}`)
    await until(bench, () => heard.length === 5)
    expect(heard).toEqual(['0', '1', '2', '3', '4'])
    subscription.unsubscribe()
    await walk
    expect(walked).toEqual(heard.map(text => `${names.beat('two')} ${text}`))
  })

  onBench('a request is answered, or nobody is there, or it takes too long', async (bench, link, names) => {
    const other = await bench.connect(names, 'two')
    const subject = names.request('two', 'one')
    const ask = (timeout: number) => link.nc.request(subject, 'ask', { timeout })
    const nobody = await ask(LONG_MS).catch((error: unknown) => error)
    expect(nobody).toBeInstanceOf(RequestError)
    expect((nobody as RequestError).isNoResponders()).toBe(true)
    let isAnswering = true
    other.nc.subscribe(subject, {
      callback(_, { reply, data }) {
        if (isAnswering && reply) other.nc.publish(reply, `${Buffer.from(data)}ed`)
      },
    })
    await other.nc.flush()
    expect((await ask(LONG_MS)).string()).toBe('asked')
    isAnswering = false
    expect(String(await ask(200).catch((error: unknown) => error))).toMatch(/timeout/i)
  })

  onBench('a message that nobody hears is answered with 503 and no bytes', async (bench, link, names) => {
    const heard: [number | undefined, number][] = []
    const reply = `${names.inbox('one')}.reply`
    link.nc.subscribe(reply, { callback: (_, { headers, data }) => void heard.push([headers?.code, data.length]) })
    link.nc.publish(names.request('nobody', 'one'), 'ask', { reply })
    await until(bench, () => heard.length > 0)
    expect(heard).toEqual([[503, 0]])
  })

  onBench('the servers tell of themselves and of their user', async ({ clock }, link) => {
    const servers = await seeServers(link, clock)
    expect(servers.length).toBeGreaterThan(0)
    for (const { id, version, jetstream } of servers) {
      expect([id.length > 0, jetstream]).toEqual([true, true])
      expect(version).toMatch(/^\d+\.\d+/)
    }
    expect(await seeOwnUser(link)).toEqual({})
    expect(link.serverVersion()).toMatch(/^\d+\.\d+/)
    expect(link.nc.info?.max_payload).toBe(1_024 * 1_024)
  })

  onBench(
    'after a restart a link comes back, with what it listens to and what was stored',
    async (bench, link, names) => {
      const { owners } = await openStores(link, names)
      const revision = await owners.put('a', '1', { previousSeq: 0 })
      const heard: string[] = []
      link.nc.subscribe(names.beat('*'), { callback: (_, message) => void heard.push(message.string()) })
      await link.nc.flush()
      const changes: boolean[] = []
      link.onChange(isUp => void changes.push(isUp))
      await bench.restart()
      await until(bench, () => changes.includes(true) && link.isUp())
      expect(changes[0]).toBe(false)
      const other = await bench.connect(names, 'two')
      await until(bench, () => {
        other.nc.publish(names.beat('two'), 'back')
        return heard.length > 0
      })
      await until(bench, async () => (await owners.get('a').catch(() => undefined))?.revision === revision)
    },
  )

  onBench('a closed link takes nothing', async (_, link, names) => {
    await link.close()
    expect(link.isUp()).toBe(false)
    expect(() => link.nc.publish(names.beat('one'), 'late')).toThrow()
    await expect(link.nc.request(names.beat('one'), 'late', { timeout: 200 })).rejects.toThrow()
  })
}

export const natsContract = (runner: BenchRunner): void => {
  const tests = benchTests(runner)
  streamsContract(tests)
  messagesContract(tests)
}
