/** A broadcast that nobody took was not dispatched, and says so. */
import { describe, expect, test } from 'vitest'
import type { OperatorRequest } from '../../../src/contracts/device/operator.ts'
import { envelopeFor } from '../../support/device/fake-device.ts'
import { closeStep, resultLine, sleepStep } from '../../support/device/operator-samples.ts'
import { errorOf, hostWith, step, toDeadline } from '../../support/executions/failing-host.ts'
import { settled } from '../../support/settled.ts'

describe('a broadcast that nobody took', () => {
  test('is OPERATOR_NOT_INSTALLED, with a way out', async () => {
    const host = hostWith('none')
    const run = host.start('e1', step)
    await settled()
    expect(errorOf(run)).toMatchObject({
      code: 'OPERATOR_NOT_INSTALLED',
      retriable: false,
      hint: expect.stringContaining('svc.shell'),
      details: { executionId: 'e1', dispatched: false },
    })
    expect(host.journal.receipt('e1')).not.toHaveProperty('dispatchedAt')
  })

  test('is BROADCAST_FAILED when am fails in any other way', async () => {
    const host = hostWith()
    host.device.onShell = command =>
      command.startsWith('am b') ? { exitCode: 1, stdout: '', stderr: 'no' } : undefined
    const run = host.start('e1', step)
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'BROADCAST_FAILED', retriable: true, details: { dispatched: false } })
  })

  test('is BROADCAST_FAILED when the debug bridge cannot carry the command', async () => {
    const host = hostWith()
    host.device.onShell = command => {
      if (command.startsWith('am b')) throw host.device.error('LINK_COMMAND_TOO_LONG')
      return undefined
    }
    const run = host.start('e1', step)
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'BROADCAST_FAILED', details: { dispatched: false } })
  })

  test('after an earlier segment says that something was dispatched, and what was done', async () => {
    const host = hostWith()
    const run = host.start('e1', [closeStep('x'), sleepStep('a')], { operatorPackage: 'com.absent' })
    await settled()
    expect(errorOf(run)).toMatchObject({
      code: 'OPERATOR_NOT_INSTALLED',
      retriable: false,
      message: expect.stringContaining('earlier steps were executed'),
      details: { executionId: 'e1', dispatched: true, completedSteps: ['x'] },
    })
  })

  test('after an earlier segment may not be tried again, even where the code alone would allow it', async () => {
    const host = hostWith()
    host.device.onShell = command =>
      command.startsWith('am b') ? { exitCode: 1, stdout: '', stderr: 'no' } : undefined
    const run = host.start('e1', [closeStep('x'), sleepStep('a')])
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'BROADCAST_FAILED', retriable: false, details: { dispatched: true } })
  })

  test('does not count when the result is there', async () => {
    const host = hostWith()
    host.device.onShell = command => {
      if (!command.startsWith('am b')) return undefined
      const payload = JSON.parse(/'(\{.*\})'/.exec(command)?.[1] ?? '{}')
      host.device.log(resultLine(envelopeFor(payload)))
      return settled().then(() => ({ exitCode: 1, stdout: '', stderr: 'no' }))
    }
    const run = host.start('e1', step)
    await settled()
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
  })
})

describe('am', () => {
  test('that hangs does not hold back the result', async () => {
    const host = hostWith()
    host.device.onShell = command => {
      if (!command.startsWith('am b')) return undefined
      const payload = JSON.parse(/'(\{.*\})'/.exec(command)?.[1] ?? '{}')
      host.device.answer(payload)
      return new Promise(() => {})
    }
    const run = host.start('e1', step)
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
    await host.later(120_000)
    expect(host.clock.pending()).toBeLessThan(2)
  })

  test('that says too much has sent the request all the same, and the result counts when it comes', async () => {
    const host = hostWith()
    const sent: OperatorRequest[] = []
    host.device.onShell = command => {
      if (!command.startsWith('am b')) return undefined
      sent.push(JSON.parse(/'(\{.*\})'/.exec(command)?.[1] ?? '{}'))
      throw host.device.error('DEVICE_OUTPUT_TOO_LARGE')
    }
    const run = host.start('e1', step)
    await host.later(10_000)
    expect(run.outcome).toBeUndefined()
    const [request] = sent
    if (request) host.device.answer(request)
    await settled()
    expect([run.outcome?.result.ok, sent.length]).toEqual([true, 1])
  })

  test('that breaks off leaves doubt, not a second request', async () => {
    const host = hostWith()
    host.device.onShell = command => {
      if (command.startsWith('am b')) throw host.device.error('DEVICE_LINK_LOST')
      return undefined
    }
    const run = host.start('e1', step)
    await toDeadline(host)
    expect(errorOf(run)?.code).toBe('RESULT_ENVELOPE_TIMEOUT')
    expect(host.deeds()).toEqual(['am broadcast'])
  })
})
