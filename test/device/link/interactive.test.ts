/** The check before an execution: one look, one wake-up, another look, and 8 seconds of trust. */
import { describe, expect, test } from 'vitest'
import { createInteractiveCheck, screenState } from '../../../src/device/link/interactive.ts'
import type { Link } from '../../../src/device/link/link.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { until } from '../../support/until.ts'
import { android7 } from './dumps/android-7.ts'
import { type Android12, android12 } from './dumps/android-12.ts'

const OPEN: Android12 = { wakefulness: 'Awake', showing: false, occluded: false, deviceLocked: false }

const refuse = () => Promise.reject(new Error('not used'))
const noBytes = () => {
  throw new Error('not used')
}

/** A phone whose screen is `states[n]` after n wake-ups; the last one stays. */
const phone = (...states: readonly string[]) => {
  const commands: string[] = []
  const gone = new AbortController()
  let woken = 0
  const link: Link = {
    serial: 'phone-1',
    lost: gone.signal,
    async shell(command) {
      commands.push(command)
      if (command.includes('KEYCODE_WAKEUP')) woken += 1
      return { exitCode: 0, stderr: '', stdout: states[Math.min(woken, states.length - 1)] ?? '' }
    },
    exec: refuse,
    stream: refuse,
    push: refuse,
    pull: refuse,
    read: noBytes,
    output: noBytes,
    socket: refuse,
    hardwareSerial: refuse,
  }
  return { link, commands, gone }
}
const open = android12(OPEN)
const asleep = android12({ ...OPEN, wakefulness: 'Asleep', showing: true })
const locked = android12({ ...OPEN, showing: true, deviceLocked: true })
const options = { deadline: Number.MAX_SAFE_INTEGER }

/** The check pauses between its looks: the clock is moved on until it has answered. */
const answer = async (clock: ReturnType<typeof manualClock>, check: Promise<unknown>) => {
  let done = false
  const settled = check.finally(() => {
    done = true
  })
  await until(() => {
    clock.advance(100)
    return done
  }, 'the check to answer')
  return settled
}

test.each([-3_600_000, 3_600_000])('a wall clock that is set by %i ms ends the trust', async ms => {
  const clock = manualClock()
  const check = createInteractiveCheck(clock)
  const { link, commands } = phone(open)
  await check(link, options)
  clock.set(ms)
  expect(await check(link, options)).toEqual({ ok: true })
  expect(commands.length).toBe(2)
})

test('a phone in use is found out in one round trip, and not asked again for 8 s', async () => {
  const clock = manualClock()
  const check = createInteractiveCheck(clock)
  const { link, commands } = phone(open)
  expect(await check(link, options)).toEqual({ ok: true })
  clock.advance(7_999)
  expect(await check(link, options)).toEqual({ ok: true })
  expect(commands.length).toBe(1)
  clock.advance(1)
  await check(link, options)
  expect(commands.length).toBe(2)
})

test('a phone whose screen is about to be switched is asked again', async () => {
  const check = createInteractiveCheck(manualClock())
  const { link, commands } = phone(open)
  await check(link, options)
  check.forget(link)
  expect(check.isKnown(link)).toBe(false)
  await check(link, options)
  expect(commands.length).toBe(2)
})

test('a phone that sleeps is woken once', async () => {
  const clock = manualClock()
  const { link, commands } = phone(asleep, open)
  expect(await createInteractiveCheck(clock)(link, options)).toEqual({ ok: true })
  expect(commands.filter(command => command.includes('KEYCODE_WAKEUP'))).toEqual([
    'input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard',
  ])
})

test('a lock that stays is DEVICE_NOT_INTERACTIVE, after one wake-up, and asked again the next time', async () => {
  const clock = manualClock()
  const check = createInteractiveCheck(clock)
  const { link, commands } = phone(locked)
  expect(await answer(clock, check(link, options))).toMatchObject({
    ok: false,
    error: { code: 'DEVICE_NOT_INTERACTIVE', details: { deviceId: 'phone-1', awake: true, locked: true } },
  })
  const asked = commands.length
  expect(commands.filter(command => command.includes('KEYCODE_WAKEUP')).length).toBe(1)
  await answer(clock, check(link, options))
  expect(commands.length).toBeGreaterThan(asked)
})

test('a screen that stays off is DEVICE_NOT_INTERACTIVE', async () => {
  const clock = manualClock()
  const { link } = phone(asleep)
  expect(await answer(clock, createInteractiveCheck(clock)(link, options))).toMatchObject({
    error: { code: 'DEVICE_NOT_INTERACTIVE', details: { awake: false } },
  })
})

test('a phone that does not say is not a phone in use', async () => {
  const { link, commands } = phone("Can't find service: power")
  expect(await createInteractiveCheck(manualClock())(link, options)).toMatchObject({
    error: { code: 'DEVICE_SHELL_UNAVAILABLE' },
  })
  expect(commands.length).toBe(1)
})

test('what was known of one link is not taken for another, nor for a lost one', async () => {
  const check = createInteractiveCheck(manualClock())
  const one = phone(open)
  const two = phone(open)
  await check(one.link, options)
  await check(two.link, options)
  expect(two.commands.length).toBe(1)
  one.gone.abort()
  await check(one.link, options)
  expect(one.commands.length).toBe(2)
})

const inUse: Android12 = { wakefulness: 'Awake', showing: false, occluded: false, deviceLocked: false }

test.each(['\n', '(current)', 'KeyguardServiceDelegate ', ' '])('megabytes of %j are read in time', piece => {
  const dump = piece.repeat(Math.ceil((8 * 1_024 * 1_024) / piece.length))
  expect(screenState(dump)).toEqual({ awake: undefined, locked: undefined })
})

describe('Android 7', () => {
  test.each([true, false])('locked %s', locked => {
    expect(screenState(android7({ awake: true, locked }))).toEqual({ awake: true, locked })
  })
  test('asleep', () => expect(screenState(android7({ awake: false, locked: true })).awake).toBe(false))
})

describe('Android 12', () => {
  test('in use, with a locked work profile beside', () => {
    expect(screenState(android12(inUse))).toEqual({ awake: true, locked: false })
  })
  test.each(['Asleep', 'Dozing', 'Dreaming'] as const)('%s is not awake', wakefulness => {
    expect(screenState(android12({ ...inUse, wakefulness })).awake).toBe(false)
  })
  test('a lock screen without a secret', () => {
    expect(screenState(android12({ ...inUse, showing: true })).locked).toBe(true)
  })
  test('a lock screen with a secret', () => {
    expect(screenState(android12({ ...inUse, showing: true, deviceLocked: true })).locked).toBe(true)
  })
  test('a call over a lock screen without a secret can be operated', () => {
    expect(screenState(android12({ ...inUse, showing: true, occluded: true })).locked).toBe(false)
  })
  test('a camera over a lock screen with a secret cannot', () => {
    expect(screenState(android12({ ...inUse, showing: true, occluded: true, deviceLocked: true })).locked).toBe(true)
  })
})

describe('other forms', () => {
  test.each([
    ['mWakefulness=Awake\nisKeyguardShowing=true', { awake: true, locked: true }],
    ['mWakefulness=Awake\n    mKeyguardShowing=false', { awake: true, locked: false }],
    ['mWakefulness=Awake\nmDreamingLockscreen=true', { awake: true, locked: true }],
    // Android 14 says trustState where older ones say trusted.
    [
      'mWakefulness=Awake\n User "O" (id=0, flags=0x4c13) (current): trustState=UNTRUSTED, trustManaged=0, deviceLocked=1, x',
      { awake: true, locked: true },
    ],
    ['Display Power: state=OFF', { awake: false, locked: undefined }],
    ['mScreenOn=true', { awake: true, locked: undefined }],
    ["Can't find service: power\n", { awake: undefined, locked: undefined }],
    ['', { awake: undefined, locked: undefined }],
  ])('%j', (dump, state) => expect(screenState(dump)).toEqual(state))

  test('mWakefulness is not taken from mWakefulnessChanging', () => {
    expect(screenState('  mWakefulnessChanging=false\n').awake).toBeUndefined()
  })
})
