/** Which device a request is for: the same view of the fleet gives the same choice. */

import { describe, expect, test } from 'vitest'
import { fitting, readTerms } from '../../../src/fleet/membership/labels.ts'
import { idOf, place } from '../../../src/fleet/ownership/placement.ts'
import { UNNAMED_DEVICE } from '../../support/failure-codes.ts'
import { rosterOf, type TestRow } from '../rosters.ts'

const row = (id: string, more: Partial<TestRow> = {}): TestRow => {
  const [serial = '', host = ''] = id.split('@')
  return {
    serial,
    host,
    state: 'device',
    labels: { android: '14', tag: 'lab' },
    phone: `device:${id}`,
    epoch: 1,
    isBusy: false,
    isAlive: true,
    isDraining: false,
    ...more,
  }
}
const chosen = (rows: TestRow[], deviceId?: string) => {
  const placed = place(rosterOf(rows, ['h1', 'h2', 'h3']), deviceId)
  return placed.ok ? placed.candidates.map(idOf) : placed.error.code
}

describe('by id', () => {
  test.each([
    ['the only one', [row('a@h1')], undefined, ['a@h1']],
    ['the only one that is ready', [row('a@h1', { state: 'offline' }), row('b@h2')], '  ', ['b@h2']],
    ['none', [], undefined, 'NO_DEVICES'],
    ['none that is ready', [row('a@h1', { state: 'offline' })], undefined, 'NO_DEVICES'],
    ['one of several', [row('a@h1'), row('b@h2')], undefined, UNNAMED_DEVICE],
    ['a serial', [row('a@h1'), row('b@h2')], 'b', ['b@h2']],
    ['a serial that two phones have', [row('a@h1'), row('a@h2')], 'a', UNNAMED_DEVICE],
    ['the same with a host', [row('a@h1'), row('a@h2')], 'a@h2', ['a@h2']],
    ['a serial with another host', [row('a@h1')], 'a@h2', 'DEVICE_NOT_FOUND'],
    ['a serial that has an @', [row('a@h1', { serial: 'x@y' })], 'x@y', ['x@y@h1']],
    ['one that is not ready', [row('a@h1', { state: 'offline' })], 'a', 'DEVICE_OFFLINE'],
    ['one that is not allowed', [row('a@h1', { state: 'unauthorized' })], 'a@h1', 'DEVICE_UNAUTHORIZED'],
    ['one of a host that is gone', [row('a@h1', { isAlive: false })], 'a', 'FLEET_HOST_GONE'],
    ['one that a live host has, too', [row('a@h1', { isAlive: false }), row('a@h2')], 'a', ['a@h2']],
  ])('%s', (_name, rows, deviceId, expected) => expect(chosen(rows, deviceId)).toEqual(expected))

  test('a phone that two hosts see is that of its owner, whatever it is called', () => {
    const rows = [row('a@h1', { phone: 'device:p', epoch: undefined }), row('b@h2', { phone: 'device:p', epoch: 7 })]
    for (const name of ['a', 'b', 'a@h1', 'b@h2', undefined]) expect(chosen(rows, name)).toEqual(['b@h2'])
  })

  test('of two that say that they own it, the higher epoch does', () => {
    const rows = [row('a@h1', { phone: 'device:p', epoch: 3 }), row('b@h2', { phone: 'device:p', epoch: 4 })]
    expect(chosen(rows, 'a')).toEqual(['b@h2'])
  })
})

describe('by labels', () => {
  test('idle ones first, then those of hosts with less to do, then by serial', () => {
    const rows = [row('d@h1'), row('c@h1', { isBusy: true }), row('b@h2'), row('a@h2', { isBusy: true }), row('e@h3')]
    expect(chosen(rows, 'any')).toEqual(['e@h3', 'b@h2', 'd@h1', 'a@h2', 'c@h1'])
    expect(chosen([...rows].reverse(), 'any')).toEqual(['e@h3', 'b@h2', 'd@h1', 'a@h2', 'c@h1'])
  })

  test('not those of hosts that drain or are gone, nor those that are not ready', () => {
    const rows = [
      row('a@h1', { isDraining: true }),
      row('b@h2', { isAlive: false }),
      row('c@h3', { state: 'offline' }),
      row('d@h3'),
    ]
    expect(chosen(rows, 'any:tag=lab')).toEqual(['d@h3'])
    expect(chosen(rows, 'any:tag=other')).toBe('NO_DEVICES')
    expect(chosen(rows, 'any:host=h3,serial=d')).toEqual(['d@h3'])
  })

  test.each([
    ['android>=14', true],
    ['android>=9', true],
    ['android>14', false],
    ['android<14.1', true],
    ['android=14', true],
    ['android!=14', false],
    ['tag=lab', true],
    ['tag!=lab', false],
    ['colour=red', false],
    ['colour!=red', true],
    ['colour>=1', false],
  ])('%s is %s of a phone with Android 14', (text, expected) => {
    const read = readTerms(`any:${text}`)
    expect(read.ok && fitting(read.terms)({ android: '14', tag: 'lab' }, {})).toBe(expected)
  })

  test.each(['any:android', 'any:>=14', 'any:a=', 'any:a=1,,b=2', 'any:A=1'])('%s cannot be read', deviceId =>
    expect(chosen([row('a@h1')], deviceId)).toBe('INVALID_DEVICE_ID'),
  )
})
