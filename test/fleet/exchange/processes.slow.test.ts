/** Requests to another process that is killed, frozen or started again, and over servers that are. */
import { describe, expect, test } from 'vitest'
import { createExchange } from '../../../src/fleet/exchange/exchange.ts'
import { LATE_MS } from '../../../src/fleet/exchange/limits.ts'
import { needs } from '../../support/needs.ts'
import { testEnd } from '../../support/per-test.ts'
import { startProgram } from '../../support/run-program.ts'
import { until, wait } from '../../support/until.ts'
import { alive, requestOf, said } from './hosts.ts'
import { clock, type NatsServer, names, natsServers } from './server.ts'

const MIB = 1_024 * 1_024

describe.skipIf(!needs('nats-server')).concurrent('a host in another process', { timeout: 60_000 }, () => {
  const start = natsServers()
  const atEnd = testEnd()

  const receiver = async (url: string, instance = 'i1') => {
    const { child, ended } = startProgram('fleet-receiver', [url, 'b', instance])
    atEnd(async () => {
      child.kill('SIGKILL')
      await ended
    })
    let text = ''
    child.stdout?.on('data', chunk => {
      text += chunk
    })
    await until(() => text.includes('ready\n'), 'the receiver to be ready')
    return { child, handled: (id: string) => text.split('\n').filter(line => line === id).length }
  }
  const askerOn = async (server: NatsServer, url?: string) =>
    createExchange({ connection: await server.connect('a', url), names, self: 'a', clock })
  const taking = (ms: number, bytes = 4) => ({ headers: { 'x-ms': String(ms), 'x-bytes': String(bytes) } })

  test('that is killed while it works: the ask ends when the host counts as dead, with what was heard', async () => {
    const server = await start()
    const a = await askerOn(server)
    const { child } = await receiver(server.url)
    let isAlive = true
    const request = requestOf({ ...taking(20_000), withinMs: 30_000 })
    const asked = a.ask('b', request, {
      isAlive: () => isAlive,
      onProgress() {
        child.kill('SIGKILL')
        isAlive = false
      },
    })
    expect(await asked).toEqual({
      kind: 'unknown',
      accepted: true,
      progress: { executionId: `of-${request.id}`, dispatched: true },
    })
  })

  test('that was killed before takes nothing', async () => {
    const server = await start()
    const a = await askerOn(server)
    const { child } = await receiver(server.url)
    child.kill('SIGKILL')
    await new Promise(resolve => child.once('exit', resolve))
    // What the server hands over before it knows is lost, and nobody has taken it.
    const isAbsent = async () => {
      const exchanged = await a.ask('b', requestOf({ withinMs: 2_000 }), alive)
      if (exchanged.kind !== 'not sent') expect(exchanged).toEqual({ kind: 'unknown', accepted: false })
      return exchanged.kind === 'not sent'
    }
    await until(isAbsent, 'the server to know that it has gone', 30_000)
  })

  test('that stands still for a while handles the request once, however often it was repeated meanwhile', async () => {
    const server = await start()
    const a = await askerOn(server)
    const { child, handled } = await receiver(server.url)
    child.kill('SIGSTOP')
    const request = requestOf({ withinMs: 30_000 })
    const asked = a.ask('b', request, alive)
    await wait(2_500)
    child.kill('SIGCONT')
    expect(said(await asked)).toBe('xxxx')
    await wait(500)
    expect(handled(request.id)).toBe(1)
  })

  test('that stands still for longer than the asker waits does not begin then', async () => {
    const server = await start()
    const a = await askerOn(server)
    const { child, handled } = await receiver(server.url)
    child.kill('SIGSTOP')
    const request = requestOf({ withinMs: 1_000 })
    expect(await a.ask('b', request, alive)).toEqual({ kind: 'unknown', accepted: false })
    await wait(LATE_MS + 500)
    child.kill('SIGCONT')
    const later = requestOf()
    expect(said(await a.ask('b', later, alive))).toBe('xxxx')
    expect([handled(request.id), handled(later.id)]).toEqual([0, 1])
  })

  test('that was started again says so, and takes nothing that was meant for the one before', async () => {
    const server = await start()
    const a = await askerOn(server)
    const first = await receiver(server.url)
    const asked = a.ask('b', requestOf({ ...taking(20_000), withinMs: 30_000 }), {
      ...alive,
      onProgress: () => void first.child.kill('SIGKILL'),
    })
    await new Promise(resolve => first.child.once('exit', resolve))
    await receiver(server.url, 'i2')
    expect(await asked).toMatchObject({ kind: 'unknown', accepted: true })
    expect(await a.ask('b', requestOf(), alive)).toEqual({ kind: 'not sent', reason: 'other instance', instance: 'i2' })
  })

  test('is reached again after the server was killed and started, in the middle of its work', async () => {
    const server = await start()
    const a = await askerOn(server)
    const { handled } = await receiver(server.url)
    const request = requestOf({ ...taking(2_000, 3 * MIB), withinMs: 30_000 })
    const asked = a.ask('b', request, alive)
    await until(() => handled(request.id) === 1, 'the request to arrive')
    await server.restart()
    expect(said(await asked)).toHaveLength(3 * MIB)
    expect(handled(request.id)).toBe(1)
  })

  test('is reached again after the server stood still', async () => {
    const server = await start()
    const a = await askerOn(server)
    const { handled } = await receiver(server.url)
    const request = requestOf({ ...taking(500, 3 * MIB), withinMs: 30_000 })
    const asked = a.ask('b', request, alive)
    await until(() => handled(request.id) === 1, 'the request to arrive')
    server.freeze()
    await wait(1_500)
    server.thaw()
    expect(said(await asked)).toHaveLength(3 * MIB)
    expect(handled(request.id)).toBe(1)
  })

  test.each(['cut', 'silence'] as const)('is reached again after the link of the asker was lost (%s)', async how => {
    const server = await start()
    const proxy = await server.proxy()
    const a = await askerOn(server, proxy.url)
    const { handled } = await receiver(server.url)
    const request = requestOf({ ...taking(300, 3 * MIB), withinMs: 40_000 })
    const asked = a.ask('b', request, alive)
    await until(() => handled(request.id) === 1, 'the request to arrive')
    proxy[how]()
    // Longer than it takes until the client notices a link that is silent.
    await wait(how === 'cut' ? 1_000 : 7_000)
    proxy.heal()
    expect(said(await asked)).toHaveLength(3 * MIB)
    expect(handled(request.id)).toBe(1)
  })
})
