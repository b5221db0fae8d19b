import { describe, expect, test } from 'vitest'
import * as avds from '../../../src/contracts/device/avd.ts'
import { accept, complaints } from '../parse.ts'
import { avd, unknownAvd } from '../samples/host.ts'

describe('create', () => {
  test('defaults', () => {
    expect(accept(avds.AvdCreateRequest, {})).toEqual({
      apiLevel: 35,
      deviceProfile: 'pixel_7',
      playStore: true,
    })
    expect(avds.DEFAULT_STORAGE_SIZE).toBe('12G')
  })

  test.each(['12G', '12GB', '16G', '12g', '12gb', '1Gb', '128G'])('the size %s', size => {
    for (const key of ['storageSize', 'size', 'diskSize', 'dataPartitionSize']) {
      expect(accept(avds.AvdCreateRequest, { [key]: size })).toHaveProperty(key, size)
      expect(accept(avds.ProvisionRequest, { [key]: size })).toEqual({ [key]: size })
    }
  })

  test.each(['0G', '012G', '-1G', '1.5G', '12', '12M', 'G', '12 G', ' 12G', '12GiB', '', 12, null])(
    'not the size %j',
    size => {
      for (const key of ['storageSize', 'size', 'diskSize', 'dataPartitionSize']) {
        expect(complaints(avds.AvdCreateRequest, { [key]: size })).toEqual([key])
        expect(complaints(avds.ProvisionRequest, { [key]: size })).toEqual([key])
      }
    },
  )

  test('only one size', () => {
    expect(complaints(avds.AvdCreateRequest, { size: '12G', storageSize: '12G' })).toEqual(['storageSize'])
    expect(complaints(avds.ProvisionRequest, { diskSize: '12G', dataPartitionSize: '16G' })).toEqual(['storageSize'])
  })

  test('names', () => {
    for (const name of ['a', 'svc-pixel-12gb', 'A.b_c-1'])
      expect(accept(avds.AvdCreateRequest, { name }).name).toBe(name)
    for (const name of ['', 'a b', 'a/b', 'ä', 'a;b', 'a\n', null, 1]) {
      expect(complaints(avds.AvdCreateRequest, { name })).toEqual(['name'])
    }
  })

  test.each([
    ['apiLevel', [0, -1, 34.5, '35', null]],
    ['abi', ['', 1, null]],
    ['deviceProfile', ['', 1, null]],
    ['playStore', ['false', 0, null]],
  ] as [string, unknown[]][])('%s', (key, values) => {
    for (const value of values) expect(complaints(avds.AvdCreateRequest, { [key]: value })).toEqual([key])
  })

  test('unknown keys are ignored, an array is not a body', () => {
    expect(accept(avds.ProvisionRequest, { colour: 'red' })).toEqual({})
    expect(complaints(avds.AvdCreateRequest, [])).toEqual([''])
    expect(complaints(avds.ProvisionRequest, [])).toEqual([''])
  })
})

test('an AVD that does not exist has null facts', () => {
  expect(accept(avds.AvdResponse, { ok: true, ...unknownAvd })).toEqual({ ok: true, ...unknownAvd })
})

test('the reasons are four', () => {
  const unsupportedReasons = [
    'missing_play_store',
    'unsupported_api_level',
    'unsupported_abi',
    'unsupported_device_profile',
  ]
  expect(accept(avds.ConfiguredAvd, { ...avd, unsupportedReasons })).toEqual({ ...avd, unsupportedReasons })
  expect(complaints(avds.ConfiguredAvd, { ...avd, unsupportedReasons: ['too_old'] })).toEqual(['unsupportedReasons.0'])
})

test('stop and delete say what was done', () => {
  expect(complaints(avds.AvdStopResponse, { ok: true, avdName: 'a', stopped: false })).toEqual(['stopped'])
  expect(complaints(avds.AvdDeleteResponse, { ok: true, avdName: 'a', deleted: false })).toEqual(['deleted'])
})
