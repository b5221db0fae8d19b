/** What a later process does about one that died: what it left is ended or removed, and nothing else is touched. */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { InterruptedChange, ObserveInput } from '../../../machines/emulator/emulator-context.ts'
import type { Links } from '../../../src/device/link/links.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { startOf } from '../../../src/runtime/processes/processes.ts'
import { repairLeftovers } from '../../../src/service/emulators/repair.ts'
import { EMULATOR_REQUEST_ENV } from '../../../src/service/emulators/run-tool.ts'
import { IMAGE } from '../../support/emulators/emulator-lab.ts'
import { type LabSdk, sdkLab } from '../../support/emulators/sdk-lab.ts'
import { until } from '../../support/until.ts'

const lab = sdkLab()
const clock = systemClock()
let sdk: LabSdk
beforeEach(() => {
  sdk = lab({
    installed: [IMAGE],
    modes: { emulator: { start: 'never-registers' }, avdmanager: { fault: 'hang-creating' } },
  })
})

const cutIn = (phase: InterruptedChange['phase'], more: Partial<InterruptedChange> = {}): InterruptedChange => ({
  requestId: 'dead',
  ask: 'start',
  phase,
  making: false,
  wipe: false,
  since: clock.now() - 60_000,
  until: clock.now() + 60_000,
  ...more,
})

const repair = (cut: InterruptedChange, more: Partial<ObserveInput> = {}) => {
  const links = () => Promise.reject(new Error('no device was to be asked')) as unknown as Links
  const deps = {
    env: sdk.env,
    arch: process.arch,
    clock,
    links,
    folder: join(sdk.home, 'logs'),
    owned: async () => 'done' as const,
  }
  return repairLeftovers({ avdName: 'a', cut, tool: null, process: null, ...more }, cut, deps)
}

/** As a host that died had started it. */
const leave = async (tool: 'emulator' | 'avdmanager', args: string[], requestId = 'dead') => {
  const { child } = sdk.start(tool, args, { [EMULATOR_REQUEST_ENV]: requestId })
  const pid = child.pid ?? 0
  return { child, process: { pid, started: startOf(pid) ?? '', log: '/l' } }
}
const isRunning = () => until(() => sdk.advertised().length > 0, 'the emulator')

describe('an emulator', () => {
  beforeEach(() => sdk.addAvd({ name: 'a', image: IMAGE }))

  test('that was started and not recorded yet is found by its mark', async () => {
    const { process } = await leave('emulator', ['@a'])
    await isRunning()
    expect(await repair(cutIn('spawning'))).toMatchObject({
      process: { pid: process.pid, log: join(sdk.home, 'logs', 'a.log') },
    })
  })

  test('of another request is not taken for it', async () => {
    await leave('emulator', ['@a'], 'other')
    await isRunning()
    expect(await repair(cutIn('spawning'))).toMatchObject({ process: null })
  })

  test('whose start had failed is ended', async () => {
    const { child, process } = await leave('emulator', ['@a'], 'older')
    await isRunning()
    const said = await repair(cutIn('abandoning'), { process })
    expect(said).toMatchObject({
      process: null,
      done: `interrupted while abandoning; process ${process.pid} was ended`,
    })
    await until(() => child.exitCode !== null || child.signalCode !== null, 'its end')
  })

  test('that has ended leaves nothing to do', async () => {
    expect(await repair(cutIn('booting'), { process: { pid: 999_999_999, started: 's', log: '/l' } })).toMatchObject({
      done: 'interrupted while booting; nothing was left to clean up',
    })
  })
})

describe('half of an AVD', () => {
  const half = () => join(sdk.avdHome, 'a.avd')

  test('is removed, and the tool that makes it is ended first', async () => {
    const args = ['create', 'avd', '--name', 'a', '--package', IMAGE, '--device', 'pixel_7']
    const { child, process } = await leave('avdmanager', args)
    child.stdin?.end('no\n')
    await until(() => existsSync(half()), 'half an AVD')
    expect(await repair(cutIn('creating', { making: true }))).toMatchObject({
      done: `interrupted while creating; process ${process.pid} was ended; half of the AVD was removed`,
    })
    expect(existsSync(half())).toBe(false)
  })

  test.each([
    ['before anything was made', { making: false }, 0],
    ['and somebody else made one later', { making: true, until: 1_000_000 }, 0],
    ['and somebody else had made one before', { making: true }, -3_600],
  ])('is not what is there when the host died %s', async (_what, cut, ageS) => {
    sdk.addAvd({ name: 'a', image: IMAGE })
    const at = clock.now() / 1_000 + ageS
    utimesSync(join(sdk.avdHome, 'a.ini'), at, at)
    expect(await repair(cutIn('creating', cut))).toMatchObject({
      done: expect.stringContaining('nothing was left to clean up'),
    })
    expect(existsSync(join(half(), 'config.ini'))).toBe(true)
  })

  test('is what a delete leaves without its ini, and only then', async () => {
    mkdirSync(half(), { recursive: true })
    writeFileSync(join(half(), 'userdata.img'), '')
    expect(await repair(cutIn('deleting'))).toMatchObject({
      done: 'interrupted while deleting; the rest of the AVD was removed',
    })
    expect(existsSync(half())).toBe(false)
    sdk.addAvd({ name: 'a', image: IMAGE })
    expect(await repair(cutIn('deleting'))).toMatchObject({
      done: 'interrupted while deleting; nothing was left to clean up',
    })
  })
})
