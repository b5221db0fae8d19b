/** What goes wrong before anything was dispatched is a refusal, and nothing is dispatched later. */
import { describe, expect, test } from 'vitest'
import type { LinkErrorCode } from '../../../src/device/link/link.ts'
import { errorOf, hostWith, step } from '../../support/executions/failing-host.ts'
import { settled } from '../../support/settled.ts'

describe('before anything was dispatched', () => {
  test.each<[LinkErrorCode, string]>([
    ['ADB_NOT_FOUND', 'ADB_NOT_FOUND'],
    ['ADB_SERVER_FAILED', 'ADB_SERVER_FAILED'],
    ['DEVICE_LINK_LOST', 'DEVICE_LINK_LOST'],
    ['DEVICE_NOT_FOUND', 'DEVICE_LINK_LOST'],
    ['DEVICE_OFFLINE', 'DEVICE_OFFLINE'],
    ['DEVICE_SHELL_UNAVAILABLE', 'DEVICE_SHELL_UNAVAILABLE'],
    ['DEVICE_UNAUTHORIZED', 'DEVICE_UNAUTHORIZED'],
    ['LINK_TIMEOUT', 'DEVICE_SHELL_UNAVAILABLE'],
  ])('a link that fails with %s is %s', async (link, code) => {
    for (const operatorPackage of ['com.svc.operator', 'svc.shell']) {
      const host = hostWith()
      host.device.openLink = () => Promise.reject(host.device.error(link))
      const run = host.start('e1', step, { operatorPackage })
      await settled()
      expect(errorOf(run)).toMatchObject({ code, details: { executionId: 'e1', dispatched: false } })
      expect(errorOf(run)?.message).toContain('nothing was executed')
      expect(host.segments()).toEqual([])
      expect(host.journal.receipt('e1')).not.toHaveProperty('dispatchedAt')
    }
  })

  test('a reader that cannot be opened dispatches nothing, then or later', async () => {
    const host = hostWith()
    host.device.onStream = () => {
      throw host.device.error('DEVICE_SHELL_UNAVAILABLE')
    }
    const run = host.start('e1', step)
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'DEVICE_SHELL_UNAVAILABLE', details: { dispatched: false } })
    await host.later(60_000)
    expect(host.device.requests).toEqual([])
    expect(host.deeds()).toEqual([])
  })

  test.each(['a\0b', 'x'.repeat(300), ' '])(
    'a name that no app can have (%j) is not installed, and nobody is asked',
    async name => {
      const host = hostWith()
      const run = host.start('e1', step, { operatorPackage: name })
      await settled()
      expect(errorOf(run)).toMatchObject({
        code: 'OPERATOR_NOT_INSTALLED',
        message: expect.stringContaining(JSON.stringify(name.slice(0, 64))),
        details: { dispatched: false },
      })
      expect(host.device.calls()).toEqual([])
    },
  )

  test('a link that never opens is given up by the machine, and what it brings later is not used', async () => {
    const host = hostWith()
    let open: () => void = () => {}
    const openLink = host.device.openLink
    host.device.openLink = async (serial, options) => {
      await new Promise<void>(resolve => {
        open = resolve
      })
      return openLink(serial, options)
    }
    const run = host.start('e1', step)
    await host.later(15_000)
    expect(errorOf(run)).toMatchObject({ code: 'DEVICE_LINK_LOST', details: { dispatched: false } })
    open()
    await host.later(1_000)
    expect(host.device.requests).toEqual([])
    expect(host.deeds()).toEqual([])
  })
})

test('an execution that is cancelled before its dispatch is never dispatched', async () => {
  const host = hostWith()
  const openLink = host.device.openLink
  let open: () => void = () => {}
  host.device.openLink = async (serial, options) => {
    await new Promise<void>(resolve => {
      open = resolve
    })
    return openLink(serial, options)
  }
  const run = host.start('e1', step)
  await settled()
  host.cancel('e1')
  open()
  await host.later(10_000)
  expect(errorOf(run)).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { dispatched: false } })
  expect(host.segments()).toEqual([])
  expect(host.device.requests).toEqual([])
})
