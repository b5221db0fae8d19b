/** Requests between hosts that are connected to different nodes of a cluster. */
import { describe, expect, test } from 'vitest'
import { createExchange } from '../../../src/fleet/exchange/exchange.ts'
import { connectFleet } from '../../../src/fleet/servers/connection.ts'
import { natsLab } from '../../support/fleet/nats-lab.ts'
import { needs } from '../../support/needs.ts'
import { testEnd } from '../../support/per-test.ts'
import { until, wait } from '../../support/until.ts'
import { alive, bytesOf, ok, requestOf, said } from './hosts.ts'
import { clock, names } from './server.ts'

const MIB = 1_024 * 1_024

describe.skipIf(!needs('nats-server')).concurrent('across nodes', { timeout: 120_000 }, () => {
  const lab = natsLab()
  const atEnd = testEnd()

  const exchangeOn = async (urls: readonly string[], self: string) => {
    const connection = await connectFleet({ urls, names, self }, clock)
    atEnd(() => connection.close())
    return { exchange: createExchange({ connection, names, self, clock }), server: connection.nc.getServer() }
  }

  test('the node of the host is killed in its work: it is reached over another one, and handles the request once', async () => {
    const { urls, kill } = await lab({ nodes: 3 })
    const { exchange: b, server } = await exchangeOn(urls, 'b')
    const node = urls.findIndex(url => url.endsWith(server))
    const { exchange: a } = await exchangeOn(urls.slice((node + 1) % 3, ((node + 1) % 3) + 1), 'a')
    const body = bytesOf(3 * MIB)
    let handled = 0
    b.serve('i1', async () => {
      handled++
      await wait(2_000)
      return ok(body)
    })
    const asked = a.ask('b', requestOf({ withinMs: 60_000 }), alive)
    await until(() => handled === 1, 'the request to arrive')
    await kill(node)
    const exchanged = await asked
    expect(exchanged.kind === 'done' && body.equals(exchanged.answer.body)).toBe(true)
    expect(handled).toBe(1)
  })

  test('a node that is cut off from the others: what was taken is answered once they are together again', async () => {
    const { urls, cut, heal } = await lab({ nodes: 3, proxied: true })
    const [first = '', second = ''] = urls
    const { exchange: a } = await exchangeOn([first], 'a')
    const { exchange: b } = await exchangeOn([second], 'b')
    let handled = 0
    b.serve('i1', async () => {
      handled++
      await wait(1_000)
      return ok('done')
    })
    const asked = a.ask('b', requestOf({ withinMs: 60_000 }), alive)
    await until(() => handled === 1, 'the request to arrive')
    cut(1)
    await wait(3_000)
    heal(1)
    expect(said(await asked)).toBe('done')
    expect(handled).toBe(1)
  })
})
