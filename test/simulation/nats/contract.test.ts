/** Simulated NATS servers keep the contract that real ones are held to. */
import { connectFleet } from '../../../src/fleet/servers/connection.ts'
import { pause } from '../../../src/runtime/clock.ts'
import { ownedClock } from '../clock.ts'
import { createScheduler } from '../scheduler.ts'
import { natsConnector } from './connection.ts'
import { natsContract } from './contract.ts'
import { createNats } from './server.ts'

const STEP_MS = 1_000
const DOWN_MS = 1_000

natsContract({
  async run(work) {
    const scheduler = createScheduler(1)
    const nats = createNats({ scheduler })
    const owner = scheduler.owner('test')
    const clock = ownedClock(scheduler, owner, { setBy: 0 })
    let isOver = false
    const done = work({
      clock,
      connect: (names, self) =>
        connectFleet(
          { urls: ['nats://simulated'], names, self },
          clock,
          natsConnector({ scheduler, nats, owner, host: self }),
        ),
      async restart() {
        nats.stop()
        await pause(clock, DOWN_MS)
        nats.start()
      },
    }).finally(() => {
      isOver = true
    })
    done.catch(() => {})
    for (let until = STEP_MS; !isOver; until += STEP_MS) {
      await scheduler.run(until)
      await new Promise(resolve => setImmediate(resolve))
    }
    await done
  },
})
