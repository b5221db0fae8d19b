/** One phone, several hosts: it has one owner, a higher epoch with each, and an owner that was frozen is refused. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JournalRecord } from '../../src/contracts/records/journal.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { journalPath } from '../../src/runtime/home.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { payloadOf } from '../support/executions/lab.ts'
import { type FleetLab, fleetLab } from '../support/fleet/fleet-lab.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

const recordsOf = (lab: FleetLab, host: string): JournalRecord[] => {
  const path = journalPath(join(lab.host(host).home, '.svc'))
  const journal = openJournal({ path, alive: () => true, clock: systemClock(), readOnly: true })
  try {
    return journal.records({ machine: 'ownership' })
  } finally {
    journal.close()
  }
}

const epochsOf = (lab: FleetLab, host: string): number[] =>
  recordsOf(lab, host).flatMap(({ event }) => (event.type === 'phone.claimed' ? [Number(event.epoch)] : []))

describe.skipIf(!needs('nats-server')).concurrent('a phone', () => {
  const make = fleetLab()

  test('that is moved from one host to another changes its owner, with a higher epoch', async () => {
    const lab = await make({ phones: [['lab1', 'lab2']] })
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    expect((await two.post('/snapshot', { deviceId: one.serial(0) })).headers.get('svc-host')).toBe('lab1')
    const execution = payloadOf([{ id: 'a', type: 'snapshot' }], { commandId: 'keyed' })
    const keyed = { 'idempotency-key': 'before-it-moved' }
    const done = await two.post('/execute', { execution, deviceId: one.serial(0) }, keyed)
    expect(done.status).toBe(200)
    one.unplug(0)
    two.plug(0)
    await lab.owned('lab2', 0)
    await until(async () => {
      const { headers, status } = await one.post('/snapshot', { deviceId: two.serial(0) })
      return status === 200 && headers.get('svc-host') === 'lab2'
    }, 'lab1 to send requests to lab2')
    // What was done under a key is where it was done, and said by the name that was used then.
    const again = await two.post('/execute', { execution, deviceId: `${one.serial(0)}@lab1` }, keyed)
    expect([again.status, again.headers.get('svc-host'), again.body]).toEqual([200, 'lab1', done.body])
    const other = await two.post('/execute', { execution, deviceId: two.serial(0) }, keyed)
    expect(other.status).toBe(422)
    const [first, second] = [epochsOf(lab, 'lab1'), epochsOf(lab, 'lab2')]
    expect(first).toHaveLength(1)
    expect(Math.min(...second)).toBeGreaterThan(Math.max(...first))
  })

  test('that two hosts see has one owner, and callers of both get there', async () => {
    const lab = await make({ phones: [['lab1', 'lab2']] })
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    two.plug(0)
    for (const host of [one, two]) {
      const isKnown = async () => (await host.post('/snapshot', { deviceId: `${two.serial(0)}@lab2` })).status === 200
      await until(isKnown, `${host.id} to hear that both see the phone`)
    }
    for (const host of [one, two]) {
      for (const deviceId of [`${one.serial(0)}@lab1`, `${two.serial(0)}@lab2`]) {
        const { status, body } = await host.post('/snapshot', { deviceId })
        expect({ status, body }).toMatchObject({ status: 200, body: { deviceId: one.serial(0) } })
      }
    }
    expect(epochsOf(lab, 'lab2')).toEqual([])
  })

  test('is not touched by an owner that was frozen while another one took it', async () => {
    const lab = await make({ phones: [['lab1', 'lab2']] })
    const [one, two] = [lab.host('lab1'), lab.host('lab2')]
    two.plug(0)
    // Far more than is done before the host is frozen.
    const steps = Array.from({ length: 10 }, (_, index) => [
      { id: `s${index}`, type: 'sleep', params: { durationMs: 2_000 } },
      { id: `p${index}`, type: 'take_screenshot' },
    ]).flat()
    const execution = payloadOf(steps, { commandId: 'frozen', timeoutMs: 60_000 })
    const asked = one.post<{ error?: { code: string } }>('/execute', { execution, deviceId: `${one.serial(0)}@lab1` })
    const phone = lab.fleet.devices[0]?.phone
    await until(() => phone?.arrivals().length === 1, 'the execution to begin')
    one.freeze()
    await until(
      async () => {
        const { status } = await two.post('/snapshot', { deviceId: `${two.serial(0)}@lab2` })
        return status === 200
      },
      'lab2 to take the phone from the frozen host',
      40_000,
    )
    const before = phone?.arrivals().filter(({ wireId }) => wireId.includes('frozen')).length
    one.thaw()
    const { status, body } = await asked
    expect({ status, code: body.error?.code }).toEqual({ status: 503, code: 'FLEET_HOST_GONE' })
    expect(phone?.arrivals().filter(({ wireId }) => wireId.includes('frozen')).length).toBe(before)
    expect(epochsOf(lab, 'lab2')[0]).toBeGreaterThan(epochsOf(lab, 'lab1')[0] ?? 0)
    await until(async () => {
      const after = await one.post('/snapshot', { deviceId: `${one.serial(0)}@lab1` })
      return after.status === 200 && after.headers.get('svc-host') === 'lab2'
    }, 'the host that was thawed to send its callers to the owner')
  }, 90_000)
})
