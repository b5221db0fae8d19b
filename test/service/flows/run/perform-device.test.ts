/** Commands on the phone beside its screen: where it is, and how it is set. */
import { expect, test } from 'vitest'
import type { PhoneSettings, PhoneStep } from '../../../../src/service/flows/phones.ts'
import type { FlowCommandContext } from '../../../../src/service/flows/run/commands.ts'
import { CommandFailed } from '../../../../src/service/flows/run/failure.ts'
import { DEVICE, positionsOn } from '../../../../src/service/flows/run/perform-device.ts'

const setting = (name: string, value: unknown) => ({ type: 'change_setting', params: { setting: name, value } })

const phone = (settings: PhoneSettings = { ok: true, settings: {} }, error?: { code: string; message: string }) => {
  const calls: { steps: readonly PhoneStep[]; timeoutMs: number }[] = []
  const context = {
    attempt: { deviceId: 'd1', phones: { settings: async () => settings } },
    signal: new AbortController().signal,
    async call(steps: readonly PhoneStep[], { timeoutMs }: { timeoutMs: number }) {
      calls.push({ steps, timeoutMs })
      return { steps: [], ...(error ? { error } : {}) }
    },
    reads: async () => {},
  } as unknown as FlowCommandContext
  return {
    calls,
    context,
    set: () => calls.flatMap(({ steps }) => steps.filter(({ type }) => type === 'change_setting')),
  }
}

/** A degree of latitude, in meters. */
const DEGREE = 111_195

test('a phone on its way is told where it is once a second, and ends at the last point', () => {
  const way = [
    ...positionsOn(
      [
        { latitude: 10, longitude: 20 },
        { latitude: 11, longitude: 20 },
        { latitude: 11, longitude: 20 },
      ],
      DEGREE / 4,
    ),
  ]
  expect(way.map(({ latitude }) => Number(latitude.toFixed(3)))).toEqual([10, 10.25, 10.5, 10.75, 11, 11])
  expect(way.every(({ longitude }) => longitude === 20)).toBe(true)
})

test('a degree of longitude is shorter the farther it is from the equator', () => {
  const along = (latitude: number) => [
    ...positionsOn(
      [
        { latitude, longitude: 0 },
        { latitude, longitude: 1 },
      ],
      DEGREE / 100,
    ),
  ]
  expect([along(0).length, along(60).length]).toEqual([101, 51])
  expect(along(60)[25]?.longitude).toBeCloseTo(0.5, 5)
})

test('a long way is told in several executions, each with the time that its pauses take', async () => {
  const { calls, context, set } = phone()
  const points = [
    { latitude: 0, longitude: 0 },
    { latitude: 1, longitude: 0 },
  ]
  await DEVICE.travel({ name: 'travel', points, metersPerSecond: DEGREE / 44.5 } as never, context)
  expect(calls.map(({ steps }) => steps.length)).toEqual([40, 40, 12])
  expect(set()).toHaveLength(46)
  expect(set().at(-1)).toEqual(setting('location', points[1]))
  for (const { steps, timeoutMs } of calls) {
    const pauses = steps.filter(({ type }) => type === 'sleep').map(({ params }) => Number(params?.durationMs))
    expect(pauses).toHaveLength(steps.length / 2)
    expect(timeoutMs).toBeGreaterThan(pauses.reduce((sum, ms) => sum + ms, 0))
  }
})

test('a phone that refuses to be somewhere ends the way there', async () => {
  const { calls, context } = phone(undefined, { code: 'SETTING_REFUSED', message: 'It is refused.' })
  const points = Array.from({ length: 50 }, () => ({ latitude: 0, longitude: 0 }))
  await expect(DEVICE.travel({ name: 'travel', points, metersPerSecond: 1 } as never, context)).rejects.toThrow(
    CommandFailed,
  )
  expect(calls).toHaveLength(1)
})

test.each([
  ['dark_mode', DEVICE.toggleDarkMode],
  ['airplane_mode', DEVICE.toggleAirplaneMode],
] as const)('%s is turned to what it is not', async (name, toggle) => {
  for (const [before, after] of [
    [true, false],
    [false, true],
    [undefined, true],
  ]) {
    const { context, set } = phone({ ok: true, settings: { [name]: before } })
    await toggle({} as never, context)
    expect(set()).toEqual([setting(name, after)])
  }
})

test('what cannot be read is not turned', async () => {
  const { calls, context } = phone({ ok: false, error: { code: 'DEVICE_OFFLINE', message: 'It is off.' } as never })
  await expect(DEVICE.toggleDarkMode({} as never, context)).rejects.toThrow(CommandFailed)
  expect(calls).toEqual([])
})

test('each command sets its own setting, and waits for the screen to settle', async () => {
  const { calls, context, set } = phone()
  await DEVICE.setLocation({ latitude: 1, longitude: 2 } as never, context)
  await DEVICE.setOrientation({ orientation: 'landscape_left' } as never, context)
  await DEVICE.setAirplaneMode({ enabled: true } as never, context)
  await DEVICE.setDarkMode({ enabled: false } as never, context)
  expect(set()).toEqual([
    setting('location', { latitude: 1, longitude: 2 }),
    setting('orientation', 'landscape_left'),
    setting('airplane_mode', true),
    setting('dark_mode', false),
  ])
  expect(calls.every(({ steps }) => steps.at(-1)?.type === 'wait_for_idle')).toBe(true)
  await DEVICE.addMedia({ files: ['/a.png'] } as never, context)
  expect(calls.at(-1)?.steps).toEqual([{ type: 'add_media', params: { paths: ['/a.png'] } }])
})

test('a way that takes longer than a day is refused before anything is sent', async () => {
  const { calls, context } = phone()
  const points = [
    { latitude: -90, longitude: 0 },
    { latitude: 90, longitude: 0 },
  ]
  const travel = DEVICE.travel({ name: 'travel', points, metersPerSecond: 0.000_001 }, context)
  await expect(travel).rejects.toThrow(/travel may take 86400 s\. Set a higher speed/)
  expect(calls).toEqual([])
})
