/** Many commands at once where no daemon runs, and two builds that take turns: real programs, counted on the device. */
import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isRunning, liveOwner } from '../../../src/daemon/ownership.ts'
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

test('snapshots of several devices at once: each is answered, each device is asked once', async () => {
  const lab = await labOf({ count: 6 })
  const all = await Promise.all(lab.fleet.devices.map(({ serial }) => lab.svc(['snapshot', '--device', serial])))
  expect(all.map(codeOf)).toEqual(all.map(() => 'success'))
  for (const [index, { serial }] of lab.fleet.devices.entries()) {
    expect(lab.daemons(serial).length).toBeLessThanOrEqual(1)
    expect(lab.seen(index)).toBe(1)
  }
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
