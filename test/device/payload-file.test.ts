import { describe, expect, test } from 'vitest'
import { operatorHost } from '../support/device/operator-host.ts'
import { sleepStep } from '../support/device/operator-samples.ts'
import { settled } from '../support/settled.ts'

describe('a payload that no command line can carry', () => {
  const actions = [sleepStep('x'.repeat(128))]
  const long = { taskId: 'y'.repeat(62_000) }

  test('is pushed, named, and removed', async () => {
    const { start, device, deeds } = operatorHost()
    const there: number[] = []
    device.behave = request => {
      there.push(device.files.size)
      device.answer(request)
    }
    const run = start('e1', actions, long)
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
    expect(deeds()).toEqual(['push /data/local/tmp/svc-e1.0.json', 'am broadcast', 'rm -f'])
    expect(there).toEqual([1])
    expect(device.files.size).toBe(0)
  })

  test('is removed also when the operator is not there, and when nothing answers', async () => {
    for (const operator of ['none', 'broadcast'] as const) {
      const { start, device, later } = operatorHost()
      device.operator = operator
      device.behave = () => {}
      const run = start('e1', actions, long)
      await later(40_000)
      expect(run.outcome?.result.ok).toBe(false)
      expect(device.files.size).toBe(0)
      expect(device.calls()).toContain('shell rm -f /data/local/tmp/svc-e1.0.json')
    }
  })

  test('that cannot be pushed is refused, and nothing is broadcast', async () => {
    const { start, device, deeds } = operatorHost()
    device.onPush = () => {
      throw device.error('DEVICE_SHELL_UNAVAILABLE')
    }
    const run = start('e1', actions, long)
    await settled()
    expect(run.outcome?.result).toMatchObject({
      error: { code: 'DEVICE_SHELL_UNAVAILABLE', details: { executionId: 'e1', dispatched: false } },
    })
    expect(deeds()).not.toContain('am broadcast')
  })
})
