/** The log of a fleet while each of its servers is killed: still every record of the journal, in order and once. */
import { describe, expect, test } from 'vitest'
import { followed, mirrored, mirrorOf, newJournal, told, transitionsOf, writing } from '../fleet/events/mirroring.ts'
import { fleetServers } from '../fleet/events/servers.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

const startServers = fleetServers()

describe.skipIf(!needs('nats-server'))('the log', () => {
  test('has no gap and no repeat after kill -9 of each server in turn, its leader first', {
    timeout: 180_000,
  }, async () => {
    const servers = await startServers(3)
    const journal = newJournal()
    const mirror = mirrorOf({ servers, connection: await servers.connect('a'), journal })
    const reader = followed(servers, await servers.connect('r'))
    const end = writing(journal)
    await until(() => reader.entries.length > 20, 'the first records')
    const leader = (await servers.leaderOf(servers.names.logStream)) ?? 0
    for (const node of [leader, (leader + 1) % 3, (leader + 2) % 3]) {
      await servers.kill(node)
      const before = reader.entries.length
      await until(() => reader.entries.length > before + 20, 'records after a kill', 40_000)
      await servers.restart(node)
    }
    await end()
    await mirrored(mirror)
    await until(() => reader.entries.length >= journal.head(), 'all of it', 40_000)
    expect(reader.entries).toHaveLength(journal.head())
    expect(transitionsOf(reader.entries)).toEqual(told(journal))
    await Promise.all([mirror.close(), reader.end()])
  })
})
