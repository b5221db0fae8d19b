/** A host of a fleet that handles requests, tells each on stdout, and is killed or frozen from outside. */

import { createExchange } from '../../src/fleet/exchange/exchange.ts'
import { connectFleet } from '../../src/fleet/servers/connection.ts'
import { namesOf } from '../../src/fleet/servers/names.ts'
import { pause, systemClock } from '../../src/runtime/clock.ts'

const [url = '', self = '', instance = ''] = process.argv.slice(2)
const clock = systemClock()
const names = namesOf('lab')
const connection = await connectFleet({ urls: [url], names, self }, clock)
const exchange = createExchange({ connection, names, self, clock })
exchange.serve(instance, async ({ id, headers }, { progress }) => {
  process.stdout.write(`${id}\n`)
  progress({ executionId: `of-${id}`, dispatched: true })
  await pause(clock, Number(headers['x-ms'] ?? 0))
  return { status: 200, headers: {}, body: Buffer.alloc(Number(headers['x-bytes'] ?? 4), 'x') }
})
await connection.nc.flush()
process.stdout.write('ready\n')
