/** An execution through the device machine, its journal and the operator port, on a device that behaves. */
import { describe, expect, test } from 'vitest'
import { OperatorRequest } from '../../../../src/contracts/device/operator.ts'
import { ExecutionResult } from '../../../../src/contracts/executions/execution-result.ts'
import type { Dispatch, ForegroundPolicy } from '../../../../src/service/executions/dispatch.ts'
import { accept } from '../../../contracts/parse.ts'
import { operatorHost } from '../../../support/device/operator-host.ts'
import { closeStep, okStep, sleepStep } from '../../../support/device/operator-samples.ts'
import { request, target } from '../../../support/executions/device-host.ts'
import { RUNTIME_TIMERS } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'

const ways = ['broadcast', 'socket'] as const

describe.each(ways)('over %s', way => {
  const setup = () => {
    const host = operatorHost()
    host.device.operator = way
    return host
  }

  test('an execution is answered with its envelope, under the ids of the caller', async () => {
    const { start, device, events } = setup()
    const run = start('e1', [sleepStep('a'), sleepStep('b')])
    await settled()
    const result = accept(ExecutionResult, run.outcome?.result)
    expect(result).toEqual({
      ok: true,
      deviceId: 'd1',
      terminalSource: 'svc_result',
      operatorPackage: 'com.svc.operator',
      envelope: {
        commandId: 'caller-command',
        taskId: 'caller-task',
        status: 'success',
        stepResults: [okStep('a'), okStep('b')],
        error: null,
      },
    })
    expect(device.requests).toHaveLength(1)
    expect(accept(OperatorRequest, device.requests[0])).toMatchObject({ commandId: 'e1.0', timeoutMs: 30_000 })
    expect(events().map(({ type }) => type)).toEqual([
      'actor.created',
      'execution.requested',
      'execution.dispatched',
      'execution.settled',
    ])
    expect(events().at(-1)).toMatchObject({ ok: true })
  })

  test('the next execution opens nothing anew', async () => {
    const { start, device } = setup()
    start('e1', [sleepStep('a')])
    await settled()
    const before = device.calls().length
    const run = start('e2', [sleepStep('a')])
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
    expect(device.calls().slice(before)).toHaveLength(way === 'socket' ? 0 : 1)
    expect(device.links).toHaveLength(1)
  })

  test('host steps run in their place, each segment recorded before it leaves', async () => {
    const { start, device, segments, deeds } = setup()
    const order: string[] = []
    device.behave = request => {
      order.push(`${request.actions.map(({ id }) => id).join('+')} at ${segments().length}`)
      device.answer(request)
    }
    device.onShell = command => {
      if (command.startsWith('am force-stop')) order.push(`${command} at ${segments().length}`)
      return undefined
    }
    const run = start('e1', [
      sleepStep('a'),
      sleepStep('b'),
      closeStep('x', 'com.x'),
      sleepStep('c'),
      closeStep('y', 'com.y'),
    ])
    await settled()
    expect(order).toEqual(['a+b at 1', 'am force-stop com.x at 2', 'c at 3', 'am force-stop com.y at 4'])
    expect(segments()).toEqual([0, 1, 2, 3])
    expect(device.requests.map(({ commandId }) => commandId)).toEqual(['e1.0', 'e1.2'])
    expect(new Set(device.requests.map(({ nonce }) => nonce)).size).toBe(2)
    expect(run.outcome?.result).toMatchObject({
      envelope: { stepResults: ['a', 'b', 'x', 'c', 'y'].map(id => ({ id, success: true })) },
    })
    if (way === 'broadcast') expect(deeds()).toEqual(['am broadcast', 'am force-stop', 'am broadcast', 'am force-stop'])
  })

  test('a failed part ends the list, and what went before is kept', async () => {
    const { start, device, deeds, segments } = setup()
    const failed = { id: 'b', actionType: 'click', success: false, data: { error: 'NODE_NOT_FOUND' } }
    const error = { code: 'NODE_NOT_FOUND', message: 'Step "b" (click) failed: no node.' }
    device.behave = request =>
      device.answer(request, {
        status: 'failed',
        stepResults: [okStep('a'), failed],
        error,
        errorCode: 'NODE_NOT_FOUND',
      })
    const run = start('e1', [sleepStep('a'), sleepStep('b'), closeStep('x'), sleepStep('c')])
    await settled()
    expect(run.outcome?.result).toMatchObject({
      ok: true,
      envelope: { status: 'failed', stepResults: [okStep('a'), failed], error, errorCode: 'NODE_NOT_FOUND' },
    })
    expect(segments()).toEqual([0])
    expect(deeds()).not.toContain('am force-stop')
  })

  test('a host step that fails ends the list too', async () => {
    const { start, device } = setup()
    device.onShell = command =>
      command.startsWith('am force-stop') ? { exitCode: 1, stdout: '', stderr: 'Error: no\n' } : undefined
    const run = start('e1', [sleepStep('a'), closeStep('x'), sleepStep('b')])
    await settled()
    expect(run.outcome?.result).toMatchObject({
      ok: true,
      envelope: {
        status: 'failed',
        errorCode: 'ACTION_FAILED',
        stepResults: [{ id: 'a' }, { id: 'x', success: false }],
      },
    })
    expect(device.requests).toHaveLength(1)
  })

  test('a later segment gets the time that is left', async () => {
    const { start, device, later } = setup()
    device.behave = () => {}
    const run = start('e1', [sleepStep('a'), closeStep('x'), sleepStep('b')], { timeoutMs: 20_000 })
    await later(12_000)
    device.behave = request => device.answer(request)
    const [first] = device.requests
    if (first) device.answer(first)
    await settled()
    expect(device.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([20_000, 8_000])
    expect(run.outcome?.result.ok).toBe(true)
  })

  test('a large result arrives whole', async () => {
    const { start, device } = setup()
    const text = '🙂ü<node/>\n'.repeat(50_000)
    device.behave = request => device.answer(request, { stepResults: [okStep('a', { text })] })
    const run = start('e1', [sleepStep('a')])
    await settled()
    expect(run.outcome?.result).toMatchObject({ envelope: { stepResults: [{ data: { text } }] } })
  })

  test('an answer of an earlier execution does not count for the next', async () => {
    const { start, device, later } = setup()
    device.behave = () => {}
    start('e1', [sleepStep('a')])
    await later(60_000)
    const run = start('e2', [sleepStep('a')])
    await settled()
    const [stale] = device.requests
    if (stale) device.answer(stale)
    await settled()
    expect(run.outcome).toBeUndefined()
    const fresh = device.requests[1]
    if (fresh) device.answer(fresh)
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
  })
})

describe('nothing leaves that was not recorded', () => {
  test.each(ways)('a dispatch that the journal refuses is none (%s)', async way => {
    const { start, device, deeds } = operatorHost({ journalFails: type => type === 'execution.dispatched' })
    device.operator = way
    start('e1', [sleepStep('a')])
    await settled()
    expect(device.requests).toEqual([])
    expect(deeds()).toEqual([])
  })

  test.each(['host first', 'operator first'])('also in the middle of a list, %s', async order => {
    let allowed = 1
    const { start, device, deeds, later } = operatorHost({
      journalFails: type => type === 'execution.dispatched' && allowed-- === 0,
    })
    start('e1', order === 'host first' ? [closeStep('x'), sleepStep('a')] : [sleepStep('a'), closeStep('x')])
    await settled()
    expect(deeds()).toHaveLength(1)
    await later(120_000)
    expect(deeds()).toHaveLength(1)
    expect(device.requests.length).toBeLessThan(2)
  })
})

describe('the dispatch is recorded in the same write as the request', () => {
  /** The events of the write that begins the execution, on a phone that has run one before. */
  const begunWith = async (
    { way = 'socket', isScreenKnown = true }: { way?: 'socket' | 'broadcast'; isScreenKnown?: boolean },
    ...[actions, more]: [Parameters<ReturnType<typeof operatorHost>['start']>[1], Partial<Dispatch>?]
  ) => {
    const { start, device, journal } = operatorHost({ isScreenKnown: () => isScreenKnown })
    device.operator = way
    start('e1', [sleepStep('a')])
    await settled()
    const begin = journal.begin.bind(journal)
    const written: string[] = []
    journal.begin = (lease, record, options) => {
      written.push(...[...(options?.earlier ?? []), record].map(({ event }) => event.type))
      return begin(lease, record, options)
    }
    start('e2', actions, more)
    await settled()
    return written
  }
  const REQUESTED = 'execution.requested'

  test('when nothing has to be asked before it leaves', async () => {
    expect(await begunWith({}, [sleepStep('a'), closeStep('x')])).toEqual([REQUESTED, 'execution.dispatched'])
  })

  const view = { device: 'd1', isCompact: false, isObserved: false }
  const inFront = { policy: { rules: [] }, facts: { devices: [] }, confirmed: [] } as unknown as ForegroundPolicy
  test.each<[string, Parameters<typeof begunWith>]>([
    ['its screen may be off', [{ isScreenKnown: false }, [sleepStep('a')]]],
    ['no socket of the operator is open', [{ way: 'broadcast' }, [sleepStep('a')]]],
    ['the socket is of another operator', [{}, [sleepStep('a')], { operatorPackage: 'com.other' }]],
    ['the host performs the first step', [{}, [closeStep('x'), sleepStep('a')]]],
    ['the screen is looked at before', [{}, [sleepStep('a')], { view }]],
    ['the application in front is asked for', [{}, [sleepStep('a')], { inFront }]],
    ['it runs without an operator app', [{}, [sleepStep('a')], { operatorPackage: 'svc.shell' }]],
    ['the helper has to be started', [{}, [sleepStep('a')], { operatorPackage: 'svc.uiautomator' }]],
  ])('but not where %s', async (_, given) => {
    expect(await begunWith(...given)).toEqual([REQUESTED])
  })
})

test('an execution without a dispatch breaks, and says so', async () => {
  const { host, clock, journal } = operatorHost()
  await host.tell(target(), request('e1', clock))
  await settled()
  expect(journal.receipt('e1')).toMatchObject({ state: 'settled', result: { error: { code: 'INTERNAL_ERROR' } } })
})

test('when all is over no timer is left but those of the runtime', async () => {
  const { start, clock, sessions, later } = operatorHost()
  start('e1', [sleepStep('a'), closeStep('x')])
  await settled()
  await sessions.close()
  await later(0)
  expect(clock.pending()).toBe(RUNTIME_TIMERS)
})
