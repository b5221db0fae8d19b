/** A link that is lost after the dispatch leaves doubt only where the result cannot be read back. */
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

describe('a link that is lost after the dispatch', () => {
  test('and comes back loses nothing over broadcast: the log is read back', async () => {
    const host = hostWith()
    host.device.behave = request => {
      host.device.links[0]?.lose()
      host.device.log(resultLine(envelopeFor(request)), 'and more')
    }
    const run = host.start('e1', step)
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
    expect(host.device.requests).toHaveLength(1)
    expect(host.device.links).toHaveLength(2)
  })

  test.each(ways)('and stays away is DEVICE_LINK_LOST, long before the deadline (%s)', async way => {
    const host = hostWith(way)
    host.device.behave = () => {
      host.device.reachable = false
      host.device.links[0]?.lose()
    }
    const run = host.start('e1', step)
    for (let second = 0; second < 14; second++) await host.later(1_000)
    expect(errorOf(run)).toMatchObject({
      code: 'DEVICE_LINK_LOST',
      retriable: false,
      details: { executionId: 'e1', dispatched: true },
    })
  })

  test('just before the deadline is DEVICE_LINK_LOST at the deadline', async () => {
    const host = hostWith()
    host.device.behave = () => {}
    const run = host.start('e1', step)
    await host.later(TIMEOUT_MS)
    host.device.reachable = false
    host.device.links[0]?.lose()
    await host.later(GRACE_MS)
    expect(errorOf(run)).toMatchObject({ code: 'DEVICE_LINK_LOST', details: { dispatched: true } })
  })

  test('over a socket loses nothing either when the operator writes its result to the log', async () => {
    const host = hostWith('socket')
    host.device.behave = () => host.device.links[0]?.lose()
    const run = host.start('e1', [...step, closeStep('x'), sleepStep('b')])
    await host.later(8_000)
    const [request] = host.device.requests
    host.device.behave = other => host.device.answer(other)
    if (request) host.device.log(resultLine(envelopeFor(request)))
    await settled()
    expect(run.outcome?.result).toMatchObject({
      ok: true,
      envelope: { stepResults: [{ id: 'a' }, { id: 'x' }, { id: 'b' }] },
    })
    expect(host.device.requests).toHaveLength(2)
    expect(host.device.sockets()).toHaveLength(2)
  })

  test('over a socket is not a loss when the result was in the log before that was known', async () => {
    const host = hostWith('socket')
    host.device.behave = request => {
      host.device.log(resultLine(envelopeFor(request)), 'and more')
      host.device.sockets().at(-1)?.end()
    }
    const run = host.start('e1', step)
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
  })

  test('over a socket with no result in the log either is DEVICE_LINK_LOST, and nothing is sent again', async () => {
    const host = hostWith('socket')
    host.device.behave = () => host.device.links[0]?.lose()
    const run = host.start('e1', step)
    await toDeadline(host)
    expect(errorOf(run)).toMatchObject({ code: 'DEVICE_LINK_LOST', details: { executionId: 'e1', dispatched: true } })
    expect(host.device.requests).toHaveLength(1)
    expect(host.deeds()).toEqual([])
  })

  test('between two segments says that something was dispatched', async () => {
    const host = hostWith()
    host.device.onShell = command => {
      if (!command.startsWith('am force')) return undefined
      host.device.reachable = false
      host.device.links[0]?.lose()
      return undefined
    }
    const run = host.start('e1', [...step, closeStep('x'), sleepStep('b')])
    await settled()
    expect(errorOf(run)).toMatchObject({
      code: 'DEVICE_LINK_LOST',
      details: { dispatched: true, completedSteps: ['a'] },
    })
    expect(host.device.requests).toHaveLength(1)
  })
})
