/** The log while servers are killed and links are cut: still every record of the journal, in order and once. */
import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { until, wait } from '../../support/until.ts'
import { busyLog, fill, followed, mirrored, mirrorOf, newJournal, told, transitionsOf } from './mirroring.ts'
import { fleetServers } from './servers.ts'

const startServers = fleetServers()

describe.skipIf(!needs('nats-server')).concurrent('the log', () => {
  test('has nothing twice when all servers die with a publish under way, and come back', {
    timeout: 120_000,
  }, async () => {
    const servers = await startServers(3)
    const { journal, entries, finish } = await busyLog(servers)
    await Promise.all([0, 1, 2].map(node => servers.kill(node)))
    await wait(1_000)
    for (const node of [0, 1, 2]) servers.start(node)
    await servers.ready()
    await finish()
    expect(transitionsOf(entries)).toEqual(told(journal))
  })

  test('takes no publish of an ended mirror that arrives after its successor has begun', async () => {
    const servers = await startServers(1)
    const link = await servers.linkTo(0)
    const journal = newJournal()
    await fill(journal, 0, 10)
    const first = mirrorOf({ servers, connection: await servers.connect('a', link.url), journal })
    await mirrored(first)
    link.cut('silent')
    await fill(journal, 10, 20)
    // Long enough for it to be written to the link, where it waits.
    await wait(300)
    await first.close()

    const reader = followed(servers, await servers.connect('r'))
    await fill(journal, 20, 40)
    const second = mirrorOf({ servers, connection: await servers.connect('a'), journal })
    await mirrored(second)
    link.heal()
    await wait(300)
    await fill(journal, 40, 50)
    await mirrored(second)
    await until(() => reader.entries.length >= 50, 'all of it')
    expect(transitionsOf(reader.entries)).toEqual(told(journal))
    await Promise.all([second.close(), reader.end()])
  })

  test('has what was published while no answer came once, and later what follows', async () => {
    const servers = await startServers(1)
    const link = await servers.linkTo(0)
    const notes: string[] = []
    const { journal, entries, finish } = await busyLog(servers, link.url, notes)
    link.cut('silent')
    // A publish is given up after five seconds; the link is lost about then, too.
    await until(() => notes.length > 0, 'a publish that failed', 30_000)
    link.heal()
    await finish()
    expect(transitionsOf(entries)).toEqual(told(journal))
    expect(notes[0]).toMatch(/^the log of the fleet cannot be written: .+; it is tried again$/)
  })
})
