/** What the ports of emulators and daemons are told: which process, and how long it may take. */
import { describe, expect, test } from 'vitest'
import { daemon } from '../../machines/daemon/daemon.ts'
import { emulator } from '../../machines/emulator/emulator.ts'
import { DAEMON_READY_MS, DAEMON_REPLACE_MS, DAEMON_STOP_MS } from '../../src/contracts/limits/limits.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import { given } from '../support/runtime/given.ts'

const event = (type: string, at: number, more: object = {}): StoredEvent => ({ type, at, ...more })

describe('of an emulator', () => {
  const limits = { installMs: 300, createMs: 120, registerMs: 60, bootMs: 180, prepareMs: 30, goneMs: 40 }
  const spec = { image: 'i', deviceProfile: 'pixel_7', storageGb: 12 }
  const options = { wipe: false, window: true }
  const ask = (name: string, more: object = {}) =>
    event(`${name}.requested`, 1_000, { requestId: 'r1', limits, ...more })
  const seen = (finding: string, serial: string | null = null) => event('avd.observed', 2_000, { finding, serial })
  const process = { pid: 7, started: 's', log: '/l' }
  const spawned = event('process.spawned', 3_000, process)
  const registered = event('emulator.registered', 4_000, { serial: 'emulator-5554' })
  const failed = event('tool.failed', 5_000, { code: 'ANDROID_AVD_CREATE_FAILED', message: 'm', details: null })
  const starting = [ask('start', { options }), seen('stopped')]
  const creating = [ask('create', { spec }), seen('absent'), event('image.installed', 2_500)]
  const inputs = (events: readonly StoredEvent[]) =>
    given(emulator, events.slice(0, -1), { avdName: 'n' }).when(events.at(-1) as StoredEvent).inputs

  test('a tool learns for which request it works, on what, and until when', () => {
    const work = { avdName: 'n', requestId: 'r1', spec }
    expect(inputs(creating.slice(0, 2))).toEqual({ install: { ...work, until: 2_300 } })
    expect(inputs(creating)).toEqual({ create: { ...work, until: 2_620 } })
    expect(inputs([ask('delete'), seen('stopped')])).toEqual({ remove: { ...work, spec: null, until: 2_120 } })
  })

  test('what a failed create may have made is removed, and nothing else', () => {
    expect(inputs([...creating, failed])).toEqual({ undo: { avdName: 'n', making: false } })
    expect(inputs([...creating, event('avd.making', 3_000), failed])).toEqual({ undo: { avdName: 'n', making: true } })
  })

  test('the emulator is started as was asked, and the same process is watched up to its end', () => {
    expect(inputs(starting)).toEqual({ spawn: { avdName: 'n', requestId: 'r1', options } })
    expect(inputs([...starting, spawned])).toMatchObject({
      alive: { avdName: 'n', process },
      register: { avdName: 'n', process },
    })
    const booting = [...starting, spawned, registered]
    const listed = { avdName: 'n', process, serial: 'emulator-5554' }
    expect(inputs(booting)).toMatchObject({ alive: { avdName: 'n', process }, boot: listed })
    expect(inputs([...booting, event('boot.completed', 5_000)])).toMatchObject({ prepare: listed })
    expect(inputs([...booting, event('deadline.passed', 5_000)])).toEqual({ abandon: { avdName: 'n', process } })
  })

  test('one that is stopped is named by its serial and its process, and has a limit to be gone', () => {
    const started = [...starting, spawned, registered, event('boot.completed', 5_000), event('settings.enabled', 6_000)]
    expect(inputs([...started, ask('stop'), seen('running', 'emulator-5554')])).toEqual({
      shutdown: { avdName: 'n', process, serial: 'emulator-5554', until: 2_040 },
    })
  })

  test('the look at an AVD knows what a dead host was doing', () => {
    const cut = event('request.interrupted', 6_000)
    const tool = event('tool.spawned', 2_600, { tool: 'avdmanager', pid: 9, started: 't' })
    expect(inputs([...creating, tool, cut, ask('repair', { requestId: 'r2', resume: true })])).toEqual({
      observe: {
        avdName: 'n',
        requestId: 'r2',
        process: null,
        cut: {
          requestId: 'r1',
          ask: 'create',
          phase: 'creating',
          making: false,
          wipe: false,
          since: 2_500,
          until: 2_620,
        },
        tool: { pid: 9, started: 't' },
      },
    })
  })
})

describe('of a daemon', () => {
  const ask = (type: string) => event(type, 1, { requestId: 'r1' })
  const probed = (found: string, pid: number | null = null) => event('probe.answered', 2, { found, pid })
  const late = event('deadline.passed', 9)
  const inputs = (events: readonly StoredEvent[]) =>
    given(daemon, events.slice(0, -1), { key: 'd1' }).when(events.at(-1) as StoredEvent).inputs as Record<
      string,
      { key?: string; ms?: number }
    >
  const msOf = (events: readonly StoredEvent[]) => inputs(events).deadline?.ms ?? 0
  const stopping = [ask('stop.requested'), probed('managed', 7)]

  test('each works for the device of the daemon', () => {
    for (const path of [
      [ask('status.requested')],
      [ask('start.requested'), probed('absent')],
      [ask('start.requested'), probed('silent', 7)],
      [ask('start.requested'), probed('absent'), late],
      stopping,
    ]) {
      const { deadline: _, ...others } = inputs(path)
      expect(Object.values(others).map(({ key }) => key)).toEqual(Object.keys(others).map(() => 'd1'))
      expect(Object.keys(others)).not.toEqual([])
    }
  })

  test('a daemon is killed when its time to stop is over, and its death is waited for', () => {
    expect(msOf(stopping) + msOf([...stopping, late])).toBe(DAEMON_STOP_MS)
    expect(msOf([...stopping, late, late])).toBeGreaterThan(0)
  })

  test('one that starts, or is frozen, has the time that the contract gives it to answer', () => {
    expect(msOf([ask('start.requested'), probed('absent')])).toBe(DAEMON_READY_MS)
    expect(msOf([ask('start.requested'), probed('silent', 7)])).toBe(DAEMON_READY_MS)
  })

  test('one of another build may finish what it runs', () => {
    const retiring = inputs([ask('identity.differed'), probed('managed', 7)])
    expect(retiring).toMatchObject({ terminate: { key: 'd1', signal: 'SIGUSR2' }, deadline: { ms: DAEMON_REPLACE_MS } })
  })
})
