/** A command that goes through the daemon is interrupted: its execution is cancelled there, and nothing comes after that. */

import { describe, expect, test, vi } from 'vitest'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import {
  anyMoment,
  type Cancelled,
  interrupt,
  LATER_MS,
  receiptOf,
  SLOW,
  STAGES,
  withLink,
} from '../../../support/cli/interrupted-command.ts'
import { type SvcLab, svcLab } from '../../../support/cli/svc-lab.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { until, wait } from '../../../support/until.ts'

const labOf = svcLab()

const HOME = payloadOf([{ id: 'k', type: 'press_key', params: { key: 'home' } }])
describe.concurrent('before anything was sent to the device', () => {
  test.each<[string, NodeJS.Signals, number, keyof typeof STAGES, string[]]>([
    ['a tap', 'SIGINT', 130, 'opening', ['click', '--text', 'Settings']],
    ['a list', 'SIGTERM', 143, 'looking', ['exec', JSON.stringify(HOME)]],
    ['a look', 'SIGHUP', 129, 'looking', ['snapshot']],
  ])('%s, by %s (%i), %s the device: nothing is sent, also later', async (_, signal, code, stage, args) => {
    await withLink(labOf, async (lab, link) => {
      link.cutAt(STAGES[stage])
      const running = lab.start(args)
      await until(link.isCut, 'the device to be asked')
      const ended = await interrupt(running, signal)
      expect(ended.code).toBe(code)
      const { details, ...failed } = ended.json<Cancelled>()
      expect(failed).toMatchObject({ code: 'EXECUTION_CANCELLED' })
      const { executionId } = details
      const holder = { pid: expect.any(Number), executionId, commandId: expect.any(String), since: expect.any(Number) }
      const named = { executionId: expect.any(String), dispatched: false }
      expect(details).toEqual(stage === 'opening' ? { ...named, holder } : named)
      link.heal()
      await wait(LATER_MS)
      expect([lab.seen(), lab.fleet.devices[0]?.phone.isAwake()]).toEqual([0, false])
      const receipt = await receiptOf(lab, details.executionId)
      expect(receipt?.result).toEqual({ ok: false, error: ended.json() })
      expect(receipt?.dispatchedAt).toBeUndefined()
      // The daemon goes on, and the device is free.
      expect(await lab.svc(['back'])).toMatchObject({ code: 0, stderr: '' })
      expect(lab.seen()).toBe(1)
    })
  })

  test('while the daemon does not answer: nothing is sent when it goes on', async () => {
    await withLink(labOf, async (lab, link) => {
      const { pid = 0 } = lab.metadata() ?? {}
      link.cutAt(STAGES.looking)
      const running = lab.start(['press', 'home'])
      await until(link.isCut, 'the device to be asked')
      process.kill(pid, 'SIGSTOP')
      const ended = await interrupt(running).finally(() => process.kill(pid, 'SIGCONT'))
      expect(ended.code).toBe(130)
      const { code, details } = ended.json<Cancelled>()
      expect([code, details.dispatched]).toEqual(['EXECUTION_CANCELLED', 'unknown'])
      link.heal()
      await wait(LATER_MS)
      expect(lab.seen()).toBe(0)
      const receipt = await receiptOf(lab, details.executionId)
      expect(receipt).toMatchObject({ state: 'settled', result: { ok: false } })
      expect(receipt?.dispatchedAt).toBeUndefined()
    })
  })
})

/** All is warm, and the device takes its time for what it is sent next. */
const slowLab = async (): Promise<SvcLab> => {
  const lab = await labOf({ faults: [{ after: 1, do: 'slow', ms: 4_000, times: 1 }] })
  await lab.svc(['back'])
  return lab
}

describe.concurrent('after something was sent', () => {
  test('cancelled, the receipt agrees, and the device stays busy until it is done', async () => {
    const lab = await slowLab()
    const running = lab.start(['press', 'home'])
    await lab.busy(2)
    const ended = await interrupt(running)
    expect(ended.code).toBe(130)
    const { details, ...failed } = ended.json<Cancelled>()
    expect(failed).toMatchObject({ code: 'EXECUTION_CANCELLED' })
    expect(details).toEqual({ executionId: expect.any(String), dispatched: true })
    expect((await lab.svc(['back'])).json()).toMatchObject({ code: DEVICE_CONFLICT })
    expect(await receiptOf(lab, details.executionId)).toMatchObject({
      state: 'settled',
      dispatchedAt: expect.any(Number),
      result: { ok: false, error: ended.json() },
    })
    expect(lab.seen()).toBe(2)
  })

  test('a long list: what is left of it is not sent', async () => {
    const lab = await labOf()
    // A wait is of the host: it parts what is sent to the operator app.
    const steps = Array.from({ length: 6 }, (_, index) => [
      { id: `k${index}`, type: 'press_key', params: { key: 'home' } },
      { id: `s${index}`, type: 'take_screenshot' },
      { id: `p${index}`, type: 'sleep', params: { durationMs: 1_500 } },
    ])
    const running = lab.start(['exec', JSON.stringify(payloadOf(steps.flat()))])
    await until(() => lab.seen() >= 2, 'the second part')
    const ended = await interrupt(running)
    expect([ended.code, ended.json<Cancelled>().details.dispatched]).toEqual([130, true])
    const seen = lab.seen()
    await wait(2 * LATER_MS)
    expect(lab.seen()).toBe(seen)
    expect(seen).toBeLessThan(6)
  })

  test('a second signal ends the command at once, and the first has cancelled', async () => {
    const lab = await slowLab()
    const running = lab.start(['press', 'home'])
    await lab.busy(2)
    const { pid = 0 } = lab.metadata() ?? {}
    process.kill(pid, 'SIGSTOP')
    running.child.kill('SIGINT')
    await wait(300)
    running.child.kill('SIGINT')
    const ended = await running.ended.finally(() => process.kill(pid, 'SIGCONT'))
    expect(ended).toMatchObject({ code: null, signal: 'SIGINT', stdout: '' })
    const listed = async () =>
      (await lab.svc(['executions', 'list'])).json<{ executions: Receipt[] }>().executions[0]?.result
    // The daemon has just been woken and hears of the cancel now.
    const cancelled = { ok: false, error: { code: 'EXECUTION_CANCELLED' } }
    await vi.waitFor(async () => expect(await listed()).toMatchObject(cancelled), { timeout: 10_000, interval: 200 })
  })
})

test('at any moment: what is said and what the device saw never contradict', async () => {
  await anyMoment(await labOf(SLOW), [25, 55, 75, 95, 115])
})
