/** A `svc` that is killed in the middle of a change of an AVD: the next one finds what it left, names it, and repairs it. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Ownership } from '../../../src/contracts/records/journal.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { journalPath } from '../../../src/runtime/home.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive, thisProcess } from '../../../src/runtime/processes/processes.ts'
import type { EmulatorMode } from '../../fixtures/sdk/modes.ts'
import type { RunningCli } from '../../support/cli/run-cli.ts'
import { ABI, type EmulatorLab, type Routes, routesOf, startEmulatorLab } from '../../support/emulators/emulator-lab.ts'
import { needs } from '../../support/needs.ts'
import { until } from '../../support/until.ts'

type Ask = (name: string, ask: 'create' | 'start' | 'stop' | 'delete') => void

/** Every phase that lasts, by the AVD that is left in it. */
const PHASES = {
  deleted: 'busy.deleting',
  created: 'busy.creating',
  installed: 'busy.installing',
  registering: 'busy.starting.awaiting.registering',
  booting: 'busy.starting.awaiting.booting',
  preparing: 'busy.starting.awaiting.preparing',
  stopped: 'busy.stopping',
  looked: 'busy.observing',
} as const
const STARTED = ['registering', 'booting', 'preparing'] as const
const SLOW: Readonly<Record<string, EmulatorMode>> = {
  registering: { registerMs: 'held' },
  booting: { bootMs: 'held' },
  preparing: {},
  stopped: { endMs: 8_000 },
}

describe.skipIf(!needs('adb'))('killed in every phase', () => {
  let lab: EmulatorLab
  let journal: Journal
  let held: Ownership | undefined
  beforeEach(async () => {
    lab = await startEmulatorLab({ modes: { avds: SLOW } })
    const clock = systemClock()
    journal = openJournal({ path: journalPath(lab.svcHome), alive: isAlive, clock })
  })
  afterEach(async () => {
    journal.close()
    await lab.close()
  })

  const stateOf = (name: string) => journal.last(`emulator:${name}`)?.to
  const inPhase = (name: keyof typeof PHASES) =>
    until(() => stateOf(name) === PHASES[name], `${name} in its phase`, 30_000)
  const records = (name: string) =>
    journal.records({ actor: `emulator:${name}`, limit: 1_000 }).map(({ event }) => event)
  const files = () => readdirSync(lab.sdk.avdHome).sort()
  const emulatorOf = (name: string) =>
    lab.sdk.calls('emulator').flatMap(({ argv, pid }) => (argv[0] === `@${name}` ? [pid] : []))
  const orphans = () => {
    const emulators = lab.sdk.calls('emulator').filter(({ argv }) => argv[0]?.startsWith('@'))
    return lab.alive().filter(pid => !emulators.some(call => call.pid === pid))
  }

  /** Brings one AVD into each phase; the tools read their modes when they start. */
  const fill = async (ask: Ask) => {
    lab.addAvds('deleted', ...STARTED, 'stopped')
    const { sdk } = lab
    for (const name of ['registering', 'booting', 'stopped']) ask(name, 'start')
    sdk.setModes({ avds: SLOW, avdmanager: { fault: 'hang-creating' }, sdkmanager: { fault: 'hang-installing' } })
    ask('created', 'create')
    ask('installed', 'create')
    await until(() => existsSync(join(sdk.avdHome, 'created.avd', 'userdata.img')), 'half an AVD', 30_000)
    await until(() => records('installed').some(({ percent }) => percent === 35), 'half an image', 30_000)
    sdk.setModes({ avds: SLOW, avdmanager: { fault: 'hang' } })
    ask('deleted', 'delete')
    await until(() => records('deleted').at(-1)?.type === 'tool.spawned', 'avdmanager to delete', 30_000)
    await until(() => stateOf('stopped') === 'resting.running', 'the emulator that is to be stopped', 30_000)
    const key = `device:emulator-${sdk.basePort + 6}`
    const claim = await journal.leases.acquire({
      key,
      holder: { ...thisProcess(), instance: 'test' },
      since: 1,
      note: {},
    })
    held = claim.lease
    await Promise.all([inPhase('registering'), inPhase('booting')])
    ask('preparing', 'start')
    await inPhase('preparing')
    ask('stopped', 'stop')
    await inPhase('stopped')
    sdk.setModes({ avds: SLOW, avdmanager: { fault: 'hang' }, emulator: { start: 'hangs' } })
    ask('looked', 'create')
    await inPhase('looked')
    expect(orphans().length).toBeGreaterThanOrEqual(3)
  }

  const kill = async (running: readonly RunningCli[]) => {
    for (const { child } of running) child.kill('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    for (const name of ['registering', 'booting', 'preparing', 'created', 'installed', 'deleted'] as const) {
      expect(stateOf(name)).toBe(PHASES[name])
    }
    lab.sdk.setModes({})
    if (held) await journal.leases.release(held)
  }

  /** A start that comes while the emulator is still looked for is asked again. */
  const hasJoined = (name: string) =>
    journal
      .records({ actor: `emulator:${name}`, limit: 1_000 })
      .some(({ event, from }) => event.type === 'start.requested' && from.startsWith('busy.starting'))
  const isRepaired = (name: string) => records(name).some(({ type }) => type === 'leftovers.repaired')

  const repaired = async () => {
    await until(() => orphans().length === 0, 'the orphaned tools to be ended', 30_000)
    await until(
      () => ['created', 'installed', 'looked'].every(name => stateOf(name) === 'resting.none'),
      'the halves to go',
      30_000,
    )
    await until(() => ['deleted', 'stopped'].every(isRepaired), 'the rest to be looked at', 30_000)
    expect(files().filter(file => /^(created|installed|looked)\./.test(file))).toEqual([])
    expect(files()).toEqual(expect.arrayContaining(['deleted.avd', 'deleted.ini', 'stopped.avd', 'stopped.ini']))
  }

  const comeUp = async () => {
    for (const name of STARTED) await until(() => stateOf(name) === 'resting.running', `${name} to come up`, 40_000)
    const alive = lab.alive('emulator')
    for (const name of STARTED) {
      expect(emulatorOf(name).filter(pid => alive.includes(pid))).toHaveLength(1)
      expect(emulatorOf(name)).toHaveLength(1)
      expect(records(name).map(({ type }) => type)).toEqual(
        expect.arrayContaining(['request.interrupted', 'leftovers.repaired', 'settings.enabled']),
      )
    }
  }

  test('svc serve: the next server ends the tools, removes the halves and goes on with the emulators', async () => {
    const first = await lab.serveApart()
    const firstRoutes = routesOf(first.url)
    const bodies = { created: { abi: ABI }, installed: { abi: ABI, apiLevel: 33 }, looked: { abi: ABI } }
    await fill((name, ask) => {
      const body = { name, ...bodies[name as keyof typeof bodies] }
      const asked = ask === 'create' ? firstRoutes.create(body) : firstRoutes[ask](name)
      asked.catch(() => {})
    })
    await kill([first.running])
    const { url, running } = await lab.serveApart()
    const routes: Routes = routesOf(url)
    // A start meets the repair, and has its answer.
    const starting = routes.start('booting')
    await until(() => hasJoined('booting'), 'the start to join')
    lab.release('booting', 'registering')
    const started = await starting
    expect(started.json).toMatchObject({ ok: true, avdName: 'booting', booted: true })
    await repaired()
    await comeUp()
    await until(() => (running.stderr().match(/AVD /g) ?? []).length >= 8, 'the notes')
    for (const name of Object.keys(PHASES)) {
      expect(running.stderr()).toContain(`emulator:${name}: a process ended in the middle of a change`)
    }
    expect(running.stderr()).toMatch(/AVD created: .*process \d+ was ended; half of the AVD was removed/)
    expect(running.stderr()).toMatch(/AVD installed: .*process \d+ was ended/)
    expect(running.stderr()).toMatch(
      /AVD registering: interrupted while registering; process \d+ of the emulator goes on; it has come up/,
    )
    expect((await routes.delete('deleted')).json).toMatchObject({ deleted: true })
  })

  test('commands: the next command names and cleans what they left, and starts join', async () => {
    const commands: RunningCli[] = []
    const flags = { created: [], installed: ['--api-level', '33'], looked: [] }
    await fill((name, ask) => {
      const more = ask === 'create' ? ['--abi', ABI, ...(flags[name as keyof typeof flags] ?? [])] : []
      commands.push(lab.start(['emulators', ask, name, ...more]))
    })
    await kill(commands)
    const next = await lab.svc(['emulators', 'delete', 'deleted'])
    expect(next.json()).toEqual({ ok: true, avdName: 'deleted', deleted: true })
    for (const name of ['created', 'installed', 'looked', 'stopped']) {
      expect(next.stderr).toContain(`AVD ${name}: interrupted while `)
    }
    expect(next.stderr).toMatch(/deleted: interrupted while deleting; process \d+ was ended/)
    expect(orphans()).toEqual([])
    expect(files().filter(file => /^(created|installed|looked|deleted)\./.test(file))).toEqual([])
    lab.release('booting', 'registering')
    const started = await Promise.all(STARTED.map(name => lab.svc(['emulators', 'start', name])))
    expect(started.map(({ code }) => code)).toEqual([0, 0, 0])
    await comeUp()
  })
})
