/** Progress and questions over real links to simulated phones: directly, and over the adb server. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tcpDevices } from '../../../../src/contracts/device/addresses.ts'
import type { Action } from '../../../../src/contracts/executions/action.ts'
import { createLinks } from '../../../../src/device/link/links.ts'
import { askForResult } from '../../../../src/device/operators/app/ask-for-result.ts'
import { freshNonce, operatorRequest } from '../../../../src/device/operators/app/segment-request.ts'
import { createSessions } from '../../../../src/device/operators/app/session/sessions.ts'
import { broadcastCommand } from '../../../../src/device/operators/app/wire/broadcast.ts'
import type { SegmentProgress } from '../../../../src/device/operators/segment-run.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { systemIds } from '../../../../src/runtime/ids.ts'
import { defaultScenario } from '../../../../src/simulator/scenario/default/apps.ts'
import { startSimulatedPhones } from '../../../../src/simulator/simulated-phones.ts'
import { createRealAdb, type RealAdb } from '../../../support/adb/real-adb.ts'
import { executionOf } from '../../../support/device/operator-samples.ts'
import { deliverSegment } from '../../../support/device/segment-run.ts'
import { needs } from '../../../support/needs.ts'
import { until } from '../../../support/until.ts'

const clock = systemClock()
const ids = systemIds()
const PACKAGE = 'com.svc.operator'
const WITHIN_MS = 20_000
const closers: Array<() => Promise<void> | void> = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})
const folder = mkdtempSync(join(tmpdir(), 'svc-ask-'))
closers.push(() => rmSync(folder, { recursive: true, force: true }))

type OperatorFacts = Partial<ReturnType<typeof defaultScenario>['device']['operator']>

const setup = async (operator: OperatorFacts, adb?: RealAdb) => {
  const scenario = defaultScenario()
  const device = { ...scenario.device, operator: { ...scenario.device.operator, ...operator } }
  const phones = await startSimulatedPhones({ clock, scenario: { ...scenario, device } })
  const [simulated] = phones.devices
  if (!simulated) throw new Error('there is no phone')
  const { serial, phone, adbd } = simulated
  await adb?.run('connect', serial)
  const links = createLinks({
    clock,
    server: { path: adb?.socketPath ?? join(folder, 'no-adb-server') },
    program: { path: undefined, env: {} },
    tcpDevices: tcpDevices(adb ? undefined : serial),
    keyPath: join(folder, 'adbkey'),
  })
  const host = () => {
    const sessions = createSessions({ clock, openLink: links.get })
    closers.push(sessions.close)
    return sessions.of(serial)
  }
  closers.push(phones.close, links.close)
  const session = host()
  const options = () => ({ deadline: clock.now() + WITHIN_MS })
  /** A request whose host has died: nobody waits for its result. */
  const abandon = async (wireId: string, actions: readonly Action[]) => {
    const awaited = { wireId, nonce: freshNonce(ids) }
    const request = operatorRequest({ execution: executionOf(actions), actions, awaited, timeLeftMs: 30_000 })
    const dispatchedAt = clock.now()
    const socket = await session.sockets.get(PACKAGE, options())
    if (socket) void socket.execute(request)
    else await (await session.link(options())).shell(broadcastCommand(PACKAGE, request).line, options())
    const { timeoutMs } = request
    return { ...awaited, operatorPackage: PACKAGE, dispatchedAt, timeoutMs, stepCount: actions.length }
  }
  /** By a host that has just begun. */
  const ask = (request: Awaited<ReturnType<typeof abandon>>) =>
    askForResult(host(), request, { clock, withinMs: WITHIN_MS })
  const isAtStep = (step: number) => async (request: Awaited<ReturnType<typeof abandon>>) => {
    const answer = await ask(request)
    return answer.kind === 'running' && answer.step === step
  }
  return { session, phone, adbd, abandon, ask, isAtStep }
}

const sleep = (id: string, durationMs: number): Action => ({ id, type: 'sleep', params: { durationMs } })
const look = (id: string): Action => ({ id, type: 'snapshot', params: {} })
/** Longer than any of these tests. */
const LONG_MS = 100_000

const questions = (adb?: RealAdb) => {
  test.each(['socket', 'broadcast'] as const)('a request that nobody waits for is answered (%s)', async ways => {
    const { abandon, ask, isAtStep, phone } = await setup({ ways }, adb)
    const request = await abandon('e1.0', [look('a'), sleep('b', 0), look('c')])
    await until(() => phone.executions()[0]?.finishedAt !== undefined, 'the end of the request')
    // Of broadcasts it is written in chunks, which take their time.
    await until(async () => (await ask(request)).kind === 'result', 'the result')
    expect(await ask(request)).toMatchObject({
      kind: 'result',
      envelope: { status: 'success', stepResults: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
    })
    expect(await ask({ ...request, nonce: 'f'.repeat(32) })).toEqual({
      kind: 'unknown',
      progress: [],
      from: 'log',
      isForgotten: ways === 'socket',
    })
    expect(await ask({ ...request, wireId: 'e0.0' })).toEqual({
      kind: 'unknown',
      progress: [],
      from: 'log',
      isForgotten: ways === 'socket',
    })
    const running = await abandon('e2.0', [sleep('a', 0), sleep('b', LONG_MS), look('c')])
    await until(() => isAtStep(1)(running), 'the second step')
    expect(await ask(running)).toEqual({
      kind: 'running',
      step: 1,
      progress: [{ step: 0, success: true }],
      from: ways === 'socket' ? 'operator' : 'log',
    })
    expect(phone.arrivals()).toHaveLength(2)
  })

  test('a result that went over a socket of an app that keeps none is not known any more', async () => {
    const { abandon, ask, phone } = await setup({ ways: 'socket', capabilities: [] }, adb)
    const request = await abandon('e1.0', [sleep('a', 0), sleep('b', 0)])
    await until(() => phone.executions()[0]?.finishedAt !== undefined, 'the end of the request')
    expect(await ask(request)).toEqual({ kind: 'unknown', progress: [], from: 'log', isForgotten: false })
    expect(phone.arrivals()).toHaveLength(1)
  })

  test.each(['socket', 'broadcast'] as const)('progress comes as the steps end (%s)', async ways => {
    const { session, phone } = await setup({ ways }, adb)
    const heard: SegmentProgress[] = []
    const finished: unknown[] = []
    const outcome = await deliverSegment({ clock, session }, [sleep('a', 0), look('b'), sleep('c', 300)], progress => {
      heard.push(progress)
      finished.push(phone.executions()[0]?.finishedAt)
    })
    expect(outcome).toMatchObject({ kind: 'done' })
    expect(heard).toEqual([
      { segment: 0, step: 0, success: true },
      { segment: 0, step: 1, success: true },
    ])
    expect(finished).toEqual([undefined, undefined])
  })
}

describe.concurrent('directly', () => {
  questions()

  test('a phone that is gone does not answer', async () => {
    const { abandon, ask, adbd } = await setup({ ways: 'socket' })
    const request = await abandon('e1.0', [sleep('a', 0)])
    await adbd.vanish()
    expect(await ask(request)).toMatchObject({ kind: 'unanswered', reason: expect.any(String) })
  })
})

describe.skipIf(!needs('adb'))('over the adb server', { concurrent: true }, () => {
  const adb = createRealAdb()
  beforeAll(adb.start)
  closers.push(adb.stop)
  questions(adb)
})
