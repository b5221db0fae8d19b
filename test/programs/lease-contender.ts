/** Takes and gives back one lease for a while, stating each entry and each exit in a file that all contenders append to. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { pause, systemClock } from '../../src/runtime/clock.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { mayLive, thisProcess } from '../../src/runtime/processes/processes.ts'

const [path = '', log = '', name = 'c', ms = '0', mode = 'release'] = process.argv.slice(2)
const clock = systemClock()
const journal = openJournal({ path, alive: mayLive, clock })
const file = openSync(log, 'a')
const holder = { ...thisProcess(), instance: name }
const say = (fact: Record<string, unknown>) =>
  writeSync(file, `${JSON.stringify({ by: name, at: clock.now(), ...fact })}\n`)

process.stdout.write('ready\n')
const end = clock.elapsed() + Number(ms)
while (clock.elapsed() < end) {
  const claim = await journal.leases.acquire({ key: 'device', holder, since: clock.now(), note: { by: name } })
  if (!claim.granted) {
    await pause(clock, 2)
    continue
  }
  const { fence } = claim.lease
  say({ enter: fence })
  await pause(clock, mode === 'hold' ? 60_000 : 1 + (fence % 5))
  say({ leave: fence })
  await journal.leases.release(claim.lease)
  await pause(clock, 1)
}
closeSync(file)
journal.close()
