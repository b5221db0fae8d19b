/** The device gate of a run: which device it looks at, when it looks at none, and how it says no. */
import { describe, expect, test } from 'vitest'
import { LinkError } from '../../../../src/device/link/link.ts'
import type { Links } from '../../../../src/device/link/links.ts'
import type { FoundDevice } from '../../../../src/service/policy/gates.ts'
import { refuse } from '../../../../src/service/skills/refusal.ts'
import { createDeviceGate } from '../../../../src/service/skills/run/device-gate.ts'
import type { DeviceGateOptions, WhileOwned } from '../../../../src/service/skills/run/request.ts'
import { type Android12, android12 } from '../../../device/link/dumps/android-12.ts'
import { fakeLink, shellOk } from '../../../support/device/fake-link.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const operatorChoice = { choose: async () => 'com.svc.operator' }
const screen = (wakefulness: Android12['wakefulness']) =>
  android12({ wakefulness, showing: wakefulness !== 'Awake', occluded: false, deviceLocked: wakefulness !== 'Awake' })

interface World {
  devices?: Record<string, string>
  listing?: LinkError
  getting?: LinkError
  current?: boolean
  wakefulness?: Android12['wakefulness']
  /** By somebody else. */
  isOwned?: boolean
}

const gateIn = ({ devices = {}, listing, getting, current = false, wakefulness = 'Awake', isOwned = false }: World) => {
  const clock = manualClock()
  const calls: string[] = []
  const link = (serial: string) =>
    fakeLink(
      clock,
      {
        shell: command => {
          if (!command.startsWith('dumpsys')) calls.push(command)
          return shellOk(screen(wakefulness))
        },
      },
      serial,
    )
  const links: Pick<Links, 'list' | 'get' | 'current'> = {
    async list() {
      calls.push('list')
      if (listing) throw listing
      return { devices: Object.entries(devices).map(([serial, state]) => ({ serial, state })) }
    },
    async get(serial) {
      calls.push(`get ${serial}`)
      if (getting) throw getting
      return link(serial)
    },
    current: serial => (current ? link(serial) : undefined),
  }
  const gate = createDeviceGate({ links, clock, leaseBy: 'hardware-serial', operatorChoice })
  const own: WhileOwned = async (key, work) => {
    calls.push(`own ${key}`)
    if (isOwned) return false
    await work()
    return true
  }
  return {
    calls,
    clock,
    ask: (deviceId?: string, asked?: DeviceGateOptions) => gate(deviceId, new AbortController().signal, own, asked),
  }
}

const ready = { d1: 'device' }

describe('without a named device', () => {
  test.each<[string, World, string[]]>([
    ['none is connected', {}, ['list']],
    ['several are', { devices: { d1: 'device', d2: 'device' } }, ['list']],
    ['one is, and is not ready', { devices: { d1: 'unauthorized', d2: 'offline' } }, ['list']],
    ['there is no debug bridge', { listing: new LinkError('ADB_NOT_FOUND', 'no adb') }, ['list']],
    ['exactly one is, and it is ready', { devices: { d1: 'device', d2: 'offline' } }, ['list', 'get d1']],
  ])('the run goes on when %s', async (_name, world, calls) => {
    const gate = gateIn(world)
    expect(await gate.ask()).toMatchObject({ ok: true })
    expect(gate.calls).toEqual(calls)
  })

  test.each<[string, World, string]>([
    ['is gone by then', { getting: new LinkError('DEVICE_LINK_LOST', 'lost') }, 'DEVICE_LINK_LOST'],
    ['does not answer', { getting: new LinkError('LINK_TIMEOUT', 'silent') }, 'DEVICE_SHELL_UNAVAILABLE'],
  ])('the only one counts when it %s', async (_name, world, code) => {
    expect(await gateIn({ devices: ready, ...world }).ask()).toMatchObject({ ok: false, error: { code } })
  })

  test('a lost link says that nothing was sent', async () => {
    const gate = gateIn({ devices: ready, getting: new LinkError('DEVICE_LINK_LOST', 'lost') })
    expect(await gate.ask()).toMatchObject({ error: { message: 'lost', details: { dispatched: false } } })
  })

  test('the run learns which operator suits the phone, unless its caller names one', async () => {
    const gate = gateIn({ devices: ready })
    expect(await gate.ask()).toEqual({ ok: true, operatorPackage: 'com.svc.operator' })
    expect(await gate.ask('d1', { operatorPackage: 'svc.shell' })).toEqual({ ok: true, operatorPackage: 'svc.shell' })
    expect(await gateIn({}).ask()).toEqual({ ok: true })
  })
})

describe('with a named device', () => {
  test.each<[string, World, string]>([
    ['is not connected', { devices: { d2: 'device' } }, 'DEVICE_NOT_FOUND'],
    ['is unauthorized', { devices: { d1: 'unauthorized' } }, 'DEVICE_UNAUTHORIZED'],
    ['is offline', { devices: { d1: 'offline' } }, 'DEVICE_OFFLINE'],
    ['cannot be listed', { listing: new LinkError('ADB_SERVER_FAILED', 'no server') }, 'ADB_SERVER_FAILED'],
  ])('one that %s', async (_name, world, code) => {
    expect(await gateIn(world).ask('d1')).toMatchObject({ ok: false, error: { code } })
  })

  test('one that is ready, among others', async () => {
    expect(await gateIn({ devices: { d1: 'device', d2: 'device' } }).ask(' d1 ')).toMatchObject({ ok: true })
  })

  test('one whose link is open is not looked up again', async () => {
    const gate = gateIn({ current: true })
    expect(await gate.ask('d1')).toMatchObject({ ok: true })
    expect(gate.calls).toEqual([])
  })

  test('one that is asleep and will not wake', async () => {
    const gate = gateIn({ devices: ready, wakefulness: 'Asleep' })
    const answer = gate.ask('d1')
    let done = false
    const settled = answer.finally(() => {
      done = true
    })
    while (!done) {
      gate.clock.advance(100)
      await new Promise<void>(resolve => setImmediate(resolve))
    }
    expect(await settled).toMatchObject({ ok: false, error: { code: 'DEVICE_NOT_INTERACTIVE' } })
    expect(gate.calls).toContain('own device:d1')
  })

  test('one that is asleep and that somebody else drives is not woken', async () => {
    const gate = gateIn({ devices: ready, wakefulness: 'Asleep', isOwned: true })
    expect(await gate.ask('d1')).toMatchObject({ ok: false, error: { code: 'DEVICE_NOT_INTERACTIVE' } })
    expect(gate.calls).toEqual(['list', 'get d1', 'own device:d1'])
  })
})

test.each([undefined, 'd1'])('what the policy denies wakes no phone (named: %j)', async deviceId => {
  const gate = gateIn({ devices: ready, wakefulness: 'Asleep' })
  const asked: unknown[] = []
  const permit = async ({ serials, operator }: FoundDevice) => {
    asked.push(await serials(), operator)
    return refuse('EXECUTION_DENIED', 'no')
  }
  expect(await gate.ask(deviceId, { permit })).toMatchObject({ ok: false, error: { code: 'EXECUTION_DENIED' } })
  expect(asked).toEqual([['d1', 'd1'], 'com.svc.operator'])
  expect(gate.calls).toEqual(['list', 'get d1'])
})

test('what is not a failure of the bridge is not hidden', async () => {
  const clock = manualClock()
  const broken = async () => {
    throw new TypeError('a bug')
  }
  const gate = createDeviceGate({
    operatorChoice,
    clock,
    leaseBy: 'hardware-serial',
    links: { list: broken, get: broken, current: () => undefined },
  })
  const own = async () => true
  await expect(gate('d1', new AbortController().signal, own)).rejects.toThrow('a bug')
  await expect(gate(undefined, new AbortController().signal, own)).rejects.toThrow('a bug')
})
