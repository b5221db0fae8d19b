/** The log of a fleet while each of its servers is killed: still every record of the journal, in order and once. */
import { describe, expect, test } from 'vitest'
import { busyLog, told, transitionsOf } from '../fleet/events/mirroring.ts'
import { fleetServers } from '../fleet/events/servers.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

const startServers = fleetServers()

describe.skipIf(!needs('nats-server'))('the log', () => {
  test('has no gap and no repeat after kill -9 of each server in turn, its leader first', {
    timeout: 180_000,
  }, async () => {
    const servers = await startServers(3)
    const { journal, entries, finish } = await busyLog(servers)
    const leader = (await servers.leaderOf(servers.names.logStream)) ?? 0
    for (const node of [leader, (leader + 1) % 3, (leader + 2) % 3]) {
      await servers.kill(node)
      const before = entries.length
      await until(() => entries.length > before + 20, 'records after a kill', 40_000)
      await servers.restart(node)
    }
    await finish()
    expect(entries).toHaveLength(journal.head())
    expect(transitionsOf(entries)).toEqual(told(journal))
  })
})
