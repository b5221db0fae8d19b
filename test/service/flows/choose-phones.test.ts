/** One phone with two serials takes flows once. */
import { describe, expect, test } from 'vitest'
import { namedPhones, nobodyReady, phonesForFlows, unlistedNames } from '../../../src/service/flows/choose-phones.ts'
import type { ListedPhone } from '../../../src/service/flows/phones.ts'

const phone = (deviceId: string, name: string, state: ListedPhone['state'] = 'free'): ListedPhone => ({
  deviceId,
  serial: deviceId.split('@')[0] ?? deviceId,
  phone: name,
  state,
})

const LISTED = [
  phone('usb', 'A'),
  phone('10.0.0.2:5555', 'A'),
  phone('other', 'B'),
  phone('kept', 'C', 'reserved'),
  phone('dark', 'D', 'away'),
]

describe('phones for flows', () => {
  test.each<[string, string[] | undefined, string[], string[]]>([
    ['all that are free, each once', undefined, [], ['usb', 'other']],
    ['under the serial by which one takes flows already', undefined, ['10.0.0.2:5555'], ['10.0.0.2:5555', 'other']],
    ['both serials of one phone', ['usb', '10.0.0.2:5555'], [], ['usb']],
    ['the second serial alone', ['10.0.0.2:5555'], [], ['10.0.0.2:5555']],
    ['none that is reserved or away', ['kept', 'dark'], [], []],
  ])('%s', (_, names, known, chosen) => {
    expect(phonesForFlows(LISTED, names, known)).toEqual(chosen)
  })

  test('a serial names a phone of a fleet too', () => {
    expect(phonesForFlows([phone('usb@h1', 'A')], ['usb'])).toEqual(['usb@h1'])
  })
})

test('each named phone runs every flow once, also while it is busy or unknown', () => {
  expect(namedPhones(LISTED, ['10.0.0.2:5555', 'kept', 'usb', 'new'])).toEqual(['10.0.0.2:5555', 'kept', 'new'])
})

test('names that no listed phone has', () => {
  expect(unlistedNames(LISTED, ['usb', 'typo', 'dark'])).toEqual(['typo'])
})

describe('a flow that waits says for which phones, and who has them', () => {
  const reservation = 'reserved by lease l1 of ann on ci-3: "nightly"'
  const kept = { ...phone('kept', 'C', 'reserved'), reservation }
  const again = { ...phone('kept-wifi', 'C', 'reserved'), reservation }

  test.each<[what: string, listed: ListedPhone[], devices: string[] | undefined, words: string]>([
    ['each once', [kept, again], undefined, `no phone is ready: waiting 60 s for one. kept is ${reservation}`],
    [
      'those that are named alone',
      [kept, { ...phone('more', 'E', 'reserved'), reservation }, phone('usb', 'A')],
      ['kept'],
      `kept is not ready: waiting 60 s for one. kept is ${reservation}. Of all phones, ready are usb`,
    ],
    [
      'none',
      [phone('dark', 'D', 'away')],
      undefined,
      'no phone is ready: waiting 60 s for one. `GET /devices` lists phones; `svc simulate` starts a simulated one',
    ],
  ])('%s', (_, listed, devices, words) => {
    expect(nobodyReady(listed, devices)).toBe(words)
  })
})
