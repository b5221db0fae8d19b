/** The words of several Android versions about their screens. */
import { describe, expect, test } from 'vitest'
import { screenState } from '../../src/adb/screen-state.ts'
import { android7 } from './dumps/android-7.ts'
import { type Android12, android12 } from './dumps/android-12.ts'

const open: Android12 = { wakefulness: 'Awake', showing: false, occluded: false, deviceLocked: false }

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
    expect(screenState(android12(open))).toEqual({ awake: true, locked: false })
  })
  test.each(['Asleep', 'Dozing', 'Dreaming'] as const)('%s is not awake', wakefulness => {
    expect(screenState(android12({ ...open, wakefulness })).awake).toBe(false)
  })
  test('a lock screen without a secret', () => {
    expect(screenState(android12({ ...open, showing: true })).locked).toBe(true)
  })
  test('a lock screen with a secret', () => {
    expect(screenState(android12({ ...open, showing: true, deviceLocked: true })).locked).toBe(true)
  })
  test('a call over a lock screen without a secret can be operated', () => {
    expect(screenState(android12({ ...open, showing: true, occluded: true })).locked).toBe(false)
  })
  test('a camera over a lock screen with a secret cannot', () => {
    expect(screenState(android12({ ...open, showing: true, occluded: true, deviceLocked: true })).locked).toBe(true)
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
