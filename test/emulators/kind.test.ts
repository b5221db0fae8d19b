import { describe, expect, test } from 'vitest'
import {
  byPreference,
  derivedName,
  gigabytesOf,
  imageOf,
  NO_FACTS,
  unsupportedReasons,
} from '../../src/emulators/kind.ts'

const FITS = { apiLevel: 35, abi: 'arm64-v8a', playStore: true, deviceProfile: 'pixel_7', systemImage: null }

describe('an AVD', () => {
  test.each([
    [FITS, []],
    [{ ...FITS, abi: 'x86_64' }, ['unsupported_abi']],
    [{ ...FITS, playStore: false }, ['missing_play_store']],
    [{ ...FITS, apiLevel: 36 }, ['unsupported_api_level']],
    [{ ...FITS, abi: 'armeabi-v7a' }, ['unsupported_abi']],
    [{ ...FITS, deviceProfile: 'pixel_8' }, ['unsupported_device_profile']],
    [NO_FACTS, ['missing_play_store', 'unsupported_api_level', 'unsupported_abi', 'unsupported_device_profile']],
  ])('%j: %j', (facts, reasons) => expect(unsupportedReasons(facts, ['arm64-v8a'])).toEqual(reasons))
})

test('the image by its parts', () => {
  expect(imageOf({ apiLevel: 35, abi: 'x86_64', playStore: true })).toBe(
    'system-images;android-35;google_apis_playstore;x86_64',
  )
  expect(imageOf({ apiLevel: 34, abi: 'arm64-v8a', playStore: false })).toBe(
    'system-images;android-34;google_apis;arm64-v8a',
  )
})

test.each(['12G', '12GB', '12g', '12gb'])('the name of a size: %s', size => {
  expect(derivedName(gigabytesOf(size))).toBe('svc-pixel-12gb')
})

test('the derived name comes first, then the alphabet', () => {
  const names = ['z', 'svc-pixel-12gb', 'a', 'B']
  expect(names.toSorted(byPreference('svc-pixel-12gb'))).toEqual(['svc-pixel-12gb', 'B', 'a', 'z'])
})
