/** A phone with two serials is one phone to flows, and nobody else acts on the phone of an attempt. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { FlowsRequest } from '../../../src/service/flows/request.ts'
import { parseScenario } from '../../../src/simulator/scenario/scenario.ts'
import { secondSerial } from '../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { type FlowLab, startFlowLab } from '../../support/flows/flow-lab.ts'

const shop = () => {
  const nodes = [{ text: 'Pay', onTap: { count: { payments: 1 } } }, { text: 'Payments {payments}' }]
  const parsed = parseScenario({
    timeScale: 0.05,
    front: 'com.example.shop',
    apps: [
      {
        package: 'com.example.shop',
        label: 'Shop',
        counters: { payments: { kept: true } },
        screens: { home: { nodes } },
        start: 'home',
      },
    ],
  })
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.scenario
}

let lab: FlowLab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

const PAY = ['- tapOn: Pay', '- assertVisible: Payments .*']

const started = async (flows: readonly (readonly string[])[], hasTwoSerials = true) => {
  lab = await startFlowLab({ scenario: shop(), hasTwoSerials, hostScale: 0.1 })
  const { home } = lab
  mkdirSync(join(home, 'flows'))
  const paths = flows.map((commands, at) => {
    const file = join(home, 'flows', `flow-${at}.yaml`)
    writeFileSync(file, ['appId: com.example.shop', '---', ...commands, ''].join('\n'))
    return file
  })
  const [{ serial = '' } = {}] = lab.fleet.devices
  return { lab, paths, serial, other: secondSerial(serial) }
}

const payments = ({ phones }: FlowLab) => JSON.stringify(phones[0]?.tree()).match(/Payments (\d+)/)?.[1]

test.each<[string, (serials: string[]) => Partial<FlowsRequest>]>([
  ['every phone', () => ({})],
  ['both serials named', devices => ({ devices })],
  ['--shard-all', () => ({ shardAll: true })],
  ['--shard-all, both serials named', devices => ({ shardAll: true, devices })],
])('%s: each flow runs once, and one after the other', async (_, options) => {
  const { lab, paths, serial, other } = await started([PAY, PAY])
  const { run } = await lab.run(paths, options([serial, other]))
  const attempts = run.flows.flatMap(flow => flow.attempts)
  expect(run.verdict).toBe('passed')
  expect(attempts.length).toBe(2)
  expect(payments(lab)).toBe('2')
  expect(new Set(attempts.map(({ deviceId }) => deviceId)).size).toBe(1)
  const [first, second] = attempts.toSorted((a, b) => a.startedAt - b.startedAt)
  expect(second?.startedAt).toBeGreaterThanOrEqual(first?.endedAt ?? 0)
})

test('--shard-all wants as many phones as there are, and not as many serials', async () => {
  const { lab, paths } = await started([PAY])
  const { run } = await lab.run(paths, { shardAll: true, phonesMax: 2 })
  expect(run.error?.message).toContain('--shard-all wants 2 phones, and 1 are ready')
  expect(run.error?.hint).toBe('Connect more phones, or ask for 1.')
})

test('while an attempt runs, executions and reservations of others are refused under both serials', async () => {
  const { lab, paths, serial, other } = await started([
    ['- tapOn: Pay', '- extendedWaitUntil: { visible: never, timeout: 60000 }'],
  ])
  const runs = await lab.services.testRuns()
  const service = await lab.services.service()
  const call = { context: { caller: 'cli' as const } }
  let flowRunId = ''
  let tell = () => {}
  const tapped = new Promise<void>(resolve => {
    tell = resolve
  })
  const begun = await runs.start({ paths, cwd: lab.home, caller: 'cli' }, progress => {
    if (progress.type === 'attempt.begun') flowRunId = progress.flowRunId
    if (progress.type === 'command.ended') tell()
  })
  if (!begun.ok) throw new Error(begun.error.message)
  await tapped
  const refusal = {
    code: DEVICE_CONFLICT,
    details: { holder: { pid: process.pid, flowRunId, leaseId: expect.any(String) } },
  }
  const click = [{ id: 'a', type: 'click', params: { matcher: { textEquals: 'Pay' } } }]
  for (const deviceId of [serial, other]) {
    expect((await lab.execute(click, { deviceId })).result).toMatchObject({ ok: false, error: refusal })
    expect(await service['leases.create']({ device: deviceId, forMs: 60_000 }, call)).toMatchObject({
      ok: false,
      error: refusal,
    })
  }
  const listed = await service['leases.list']({}, call)
  expect(listed).toMatchObject({ value: { leases: [{ flowRunId, deviceId: serial }] } })
  await runs.cancel(begun.testRunId)
  await begun.ended
  expect(payments(lab)).toBe('1')
  expect(await service['leases.list']({}, call)).toMatchObject({ value: { leases: [] } })
  expect((await lab.execute(click, { deviceId: other })).result).toMatchObject({ ok: true })
})

test('a reservation under one serial keeps flows from the other, and the run with it goes on', async () => {
  const { lab, paths, serial, other } = await started([PAY])
  const service = await lab.services.service()
  const call = { context: { caller: 'cli' as const } }
  const made = await service['leases.create']({ device: other, forMs: 600_000 }, call)
  if (!made.ok) throw new Error(made.error.message)
  const { leaseId } = made.value.lease
  const listed = await service['devices.list']({ phones: 'true' }, call)
  if (!listed.ok) throw new Error(listed.error.message)
  const [first, second] = listed.value.devices
  expect(first?.phone).toBe(second?.phone)
  expect((await lab.run(paths, { devices: [serial] })).run.verdict).toBe('indeterminate')
  expect((await lab.run(paths, { devices: [serial], leaseId })).run.verdict).toBe('passed')
  expect(payments(lab)).toBe('1')
})
