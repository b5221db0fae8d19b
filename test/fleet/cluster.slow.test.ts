/** A fleet as it is meant to be: three servers, a key for each host, and no need for --fleet-unsafe. */
import { describe, expect, test } from 'vitest'
import { fleetLab } from '../support/fleet/fleet-lab.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

describe.skipIf(!needs('nats-server'))('three servers and a key for each host', () => {
  const make = fleetLab()

  test('are joined without a complaint, and lose one of them without anybody noticing for long', async () => {
    const lab = await make({ nodes: 3, keys: true, phones: [['lab1', 'lab2'], ['lab2']] })
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    // A cluster that has only just elected its leaders may let a first request wait.
    for (const host of [one, two])
      expect(
        host
          .stderr()
          .split('\n')
          .filter(line => line.startsWith('fleet:') && !/yet: /.test(line)),
      ).toEqual([])
    expect((await one.post('/snapshot', { deviceId: two.serial(1) })).status).toBe(200)

    await lab.nats.kill(0)
    const isServed = async () => (await one.post('/snapshot', { deviceId: two.serial(1) })).status === 200
    await until(isServed, 'requests to pass with two servers', 30_000)
    one.unplug(0)
    two.plug(0)
    await lab.owned('lab2', 0)
    const moved = async () => (await one.post('/snapshot', { deviceId: `${two.serial(0)}@lab2` })).status === 200
    await until(moved, 'a phone to be moved with two servers', 30_000)
  }, 120_000)
})
