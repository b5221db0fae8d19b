/** Commands that go through a daemon and are interrupted, held up on their way or at any moment. */
import { expect } from 'vitest'
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import type { Fault } from '../../../src/simulator/scenario/fault.ts'
import { type TcpLink, tcpLink } from '../adb/tcp-link.ts'
import type { LabOptions } from '../executions/lab.ts'
import { wait } from '../until.ts'
import type { CliEnded, RunningCli } from './run-cli.ts'
import type { SvcLab } from './svc-lab.ts'

export interface Cancelled {
  code: string
  details: { executionId?: string; dispatched: unknown }
}

/** A daemon runs, and has not spoken to its device; whatever goes between them will pass the link. */
export const withLink = async (
  labOf: (options?: LabOptions) => Promise<SvcLab>,
  act: (lab: SvcLab, link: TcpLink) => Promise<void>,
) => {
  const lab = await labOf({ state: 'screen-off' })
  const link = await tcpLink(lab.fleet.devices[0]?.port ?? 0)
  lab.env.SVC_TCP_DEVICES = `127.0.0.1:${link.port}`
  try {
    expect(await lab.svc(['daemon', 'start'])).toMatchObject({ code: 0 })
    await act(lab, link)
  } finally {
    await link.close()
  }
}

export const interrupt = async (running: RunningCli, signal: NodeJS.Signals = 'SIGINT'): Promise<CliEnded> => {
  running.child.kill(signal)
  return running.ended
}

export const receiptOf = async (lab: SvcLab, executionId = ''): Promise<Receipt | undefined> =>
  (await lab.svc(['executions', 'show', executionId])).json<{ execution?: Receipt }>().execution

/** Long enough for what was held up to reach the device after all. */
export const LATER_MS = 700

/** Said to the device while its link opens, and while its screen is looked at, which needs the lease. */
export const STAGES = { opening: 'getprop', looking: 'dumpsys power' }

/** Long enough for a signal to come while the device is at work. */
export const SLOW: { faults: Fault[] } = { faults: [{ after: 1, do: 'slow', ms: 60, times: 1_000 }] }

/** What the answer, the receipt and the device say of commands that are interrupted so many ms after their start. */
export const anyMoment = async (lab: SvcLab, delays: readonly number[]) => {
  await lab.svc(['back'])
  for (const delay of delays) {
    const before = lab.seen()
    const running = lab.start(['press', 'home'])
    await wait(delay)
    const ended = await interrupt(running)
    // As it does before anything is asked for, and from when the answer is about to be printed.
    if (ended.signal !== null) {
      expect(ended.signal).toBe('SIGINT')
      if (ended.stdout !== '') expect(ended.json()).toMatchObject({ envelope: { status: 'success' } })
      continue
    }
    const { code, details } = ended.json<Partial<Cancelled>>()
    await wait(200)
    const count = lab.seen() - before
    if (code === undefined) expect(count).toBe(1)
    else expect([code, ended.code]).toEqual(['EXECUTION_CANCELLED', 130])
    if (details?.dispatched === false) expect(count).toBe(0)
    if (details?.executionId === undefined) continue
    const receipt = await receiptOf(lab, details.executionId)
    if (receipt) expect(receipt).toMatchObject({ state: 'settled', result: { error: { details } } })
    expect(receipt?.dispatchedAt !== undefined).toBe(details.dispatched)
  }
}
