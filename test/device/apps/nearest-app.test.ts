/** The installed application whose name is nearest to one that is not installed. */
import { describe, expect, test } from 'vitest'
import { nearestInstalled, nearestPackage } from '../../../src/device/apps/nearest-app.ts'
import { createPhone } from '../../../src/simulator/device.ts'
import { phoneLink } from '../../support/adb/phone-link.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { appOf, scenarioOf } from '../../support/simulator/simulated-ui.ts'

const INSTALLED = ['com.android.settings', 'com.example.notes', 'org.clock']

describe('the nearest name', () => {
  test.each<[string, string | undefined]>([
    ['com.example.note', 'com.example.notes'],
    ['notes', 'com.example.notes'],
    ['Notes', 'com.example.notes'],
    ['note', 'com.example.notes'],
    ['com.other.notes', 'com.example.notes'],
    ['com.example.notes.debug', 'com.example.notes'],
    ['COM.EXAMPLE.NOTES', 'com.example.notes'],
    ['com.android.setings', 'com.android.settings'],
    ['com.example.absent', undefined],
    ['com.example.notes', undefined],
    ['xy', undefined],
    ['a'.repeat(10_000), undefined],
  ])('of %s is %s', (wanted, near) => expect(nearestPackage(wanted, INSTALLED)).toBe(near))
})

test('is asked of the device, and left out where it does not answer', async () => {
  const clock = manualClock(1_700_000_000_000)
  const scenario = scenarioOf(appOf({ main: { activity: '.Main', nodes: [] } }))
  const phone = createPhone({ name: 'p', serialno: 'S1', scenario, clock })
  const call = { deadline: clock.now() + 1_000, signal: new AbortController().signal }
  const link = phoneLink(phone, clock)
  expect(await nearestInstalled(link, 'com.exampel', call)).toBe('com.example')
  const dead = { ...link, shell: () => Promise.reject(new Error('gone')) }
  expect(await nearestInstalled(dead, 'com.android.setings', call)).toBeUndefined()
})
