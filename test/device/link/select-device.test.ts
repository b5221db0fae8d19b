/** Which device an execution is for. */

import { describe, expect, test } from 'vitest'
import { LinkError } from '../../../src/device/link/link.ts'
import { selectDevice } from '../../../src/device/link/select-device.ts'
import { UNNAMED_DEVICE } from '../../support/failure-codes.ts'

const device = (serial: string, state = 'device') => ({ serial, state })

describe('no device named', () => {
  test.each([undefined, '', '  '])('%j: the only one that is ready', wanted => {
    const devices = [device('a'), device('b', 'offline'), device('c', 'unauthorized')]
    expect(selectDevice(devices, wanted)).toEqual({ ok: true, serial: 'a' })
  })
  test('none is ready', () => {
    expect(selectDevice([], undefined)).toMatchObject({ ok: false, error: { code: 'NO_DEVICES' } })
    expect(selectDevice([device('b', 'offline')], undefined)).toMatchObject({
      error: { code: 'NO_DEVICES', details: { connected: [] }, hint: expect.stringContaining('b is offline') },
    })
  })
  test('several are ready', () => {
    expect(selectDevice([device('a'), device('b'), device('c', 'offline')], '')).toMatchObject({
      error: { code: UNNAMED_DEVICE, details: { connected: ['a', 'b'] } },
    })
  })
})

describe('a device named', () => {
  const devices = [device('a'), device('b', 'offline'), device('c', 'unauthorized'), device('d', 'recovery')]
  test('one of several', () =>
    expect(selectDevice([...devices, device('e')], ' a ')).toEqual({ ok: true, serial: 'a' }))
  test.each([
    ['x', 'DEVICE_NOT_FOUND'],
    ['b', 'DEVICE_OFFLINE'],
    ['c', 'DEVICE_UNAUTHORIZED'],
    ['d', 'DEVICE_NOT_FOUND'],
  ])('%s is %s', (wanted, code) => {
    expect(selectDevice(devices, wanted)).toMatchObject({ ok: false, error: { code, details: { connected: ['a'] } } })
  })
  test('a serial is not matched by its beginning', () => {
    expect(selectDevice([device('emulator-5554')], 'emulator-555')).toMatchObject({
      error: { code: 'DEVICE_NOT_FOUND' },
    })
  })
})

describe('a listing with a problem', () => {
  const problem = new LinkError('ADB_SERVER_FAILED', 'it hangs')
  test('a device that is listed can be used', () => {
    expect(selectDevice([device('a')], undefined, problem)).toEqual({ ok: true, serial: 'a' })
    expect(selectDevice([device('a')], 'a', problem)).toEqual({ ok: true, serial: 'a' })
  })
  test('one that is not listed is missing for that reason', () => {
    expect(selectDevice([device('a')], 'b', problem)).toMatchObject({ error: { code: 'ADB_SERVER_FAILED' } })
    expect(selectDevice([], undefined, problem)).toMatchObject({ error: { code: 'ADB_SERVER_FAILED' } })
  })
})
