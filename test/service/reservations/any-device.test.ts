/** `any` reserves whichever phone of this host is free; `any:` without a term is refused behind every door. */

import { afterEach, expect, test } from 'vitest'
import { place } from '../../../src/fleet/ownership/placement.ts'
import { placeDevice } from '../../../src/fleet/service/place.ts'
import { type Lab, startLab } from '../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'

let lab: Lab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

const call = { context: { caller: 'http' as const } }

test('any: one free phone after the other, and then a conflict; the first that is given back is taken', async () => {
  lab = await startLab({ count: 2, hasTwoSerials: true })
  const service = await lab.services.service()
  const reserve = (waitMs = 0) => service['leases.create']({ device: 'any', forMs: 60_000, waitMs }, call)
  const [first, second, third] = [await reserve(), await reserve(), await reserve()]
  if (!first.ok || !second.ok) throw new Error('no phone was reserved')
  const serials = lab.fleet.devices.map(({ serial }) => serial)
  expect([first.value.lease.deviceId, second.value.lease.deviceId].sort()).toEqual([...serials].sort())
  expect(third).toMatchObject({ ok: false, error: { code: DEVICE_CONFLICT } })
  const waited = reserve(30_000)
  await service['leases.end']({ leaseId: second.value.lease.leaseId }, call)
  expect(await waited).toMatchObject({ ok: true, value: { lease: { phone: second.value.lease.phone } } })
})

test('any, where no phone is connected', async () => {
  lab = await startLab({ count: 1 })
  const service = await lab.services.service()
  await lab.fleet.close()
  expect(await service['leases.create']({ device: 'any', forMs: 60_000 }, call)).toMatchObject({
    ok: false,
    error: { code: 'NO_DEVICES' },
  })
})

const UNFINISHED = { code: 'INVALID_DEVICE_ID', message: 'The device id "any:" has no term behind the colon.' }

test('any: without a term, on a host without a fleet', async () => {
  lab = await startLab({ count: 1 })
  const service = await lab.services.service()
  const execution = {
    ...{ commandId: 'c', taskId: 't', source: 's', expectedFormat: 'android-ui-automator', timeoutMs: 1_000 },
    actions: [{ id: 'a', type: 'press_key', params: { key: 'back' } }],
  }
  const flow = 'appId: com.example\n---\n- back\n'
  const answers = [
    await service.execute({ execution, deviceId: 'any:' }, call),
    await service['leases.create']({ device: 'any:', forMs: 60_000 }, call),
    await service['devices.get']({ deviceId: 'any:' }, call),
    await service['recording.start']({ deviceId: 'any:', forMs: 60_000 }, call),
    await service['testRuns.start']({ yaml: flow, devices: ['any:'] }, call),
  ]
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: UNFINISHED })
})

test('any: without a term, in a fleet, whether its servers answer or not', async () => {
  expect(place({} as never, 'any:')).toMatchObject({ ok: false, error: { code: UNFINISHED.code } })
  for (const isUp of [true, false]) {
    const placed = await placeDevice('any:', { fleet: { isUp: () => isUp } } as never)
    expect(placed).toMatchObject({ kind: 'refused', error: UNFINISHED })
  }
})

test('a run of flows that names a phone which is not listed is refused at once, with those that are', async () => {
  lab = await startLab({ count: 1 })
  const [{ serial = '' } = {}] = lab.fleet.devices
  const service = await lab.services.service()
  const started = await service['testRuns.start'](
    { yaml: 'appId: com.example\n---\n- back\n', devices: [serial, 'typo-5554'] },
    call,
  )
  expect(started).toMatchObject({
    ok: false,
    error: {
      code: 'DEVICE_NOT_FOUND',
      message: 'Device typo-5554 is not connected: no flow was begun.',
      details: { connected: [serial] },
    },
  })
  expect(await (await lab.services.testRuns()).list()).toEqual([])
})
