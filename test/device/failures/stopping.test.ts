/** What is stopped in the middle does nothing further. */
import { describe, expect, test } from 'vitest'
import type { Action } from '../../../src/contracts/executions/action.ts'
import { envelopeFor } from '../../support/device/fake-device.ts'
import { closeStep, resultLine } from '../../support/device/operator-samples.ts'
import { errorOf, GRACE_MS, hostWith, step, toDeadline } from '../../support/executions/failing-host.ts'
import { settled } from '../../support/settled.ts'

describe('a payload that is still being pushed', () => {
  const pushing = () => {
    const host = hostWith()
    const pushed: Array<() => void> = []
    host.device.onPush = () => new Promise(resolve => pushed.push(resolve))
    const run = host.start('e1', step, { taskId: 'y'.repeat(62_000) })
    return { host, run, pushed }
  }

  test('when the execution is cancelled is followed by no request', async () => {
    const { host, run, pushed } = pushing()
    await settled()
    host.cancel('e1')
    await settled()
    for (const finish of pushed) finish()
    await host.later(60_000)
    expect(errorOf(run)?.code).toBe('EXECUTION_CANCELLED')
    expect(host.device.requests).toEqual([])
    expect(host.host.inFlight()).toEqual([])
  })

  test('when the deadline passes is followed by no request', async () => {
    const { host, run, pushed } = pushing()
    await toDeadline(host)
    expect(errorOf(run)?.code).toBe('RESULT_ENVELOPE_TIMEOUT')
    for (const finish of pushed) finish()
    await host.later(1_000)
    expect(host.device.requests).toEqual([])
  })
})

describe('a host step that does not end', () => {
  const hanging = () => {
    const host = hostWith()
    host.device.onShell = command => (command.startsWith('am force') ? new Promise(() => {}) : undefined)
    return host
  }

  test('is given up by the deadline at the latest', async () => {
    const host = hanging()
    const run = host.start('e1', [closeStep('x'), ...step], { timeoutMs: 4_000 })
    await host.later(4_000)
    await host.later(GRACE_MS)
    expect(errorOf(run)).toMatchObject({ code: 'RESULT_ENVELOPE_TIMEOUT', details: { executionId: 'e1' } })
    expect(host.device.requests).toEqual([])
  })

  test('ends with a cancellation, and frees the device', async () => {
    const host = hanging()
    const run = host.start('e1', [closeStep('x'), ...step])
    await settled()
    host.cancel('e1')
    await settled()
    expect(errorOf(run)?.code).toBe('EXECUTION_CANCELLED')
    expect(host.state()).toBe('idle')
    expect(host.device.requests).toEqual([])
  })
})

describe('a result that is looked for in the log, because the socket is lost', () => {
  const looking = async (...after: Action[]) => {
    const host = hostWith('socket')
    host.device.behave = () => host.device.links[0]?.lose()
    const run = host.start('e1', [...step, ...after])
    await host.later(1_000)
    expect(run.outcome).toBeUndefined()
    return { host, run }
  }

  test('is given up with the execution when that is cancelled, and no further step is done', async () => {
    const { host, run } = await looking(closeStep('x'))
    await host.cancel('e1')
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { dispatched: true } })
    const [late] = host.device.requests
    if (late) host.device.log(resultLine(envelopeFor(late)))
    await host.later(60_000)
    expect([host.deeds(), host.device.requests.length, host.state()]).toEqual([[], 1, 'idle'])
  })

  test('is taken in the last look when the log is read back at the deadline only', async () => {
    const { host, run } = await looking()
    host.device.readersLive = false
    const [late] = host.device.requests
    if (late) host.device.log(resultLine(envelopeFor(late)))
    await toDeadline(host)
    expect(run.outcome?.result).toMatchObject({ ok: true, envelope: { stepResults: [{ id: 'a', success: true }] } })
  })
})
