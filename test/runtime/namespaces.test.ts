/** A home that is shared with a container: an owner that cannot be seen from here is one for as long as it says so. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LEASE_EXPIRES_MS, LEASE_RENEW_MS } from '../../src/contracts/limits/limits.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { withLock } from '../../src/runtime/files/with-lock.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { createRenewal } from '../../src/runtime/ownership/renewal.ts'
import { bootId, isAlive, mayLive, placeOf, thisProcess } from '../../src/runtime/processes/processes.ts'
import { linesIn } from '../support/lines.ts'
import { manualClock } from '../support/manual-clock.ts'
import { plainEnv, programPath } from '../support/run-program.ts'
import { temporary } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const folder = temporary('svc-namespaces-')
const self = thisProcess()
const NOBODY = 2 ** 22 + 1
const isLinux = process.platform === 'linux'

test.runIf(isLinux)('a start time names its boot and its namespace, and counts there only', () => {
  const place = placeOf(self.started)
  const ticks = self.started.slice(place.length)
  expect(place).toMatch(new RegExp(`^${bootId()}@\\d+$`))
  expect(mayLive(self)).toBe(true)
  expect(mayLive({ pid: NOBODY, started: self.started }), 'gone from here').toBe(false)
  for (const elsewhere of [`${bootId()}@1${ticks}`, `other-boot@1${ticks}`, 'Mon Nov 23 14:21:17 2026']) {
    expect([mayLive({ pid: self.pid, started: elsewhere }), isAlive({ pid: self.pid, started: elsewhere })]).toEqual([
      undefined,
      false,
    ])
  }
  const earlier = `${bootId()}${ticks}`
  expect(mayLive({ pid: self.pid, started: earlier }), 'written by an earlier version').toBe(true)
  expect(mayLive({ pid: NOBODY, started: earlier })).toBeUndefined()
})

test('what is owned for long is renewed, and a click writes nothing more', async () => {
  const clock = manualClock()
  const renewed: string[] = []
  const lease = (key: string, since: number) => ({ key, fence: 1, since, note: {}, holder: { ...self, instance: 'i' } })
  let grants = [lease('long', clock.now())]
  const leases = {
    renew: async (due: readonly { key: string }[]) => {
      renewed.push(...due.map(({ key }) => key))
    },
  }
  createRenewal({ leases, clock, grants: () => grants, isNeeded: () => grants.length > 0 }).start()
  clock.advance(LEASE_RENEW_MS / 2)
  grants = [...grants, lease('click', clock.now())]
  clock.advance(LEASE_RENEW_MS / 2)
  expect(renewed).toEqual(['long'])
  grants = []
  clock.advance(LEASE_RENEW_MS)
  expect([renewed, clock.pending()]).toEqual([['long'], 0])
})

const UNSHARE = ['--pid', '--fork', '--mount-proc', '--kill-child']
const canUnshare = isLinux && spawnSync('unshare', [...UNSHARE, 'true']).status === 0
if (!canUnshare)
  console.log('test/runtime/namespaces: this user may not make a namespace of pids, so one test is skipped')

test.runIf(canUnshare)(
  'a holder in another namespace keeps its phone and its lock until it renews them no more',
  async () => {
    const clock = systemClock()
    const path = join(folder(), 'home', 'journal.db')
    const log = join(folder(), 'holder.log')
    mkdirSync(join(folder(), 'home'))
    openJournal({ path, alive: mayLive, clock }).close()
    const holder = spawn(
      'unshare',
      [...UNSHARE, process.execPath, programPath('lease-contender'), path, log, 'far', '20000', 'hold'],
      { env: plainEnv(), stdio: 'ignore' },
    )
    const ended = once(holder, 'exit')
    const later = { ...clock, now: () => clock.now() + LEASE_EXPIRES_MS }
    const near = openJournal({ path, alive: mayLive, clock })
    const patient = openJournal({ path, alive: mayLive, clock: later })
    try {
      await until(() => linesIn(log).length > 0, 'the holder to own the phone')
      const claim = () => ({ key: 'device', holder: { ...self, instance: 'near' }, since: clock.now(), note: {} })
      const far = near.leases.read('device')?.holder
      expect(far && isAlive(far)).toBe(false)
      expect(await near.leases.acquire(claim())).toMatchObject({ granted: false, lease: { holder: far } })

      const lock = join(folder(), 'x.lock')
      writeFileSync(lock, JSON.stringify({ pid: far?.pid, startTime: far?.started, createdAt: 1 }))
      expect(await withLock({ path: lock, clock, waitMs: 50 }, () => 'entered')).toMatchObject({ ok: false })
      const old = (clock.now() - LEASE_EXPIRES_MS) / 1_000
      utimesSync(lock, old, old)
      expect(await withLock({ path: lock, clock, waitMs: 1_000 }, () => 'entered')).toMatchObject({ ok: true })

      holder.kill('SIGKILL')
      await ended
      expect((await near.leases.acquire(claim())).granted, 'nobody here can know that it is gone').toBe(false)
      expect(await patient.leases.acquire(claim())).toMatchObject({ granted: true, lease: { fence: 2 } })
    } finally {
      holder.kill('SIGKILL')
      near.close()
      patient.close()
    }
  },
)
