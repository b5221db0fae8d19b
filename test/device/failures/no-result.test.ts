/** An operator that does not answer, or too late, or for somebody else, ends in one answer in time. */
import { describe, expect, test } from 'vitest'
import { envelopeFor } from '../../support/device/fake-device.ts'
import { closeStep, resultLine, sleepStep } from '../../support/device/operator-samples.ts'
import {
  errorOf,
  GRACE_MS,
  hostWith,
  step,
  TIMEOUT_MS,
  toDeadline,
  ways,
} from '../../support/executions/failing-host.ts'
import { settled } from '../../support/settled.ts'

describe.each(ways)('an operator over %s', way => {
  test('that never answers is RESULT_ENVELOPE_TIMEOUT', async () => {
    const host = hostWith(way)
    host.device.behave = () => host.device.log('SvcOperator says hello')
    const dispatchedAt = host.clock.now()
    const run = host.start('e1', step)
    await host.later(TIMEOUT_MS + GRACE_MS - 600)
    expect(run.outcome).toBeUndefined()
    await toDeadline(host)
    expect(run.outcome?.dispatched).toBe(true)
    expect(errorOf(run)).toEqual({
      code: 'RESULT_ENVELOPE_TIMEOUT',
      message: expect.any(String),
      retriable: false,
      hint: expect.stringMatching(/Look at the screen.*`POST \/executions\/e1\/resume`/),
      details: {
        executionId: 'e1',
        dispatched: true,
        commandId: 'caller-command',
        dispatchedAt,
        elapsedMs: expect.closeTo(TIMEOUT_MS + GRACE_MS, -3),
        lastLogLines: ['SvcOperator says hello'],
      },
    })
    expect(host.journal.receipt('e1')).toMatchObject({ state: 'settled', dispatchedAt })
  })

  test.each([-3_600_000, 3_600_000])('while the wall clock is set by %i ms: the time that passed is told', async ms => {
    const host = hostWith(way)
    host.device.behave = () => {}
    const run = host.start('e1', step)
    await host.later(1_000)
    host.clock.set(ms)
    await host.later(TIMEOUT_MS + GRACE_MS - 1_600)
    expect(run.outcome).toBeUndefined()
    await host.later(600)
    expect(errorOf(run)).toMatchObject({
      code: 'RESULT_ENVELOPE_TIMEOUT',
      details: { elapsedMs: expect.closeTo(TIMEOUT_MS + GRACE_MS, -3) },
    })
  })

  test('that answers too late has answered nobody, and nothing follows', async () => {
    const host = hostWith(way)
    host.device.behave = () => {}
    const run = host.start('e1', [...step, closeStep('x')])
    await toDeadline(host)
    const [request] = host.device.requests
    if (request) host.device.answer(request)
    await host.later(30_000)
    expect(errorOf(run)?.code).toBe('RESULT_ENVELOPE_TIMEOUT')
    expect(host.deeds()).not.toContain('am force-stop')
    expect(host.events().filter(({ type }) => type === 'execution.settled')).toHaveLength(1)
    expect(host.host.inFlight()).toEqual([])
  })

  test('that answers for others only is as good as silent', async () => {
    const host = hostWith(way)
    host.device.behave = request => {
      host.device.answer({ ...request, nonce: 'f'.repeat(32) })
      host.device.answer({ ...request, commandId: 'e0.0' })
      host.device.log(resultLine(envelopeFor({ ...request, nonce: 'e'.repeat(32) })), '[Svc-Result] {"commandId":')
    }
    const run = host.start('e1', step)
    await toDeadline(host)
    expect(errorOf(run)?.code).toBe('RESULT_ENVELOPE_TIMEOUT')
  })

  test('that cannot understand the request has answered', async () => {
    const host = hostWith(way)
    host.device.behave = request =>
      host.device.answer(request, {
        status: 'failed',
        stepResults: [],
        error: 'unknown action',
        errorCode: 'EXECUTION_VALIDATION_FAILED',
      })
    const run = host.start('e1', step)
    await settled()
    expect(run.outcome?.result).toMatchObject({
      ok: true,
      envelope: {
        status: 'failed',
        errorCode: 'EXECUTION_VALIDATION_FAILED',
        error: { code: 'EXECUTION_VALIDATION_FAILED', message: 'unknown action' },
      },
    })
  })

  test('that is cancelled is waited for, sends nothing further, and keeps the device until it answers', async () => {
    const host = hostWith(way)
    host.device.behave = () => {}
    const run = host.start('e1', [...step, closeStep('x'), sleepStep('b')])
    await settled()
    host.cancel('e1')
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { dispatched: true } })
    expect(host.state()).toEqual({ running: 'draining' })
    const [request] = host.device.requests
    if (request) host.device.answer(request)
    await settled()
    expect(host.state()).toBe('idle')
    expect(host.segments()).toEqual([0])
    expect(host.deeds()).not.toContain('am force-stop')
  })

  test('that is cancelled and never answers frees the device when its time is over', async () => {
    const host = hostWith(way)
    host.device.behave = () => {}
    host.start('e1', step)
    await settled()
    host.cancel('e1')
    await host.later(TIMEOUT_MS - 1)
    expect(host.state()).toEqual({ running: 'draining' })
    await host.later(1)
    expect(host.state()).toBe('idle')
  })
})
