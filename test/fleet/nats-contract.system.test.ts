/** A real nats-server keeps the contract that the simulated ones are held to. */
import { describe } from 'vitest'
import { connectFleet } from '../../src/fleet/servers/connection.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { natsContract } from '../simulation/nats/contract.ts'
import { natsLab } from '../support/fleet/nats-lab.ts'
import { needs } from '../support/needs.ts'
import { testEnd } from '../support/per-test.ts'

describe.skipIf(!needs('nats-server'))('a real server', () => {
  const start = natsLab()
  const atEnd = testEnd()
  natsContract({
    async run(work) {
      const clock = systemClock()
      const lab = await start({ nodes: 1, syncAlways: false })
      await work({
        clock,
        async connect(names, self) {
          const link = await connectFleet({ urls: lab.urls, names, self }, clock)
          atEnd(() => link.nc.close().catch(() => {}))
          return link
        },
        async restart() {
          await lab.kill(0)
          await lab.restart(0)
        },
      })
    },
  })
})
