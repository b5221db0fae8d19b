/** Many commands at once where no daemon runs, and two builds that take turns: real programs, counted on the device. */
import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isRunning, liveOwner } from '../../../src/daemon/ownership.ts'
import { call } from '../../support/http-client.ts'
import { CLI, type CliEnded } from '../../support/run-cli.ts'
import { spawnOther } from '../../support/spawn-other.ts'
import { svcLab } from '../../support/svc-lab.ts'

const labOf = svcLab()
const MANY = 20
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const codeOf = (ended: CliEnded) => (ended.code === 0 ? 'success' : ended.json().code)

test('twenty snapshots of one device: one daemon, and an answer or a conflict for each', async () => {
  const lab = await labOf()
  const all = await Promise.all(Array.from({ length: MANY }, () => lab.svc(['snapshot'])))
  expect(new Set(lab.daemons()).size).toBe(1)
  const codes = all.map(codeOf)
  const answered = codes.filter(code => code === 'success').length
  expect(answered).toBeGreaterThan(0)
  for (const code of codes) expect(['success', 'EXECUTION_CONFLICT_IN_FLIGHT']).toContain(code)
  expect(lab.seen()).toBe(answered)
})

test('twenty snapshots of twenty devices: twenty answers, one daemon for each key, each device asked once', async () => {
  const lab = await labOf({ count: MANY })
  const all = await Promise.all(lab.fleet.devices.map(({ serial }) => lab.svc(['snapshot', '--device', serial])))
  expect(all.map(codeOf)).toEqual(all.map(() => 'success'))
  for (const [index, { serial }] of lab.fleet.devices.entries()) {
    expect(all[index]?.json()).toMatchObject({ deviceId: serial })
    // One that does not come up in time on a busy machine is done without, and that is said.
    const isProxied = all[index]?.stderr === ''
    expect(lab.daemons(serial).length).toBeLessThanOrEqual(1)
    if (isProxied) expect(lab.daemons(serial)).toEqual([lab.metadata(serial)?.pid])
    expect(lab.seen(index)).toBe(1)
  }
})

test('twenty snapshots that name no device: one daemon, which says to each what there is to choose from', async () => {
  const lab = await labOf({ count: MANY })
  const serials = lab.fleet.devices.map(({ serial }) => serial)
  const all = await Promise.all(serials.map(() => lab.svc(['snapshot'])))
  expect(all.map(codeOf)).toEqual(all.map(() => 'MULTIPLE_DEVICES_DEVICE_ID_REQUIRED'))
  expect(lab.daemons()).toEqual([lab.metadata()?.pid])

  // That same daemon serves all of them at once, when each request names its own.
  const { socket: socketPath } = lab.paths()
  const answers = await Promise.all(
    serials.map(deviceId => call('http://localhost/snapshot', { socketPath, method: 'POST', body: { deviceId } })),
  )
  expect(answers.map(({ status, json }) => [status, (json as { deviceId?: string }).deviceId])).toEqual(
    serials.map(serial => [200, serial]),
  )
  expect(serials.map((_, index) => lab.seen(index))).toEqual(serials.map(() => 1))
})

test('two builds: the one does not end the work of the other', async () => {
  const lab = await labOf({ count: 2 })
  const [one, other] = lab.fleet.devices.map(({ serial }) => serial)
  const copy = join(realpathSync(lab.home), 'other')
  mkdirSync(copy)
  cpSync(dirname(CLI), join(copy, 'dist'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))

  const only = (serial: string | undefined) => ({ ...lab.env, SVC_TCP_DEVICES: serial })
  const snapshot = () => spawnOther(join(copy, 'dist', 'svc.cjs'), ['snapshot'], only(other))
  const running = lab.start(['sleep', '6000'], { env: only(one) })
  await lab.busy(1, 0)
  const first = liveOwner(lab.paths().metadata)
  if (!first) throw new Error('there is no daemon')
  const taken = await snapshot()
  expect(taken.code).toBe(0)
  expect(taken.stderr).toContain('is at work')
  expect(await running.ended).toMatchObject({ code: 0 })
  expect(lab.seen(0)).toBe(1)
  // The first one ends itself once it is idle, and each build goes on with its own.
  expect((await snapshot()).code).toBe(0)
  expect(lab.metadata()?.cliEntryPath).toBe(join(copy, 'dist', 'svc.cjs'))
  expect(isRunning(first)).toBe(false)
})
