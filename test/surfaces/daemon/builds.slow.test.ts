/** Two builds of svc used in turn: each gets a daemon of its own build, and none ends the other's running work. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAlive } from '../../../src/runtime/processes/processes.ts'
import { isRunning, liveOwner } from '../../../src/surfaces/daemon/identity.ts'
import { otherBuild } from '../../support/cli/other-build.ts'
import { startServeHere } from '../../support/cli/serve.ts'
import { spawnOther } from '../../support/cli/spawn-other.ts'
import { svcLab } from '../../support/cli/svc-lab.ts'
import { command, daemonLab } from '../../support/daemon/daemon-lab.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { call } from '../../support/http/http-client.ts'
import { until } from '../../support/until.ts'

const lab = daemonLab()
const labOf = svcLab()

const builds = () => {
  const { folder } = lab()
  const [a, b] = ['a', 'b'].map(name => join(folder, name)) as [string, string]
  writeFileSync(a, 'build a')
  writeFileSync(b, 'another build')
  return { a: { TEST_BUILD: a }, b: { TEST_BUILD: b } }
}

describe.concurrent('another build', () => {
  test('replaces a daemon that is idle, and back', async () => {
    const { callApart: call, daemons, alive, metadata } = lab()
    const { a, b } = builds()
    for (const [index, build] of [a, b, a].entries()) {
      expect(await call(command('exec', `c${index}`), build)).toMatchObject({ kind: 'answered' })
      expect(daemons()).toHaveLength(index + 1)
      await until(() => alive().length === 1, 'one daemon')
      expect(metadata()?.pid).toBe(daemons()[index]?.pid)
    }
  })

  test('waits for an execution that ends soon, then has its own daemon', async () => {
    const { callApart: call, executed, facts } = lab()
    const { a, b } = builds()
    expect(await call(command('exec', 'warm'), a)).toMatchObject({ kind: 'answered' })
    const running = call(command('exec', 'long', { runsMs: 1_200 }), a)
    await until(() => executed('long') === 1, 'the execution')
    const other = await call(command('exec', 'other'), b)
    expect(facts().some(({ settled }) => settled === 'long')).toBe(true)
    expect(other).toMatchObject({ kind: 'answered' })
    expect(await running).toMatchObject({ kind: 'answered', body: expect.stringContaining('"ok":true') })
  })

  test('runs direct when the execution takes longer, and the daemon ends itself after it', async () => {
    const { callApart: call, executed, daemons, facts } = lab()
    const { a, b } = builds()
    expect(await call(command('exec', 'warm'), a)).toMatchObject({ kind: 'answered' })
    const running = call(command('exec', 'long', { runsMs: 12_000 }), a)
    await until(() => executed('long') === 1, 'the execution')
    expect(await call(command('exec', 'other'), b)).toMatchObject({
      kind: 'direct',
      notice: expect.stringContaining('is at work'),
    })
    const [daemon] = daemons()
    expect(daemon && isAlive(daemon)).toBe(true)
    expect(facts().some(({ settled }) => settled === 'long')).toBe(false)
    expect(await running).toMatchObject({ kind: 'answered', body: expect.stringContaining('"ok":true') })
    await until(() => daemon !== undefined && !isAlive(daemon), 'its end')
    expect(executed('other')).toBe(0)
  })

  test('many calls of both: all work that was begun is finished', async () => {
    const { callApart: call, executed, facts, alive } = lab()
    const { a, b } = builds()
    const calls = Array.from({ length: 8 }, (_, index) =>
      call(command('exec', `c${index}`, { runsMs: 150 }), index % 2 === 0 ? a : b),
    )
    const said = await Promise.all(calls)
    for (const [index, { kind }] of said.entries()) {
      expect(executed(`c${index}`)).toBe(kind === 'direct' ? 0 : 1)
      expect(kind).not.toBe('lost')
    }
    expect(facts().filter(({ interrupted }) => interrupted)).toEqual([])
    await until(() => alive().length <= 1, 'one daemon')
  })
})

test.concurrent('the same build leaves its daemon alone', async () => {
  const { callApart: call, daemons } = lab()
  const { a } = builds()
  for (const index of [0, 1]) await call(command('exec', `c${index}`), a)
  expect(daemons()).toHaveLength(1)
})

test.concurrent('a daemon with other devices in reach is not used, and not ended', async () => {
  const { callApart: call, daemons, alive } = lab()
  expect(await call(command('exec', 'c1'), { SVC_TCP_DEVICES: '127.0.0.1:41001' })).toMatchObject({ kind: 'answered' })
  expect(await call(command('exec', 'c2'), { SVC_TCP_DEVICES: '127.0.0.1:41002' })).toMatchObject({
    kind: 'direct',
    notice: expect.stringContaining('svc daemon restart'),
  })
  expect(await call(command('exec', 'c3'), { SVC_TCP_DEVICES: '127.0.0.1:41001' })).toMatchObject({ kind: 'answered' })
  expect([daemons().length, alive().length]).toEqual([1, 1])
})

test.concurrent('two builds of the program: the one does not end the work of the other', async () => {
  const lab = await labOf({ count: 2 })
  const [one, other] = lab.fleet.devices.map(({ serial }) => serial)
  const program = otherBuild(lab.home)
  const only = (serial: string | undefined) => ({ ...lab.env, SVC_TCP_DEVICES: serial })
  const snapshot = () => spawnOther(program, ['snapshot'], only(other))
  const running = lab.start(['sleep', '12000'], { env: only(one) })
  await lab.busy(1, 0)
  const first = liveOwner(lab.paths().metadata)
  if (!first) throw new Error('no daemon is running')
  const taken = await snapshot()
  expect(taken.code).toBe(0)
  expect(taken.stderr).toContain('is at work')
  expect(await running.ended).toMatchObject({ code: 0 })
  expect(lab.seen(0)).toBe(1)
  // The first one ends itself once it is idle, and each build goes on with its own.
  expect((await snapshot()).code).toBe(0)
  expect(lab.metadata()?.cliEntryPath).toBe(program)
  expect(isRunning(first)).toBe(false)
})

test.concurrent('a server of one build and the daemon of another: one phone in turn, and each knows the work of the other', async () => {
  const lab = await labOf({ count: 1 })
  const other = otherBuild(lab.home)
  const server = await startServeHere({ env: { ...lab.env, SVC_NO_DAEMON: '1' }, cwd: lab.home })
  const nap = {
    execution: payloadOf([{ id: 'z', type: 'sleep', params: { durationMs: 8_000 } }], { commandId: 'nap' }),
  }
  const running = call(`${server.url}/execute`, { body: nap })
  await lab.busy(1)
  const refused = await spawnOther(other, ['press', 'home'], lab.env)
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout)).toMatchObject({
    code: DEVICE_CONFLICT,
    details: { holder: { pid: process.pid, commandId: 'nap' } },
  })
  expect((await running).status).toBe(200)
  expect((await spawnOther(other, ['press', 'home'], lab.env)).code).toBe(0)
  expect(lab.metadata()?.cliEntryPath).toBe(other)
  const { executions } = (await call(`${server.url}/executions`)).json as { executions: { state: string }[] }
  expect(executions.map(({ state }) => state)).toEqual(['settled', 'settled'])
  await server.end()
})
