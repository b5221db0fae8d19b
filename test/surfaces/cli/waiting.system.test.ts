/** `--wait` of real processes: first come, first served, and nothing acts for those that left. */

import { expect, test } from 'vitest'
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import { type SvcLab, svcLab } from '../../support/cli/svc-lab.ts'
import { HOLDING_ARGS, letGo } from '../../support/executions/held-phone.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { until } from '../../support/until.ts'

const LONGEST_MS = 120_000
const labOf = svcLab()

const receiptsOf = async (lab: SvcLab): Promise<Receipt[]> =>
  (await lab.svc(['executions', 'list'])).json<{ executions: Receipt[] }>().executions

/** Resolves to the receipts once so many wait. */
const waiting = async (lab: SvcLab, count: number): Promise<Receipt[]> => {
  let receipts: Receipt[] = []
  const isSo = async () => {
    receipts = await receiptsOf(lab)
    return receipts.filter(({ state }) => state === 'waiting').length === count
  }
  await until(isSo, `${count} requests to wait`, LONGEST_MS / 4)
  return receipts
}

const WAIT = ['--wait', '100000']

test(
  'through the daemon and without it: in their order, without those that were interrupted or killed',
  async () => {
    const lab = await labOf()
    const holder = lab.start(HOLDING_ARGS)
    await lab.busy(1)
    const first = lab.start(['press', 'home', '--verbose', ...WAIT])
    await waiting(lab, 1)
    const interrupted = lab.start(['press', 'back', ...WAIT])
    await waiting(lab, 2)
    const killed = lab.start(['press', 'back', '--no-daemon', ...WAIT])
    await waiting(lab, 3)
    const killedByDaemon = lab.start(['press', 'back', ...WAIT])
    await waiting(lab, 4)
    const here = lab.start(['press', 'home', '--no-daemon', '--verbose', ...WAIT])
    const receipts = await waiting(lab, 5)

    const shown = await lab.svc(['executions', 'show', receipts[0]?.executionId ?? ''])
    expect(shown.json()).toMatchObject({ execution: { state: 'waiting', accepted: false, place: 5 } })
    const refused = await lab.svc(['press', 'home'])
    expect(refused.json()).toMatchObject({ code: DEVICE_CONFLICT })

    killed.child.kill('SIGKILL')
    killedByDaemon.child.kill('SIGKILL')
    interrupted.child.kill('SIGINT')
    const ended = await interrupted.ended
    expect(ended.code).toBe(130)
    expect(ended.json()).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { dispatched: false } })
    await waiting(lab, 2)

    letGo(lab.fleet)
    const answers = await Promise.all([holder, first, here].map(({ ended: end }) => end))
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0])
    const [, second, third] = answers
    const ids = answers.map(answer => answer.json<{ executionId: string }>().executionId)
    const seen = lab.fleet.devices[0]?.phone.executions().map(({ wireId }) => wireId.replace(/\.\d+$/, ''))
    expect(seen).toEqual(ids)
    expect(second?.stderr).toContain('place 1 in its queue')
    expect(third?.stderr).toContain('place 2 in its queue')
    const left = (await receiptsOf(lab)).filter(({ accepted }) => accepted === false)
    expect(left.map(({ state }) => state)).toEqual(['settled', 'settled', 'settled'])
  },
  LONGEST_MS,
)

test('a wait whose time is over says how long it was, and behind whom', async () => {
  const lab = await labOf()
  const holder = lab.start(HOLDING_ARGS)
  await lab.busy(1)
  const overdue = await lab.svc(['press', 'home', '--wait', '300'])
  expect(overdue.json()).toMatchObject({
    code: DEVICE_CONFLICT,
    details: { waitedMs: expect.any(Number), dispatched: false, holder: { executionId: expect.any(String) } },
  })
  expect(lab.seen()).toBe(1)
  letGo(lab.fleet)
  expect((await holder.ended).code).toBe(0)
})
