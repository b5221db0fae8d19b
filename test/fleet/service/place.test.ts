/** Where a request for a device goes: to candidates of the fleet, to this host alone, or nowhere. */

import { describe, expect, test } from 'vitest'
import type { FleetRow } from '../../../src/fleet/fleet.ts'
import { firstIdle, onFirstFree, type Placement, placeDevice } from '../../../src/fleet/service/place.ts'
import { failed, type Result, type Service, success } from '../../../src/service/service.ts'
import { DEVICE_CONFLICT, UNNAMED_DEVICE } from '../../support/failure-codes.ts'
import { fakeFleet, rowOf } from '../../support/fleet/fake-fleet.ts'

type Candidates = readonly [FleetRow, ...FleetRow[]]

const rows = [rowOf('s1@self'), rowOf('s2@other')]
const shown = (placement: Placement): unknown => {
  if (placement.kind === 'candidates') return placement.candidates.map(({ serial, host }) => `${serial}@${host}`)
  return placement.kind === 'refused' ? placement.error.code : (placement.serial ?? 'here')
}

describe('with servers', () => {
  const place = async (deviceId?: string) =>
    shown(await placeDevice(deviceId, { fleet: fakeFleet({ rows }), listDevices: async () => [] }))

  test.each<[string | undefined, unknown]>([
    ['s1', ['s1@self']],
    ['s2', ['s2@other']],
    [' s2@other ', ['s2@other']],
    ['any:host=other', ['s2@other']],
    ['s2@self', 'DEVICE_NOT_FOUND'],
    ['none', 'DEVICE_NOT_FOUND'],
    ['any:tag=none', 'NO_DEVICES'],
    ['', UNNAMED_DEVICE],
    [undefined, UNNAMED_DEVICE],
  ])('%j: %j', async (deviceId, placed) => expect(await place(deviceId)).toEqual(placed))
})

describe('without servers', () => {
  const own = [rowOf('s1@self')]
  const place = async (deviceId: string, listed: readonly string[] = []) =>
    shown(
      await placeDevice(deviceId, {
        fleet: fakeFleet({ rows: own, isUp: false }),
        listDevices: async () => listed.map(serial => ({ serial, state: 'device' })),
      }),
    )

  test.each<[string, unknown]>([
    ['any', 'FLEET_UNREACHABLE'],
    ['any:host=self', 'FLEET_UNREACHABLE'],
    ['s2@other', 'FLEET_UNREACHABLE'],
    ['s1', ['s1@self']],
    ['new', 'here'],
    ['new@self', 'new'],
    ['odd@NAME', 'here'],
  ])('%j: %j', async (deviceId, placed) => expect(await place(deviceId)).toEqual(placed))

  test('a serial of this machine may look like a device of another host', async () => {
    expect(await place('adb@x', ['adb@x'])).toBe('here')
    expect(await place('adb@x', ['another'])).toBe('FLEET_UNREACHABLE')
  })
})

describe('of several candidates', () => {
  const candidates = [rowOf('a@self'), rowOf('b@other'), rowOf('c@other')] as unknown as Candidates
  const busy = failed({ code: DEVICE_CONFLICT, message: 'It is busy.' })
  const tried = async (answer: (serial: string) => Result<string>) => {
    const asked: string[] = []
    const result = await onFirstFree(candidates, fakeFleet({ rows }), async ({ serial }) => {
      asked.push(serial)
      return answer(serial)
    })
    return { asked: asked.sort(), result }
  }

  test('the next one is asked after a refusal that proves nothing was done', async () => {
    const { asked, result } = await tried(() => busy)
    expect(asked).toEqual(['a', 'b', 'c'])
    expect(result).toBe(busy)
  })

  test('none is asked after one that may have done something', async () => {
    const doubtful = failed({ code: 'FLEET_HOST_GONE', message: 'Lost.', details: { dispatched: 'unknown' } })
    expect((await tried(() => doubtful)).asked).toHaveLength(1)
    const accepted = { ...busy, executionId: 'e' }
    expect((await tried(() => accepted)).asked).toHaveLength(1)
    expect((await tried(serial => success(serial))).asked).toHaveLength(1)
  })

  test('a request with a key goes to the first that is idle by the receipts of its host', async () => {
    const fleet = fakeFleet({ rows: [rowOf('a@self', { isBusy: true }), rowOf('b@other'), rowOf('c@other')] })
    const busyThere = new Set<string>(['b'])
    const peer = () => ({
      'executions.list': (async ({ deviceId = '' }: { deviceId?: string }) =>
        success({
          executions: busyThere.has(deviceId) ? [{ state: 'dispatched' }] : [],
          unanswered: [],
        })) as unknown as Service['executions.list'],
    })
    const call = { context: { caller: 'http' } } as const
    expect(await firstIdle(candidates, call, { fleet, peer })).toMatchObject({ serial: 'c' })
    busyThere.add('c')
    expect(await firstIdle(candidates, call, { fleet, peer })).toMatchObject({ serial: expect.any(String) })
  })
})
