/** The published host of the helper, over the real adb: what it does not take from a simulated phone, no helper says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { parseScenario } from '../../src/simulator/scenario/scenario.ts'
import { type SimulatedPhones, startSimulatedPhones } from '../../src/simulator/simulated-phones.ts'
import { createRealAdb } from '../support/adb/real-adb.ts'
import {
  type HostDevice,
  type HostSnapshot,
  type PublicHost,
  providerOf,
  publicHost,
} from '../support/device/public-host.ts'
import { needs } from '../support/needs.ts'
import { temporary } from '../support/temporary.ts'

const APP = 'com.example.list'
const IME = 'com.callstack.agentdevice.imehelper'
const folder = temporary('svc-public-host-')
const ROWS = Array.from({ length: 40 }, (_, at) => ({ text: `Row ${at}` }))
const nodes = [
  { class: 'EditText', resourceId: `${APP}:id/query`, hint: 'Find', focused: true },
  { scrollable: true, resourceId: `${APP}:id/rows`, nodes: ROWS },
]
const apps = [
  { package: APP, label: 'List', screens: { main: { nodes } } },
  { package: 'com.android.calculator', label: 'Calculator', screens: { main: { nodes: [{ text: '0' }] } } },
]

describe.skipIf(!needs('adb'))('the published host', () => {
  const adb = createRealAdb()
  let host: PublicHost
  let fleet: SimulatedPhones
  let device: HostDevice
  let provider: ReturnType<typeof providerOf>
  beforeAll(async () => {
    host = await publicHost()
    await adb.start()
    const parsed = parseScenario({ apps, front: APP, timeScale: 0.1 })
    if (!parsed.ok) throw new Error(parsed.error)
    fleet = await startSimulatedPhones({ clock: systemClock(), scenario: parsed.scenario })
    const id = fleet.devices[0]?.serial ?? ''
    device = { platform: 'android', id, name: id, kind: 'device', booted: true }
    provider = providerOf(adb, id)
    await adb.run('connect', id)
  })
  afterAll(async () => {
    await fleet.close()
    await adb.stop()
  })

  const over = <T>(way: object, act: () => Promise<T>) => host.withAndroidAdbProvider(way, { serial: device.id }, act)
  /** Without a way to keep a program running it asks once for each snapshot. */
  const once = () => ({ ...provider, spawn: undefined })
  const list = ({ nodes: seen }: HostSnapshot) => {
    const { hiddenContentAbove = false, hiddenContentBelow = false } =
      seen.find(({ identifier }) => identifier === `${APP}:id/rows`) ?? {}
    return { above: hiddenContentAbove, below: hiddenContentBelow }
  }
  const scroll = async (toY: number) => {
    await provider.exec(['shell', 'input', 'swipe', '500', '1200', '500', String(toY), '100'])
  }
  const touch = (durationMs: number, topology: 'single' | 'two', ...columns: readonly number[]) => {
    const samples = (x: number) => [0, durationMs].map(offsetMs => ({ offsetMs, point: { x, y: 300 } }))
    const pointers = columns.map((x, pointerId) => ({ pointerId, samples: samples(x) }))
    return host.executeAndroidTouchHelperPlan(device, { topology, durationMs, pointers })
  }

  test('installs the helper, asks it once, and reads where the list goes on', async () => {
    const at = (options: object = {}) => over(once(), () => host.snapshotAndroid(device, options))
    const first = await at({ helperInstallPolicy: 'missing-or-outdated' })
    expect(first).toMatchObject({
      quality: { state: 'healthy' },
      androidSnapshot: {
        ...{ backend: 'android-helper', helperApiVersion: '2', installReason: 'missing' },
        ...{ helperTransport: 'instrumentation', captureMode: 'interactive-windows', helperTruncated: false },
      },
    })
    expect(first.nodes.map(({ label }) => label)).toEqual(expect.arrayContaining(['Find', 'Row 0']))
    expect(list(first)).toEqual({ above: false, below: true })
    await scroll(800)
    expect(list(await at())).toEqual({ above: true, below: true })
    for (let swipe = 0; swipe < 4; swipe++) await scroll(0)
    expect(list(await at())).toEqual({ above: true, below: false })
  })

  test('keeps a session, in which it reads, measures and touches, and ends it', async () => {
    await over(provider, async () => {
      const asked = { helperSessionScope: 'daemon-session' }
      const seen = () => host.snapshotAndroid(device, asked)
      expect(await seen()).toMatchObject({
        androidSnapshot: { helperTransport: 'persistent-session', helperSessionReused: false },
      })
      expect(await host.readAndroidGestureViewport(device)).toEqual({ x: 0, y: 0, width: 1_080, height: 2_400 })
      expect(await touch(60, 'single', 500)).toMatchObject({
        ...{ helperKind: 'swipe', helperTransport: 'persistent-session', injectedEvents: 3 },
      })
      expect(await touch(60, 'two', 300, 700)).toMatchObject({ helperKind: 'transform', injectedEvents: 5 })
      await expect(touch(-1, 'single', 500)).rejects.toThrow('durationMs must be between 0 and 120000')
      expect(await seen()).toMatchObject({ androidSnapshot: { helperSessionReused: true } })
      await host.stopAndroidSnapshotHelperSessionForDevice(device)
    })
    const left = await provider.exec([
      'shell',
      'pidof',
      'com.callstack.agentdevice.snapshothelper',
      '||',
      'echo',
      'NONE',
    ])
    expect(left.stdout).toBe('NONE\n')
  })

  test('reads and touches with calls of their own, and hears why one was refused', async () => {
    await over(once(), async () => {
      expect(await host.readAndroidGestureViewport(device)).toMatchObject({ width: 1_080, height: 2_400 })
      expect(await touch(0, 'single', 500)).toMatchObject({ helperTransport: 'instrumentation', injectedEvents: 3 })
      await expect(touch(-1, 'single', 500)).rejects.toThrow('durationMs must be between 0 and 120000')
    })
  })

  test('types and clears with the keyboard of the helper, and gives the old one back', async () => {
    await over(once(), async () => {
      const options = { stateDir: folder() }
      const labels = async () => (await host.snapshotAndroid(device, {})).nodes.map(({ label }) => label)
      const current = async () =>
        (await provider.exec(['shell', 'settings', 'get', 'secure', 'default_input_method'])).stdout.trim()
      const before = await current()
      expect(await host.activateAndroidTestIme(device, options)).toMatchObject({ activated: true, previousIme: before })
      await host.sendAndroidImeHelperText(provider.exec, IME, 'näme 😀')
      expect(await labels()).toContain('näme 😀')
      await host.clearAndroidImeHelperText(provider.exec, IME)
      expect(await labels()).toContain('Find')
      expect(await host.restoreAndroidTestIme(device, options)).toMatchObject({ restored: true })
      expect(await current()).toBe(before)
    })
  })

  test('lists what can be opened, and of that what the user installed', async () => {
    const names = async (filter: string) =>
      (await host.listAndroidAppsWithAdb(provider.exec, { filter })).map(one => one.package).sort()
    expect(await names('all')).toEqual(['com.android.calculator', APP])
    expect(await names('user-installed')).toEqual([APP])
  })
})
