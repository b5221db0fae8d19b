/** `svc lease` before simulated phones: kept by the daemon or by the command itself, used by others of its caller, and given back. */

import { hostname, userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCliHere } from '../../support/cli/cli-here.ts'
import type { CliEnded } from '../../support/cli/run-cli.ts'
import { type SvcLab, startSvcLab } from '../../support/cli/svc-lab.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { until } from '../../support/until.ts'

let lab: SvcLab
beforeAll(async () => {
  lab = await startSvcLab({ count: 2 })
})
afterAll(() => lab.close())

const serial = (index = 0) => lab.fleet.devices[index]?.serial ?? ''
interface Leased {
  lease: { leaseId: string; deviceId: string; since: number; expiresAt: number }
}
const leaseIn = (ended: CliEnded) => (ended.json() as Leased).lease
const leases = async () => ((await lab.svc(['lease', 'list'])).json() as { leases: unknown[] }).leases
const home = (...more: string[]) => lab.svc(['press', 'home', ...more])
const NONE = '01a0c450-6c00-72b0-91e0-586a373dc163'

test('the daemon keeps it: others are refused, its id names the phone, and whoever has the id extends and ends it', async () => {
  const made = await lab.svc(['lease', serial(), '--for', '10m'])
  expect(made.code).toBe(0)
  const lease = leaseIn(made)
  expect(lease).toMatchObject({ deviceId: serial(), expiresAt: lease.since + 600_000 })
  expect(await leases()).toEqual([lease])

  const refused = await home('--device', serial())
  expect([refused.code, refused.json()]).toMatchObject([
    1,
    { code: DEVICE_CONFLICT, details: { holder: { leaseId: lease.leaseId } } },
  ])
  expect((await home('--lease', lease.leaseId)).json()).toMatchObject({ deviceId: serial() })
  const byEnvironment = await lab.svc(['press', 'home'], { env: { SVC_LEASE: lease.leaseId } })
  expect(byEnvironment.json()).toMatchObject({ deviceId: serial() })

  const extended = await lab.svc(['lease', 'extend', lease.leaseId, '--for', '2h'])
  expect(leaseIn(extended).expiresAt).toBeGreaterThan(lease.expiresAt)
  expect((await lab.svc(['lease', 'end', lease.leaseId])).code).toBe(0)
  expect(await leases()).toEqual([])
  expect((await home('--device', serial())).code).toBe(0)
  const again = await lab.svc(['lease', 'end', lease.leaseId])
  expect([again.code, again.json()]).toMatchObject([1, { code: 'LEASE_NOT_FOUND' }])
})

test('its note, and user and machine of its keeper, are told to who is refused, and in the list of devices', async () => {
  const note = 'nightly payments'
  const lease = leaseIn(await lab.svc(['lease', serial(), '--for', '10m', '--note', note]))
  const keptBy = { user: userInfo().username, machine: hostname(), pid: expect.any(Number) }
  expect(lease).toMatchObject({ note, keptBy })
  for (const args of [
    ['press', 'home', '--device', serial()],
    ['lease', serial(), '--for', '1m'],
  ]) {
    const refused = (await lab.svc(args)).json()
    expect(refused).toMatchObject({
      code: DEVICE_CONFLICT,
      message: expect.stringMatching(`of ${keptBy.user} on ${keptBy.machine}.*: "nightly payments"\\.`),
      details: { holder: { leaseId: lease.leaseId, note, keptBy } },
    })
  }
  const { devices } = (await lab.svc(['devices'])).json() as { devices: { serial: string; lease?: object }[] }
  expect(devices.find(each => each.serial === serial())?.lease).toMatchObject({ leaseId: lease.leaseId, note, keptBy })
  expect(devices.filter(each => each.lease)).toHaveLength(1)
  expect((await lab.svc(['devices', '--output', 'text'])).stdout).toContain(`${note}, ${keptBy.user}@`)
  const wrong = await lab.svc(['lease', serial(), '--for', '1m', '--note', 'a\nb'])
  expect(wrong.json()).toMatchObject({ code: 'USAGE' })
  await lab.svc(['lease', 'end', lease.leaseId])
})

test('of a phone that is reserved, it waits as long as it is told', async () => {
  const lease = leaseIn(await lab.svc(['lease', '--device', serial(), '--for', '10m']))
  const refused = await lab.svc(['lease', serial(), '--for', '10m', '--wait', '300ms'])
  expect([refused.code, refused.json()]).toMatchObject([1, { code: DEVICE_CONFLICT }])
  const waiting = lab.svc(['lease', serial(), '--for', '90s', '--wait', '1m'])
  expect((await lab.svc(['lease', 'end', lease.leaseId])).code).toBe(0)
  const next = leaseIn(await waiting)
  expect(next.leaseId).not.toBe(lease.leaseId)
  await lab.svc(['lease', 'end', next.leaseId])
})

describe('without a daemon, the command keeps it', () => {
  const keep = async (...flags: string[]) => {
    const kept = startCliHere(['lease', serial(), '--no-daemon', ...flags], { env: lab.env })
    await until(() => kept.stdout().includes('leaseId'), 'the reservation')
    return { ...kept, leaseId: JSON.parse(kept.stdout()).lease.leaseId as string }
  }

  test('until a signal comes', async () => {
    const { ended, interrupt, leaseId } = await keep('--for', '10m')
    expect(await leases()).toMatchObject([{ leaseId }])
    expect((await home('--device', serial())).json()).toMatchObject({ code: DEVICE_CONFLICT })
    interrupt()
    expect((await ended).code).toBe(0)
    expect(await leases()).toEqual([])
  })

  test('until its time is over', async () => {
    const { ended } = await keep('--for', '1500ms')
    expect((await ended).code).toBe(0)
    expect(await leases()).toEqual([])
  })

  test('until another command ends it', async () => {
    const { ended, leaseId } = await keep('--for', '10m')
    expect((await lab.svc(['lease', 'end', leaseId])).code).toBe(0)
    expect((await ended).code).toBe(0)
  })
})

test.each([
  [['lease', 'd1'], /--for is missing/],
  [['lease', 'd1', '--for', 'soon'], /--for must be a time/],
  [['lease', 'd1', '--for', '25h'], /--for must be a time/],
  [['lease', 'd1', '--for', '10m', '--wait', '11m'], /--wait must be a time/],
  [['lease', 'd1', '--device', 'd2', '--for', '10m'], /once/],
  [['lease', 'extend', 'mine', '--for', '10m'], /leaseId; got "mine"/],
  [['lease', 'extend', NONE], /--for is missing/],
  [['press', 'home', '--lease', 'mine'], /--lease must be the leaseId/],
])('%j is a mistake that nothing is begun for', async (args, said) => {
  const refused = await lab.svc(args)
  expect([refused.code, refused.json()]).toMatchObject([1, { code: 'USAGE', message: expect.stringMatching(said) }])
  expect(await leases()).toEqual([])
})

test('nobody has the reservation', async () => {
  for (const args of [
    ['extend', NONE, '--for', '1m'],
    ['end', NONE],
  ])
    expect((await lab.svc(['lease', ...args])).json()).toMatchObject({ code: 'LEASE_NOT_FOUND' })
})

test('the bounds of a time are in the units that it can be written in', async () => {
  const { code, stdout } = await startCliHere(['lease', 'any', '--for', '1ms'], { env: { HOME: '/nowhere' } }).ended
  expect(code).toBe(1)
  expect(stdout).toContain('from 1 s to 24 h')
})
