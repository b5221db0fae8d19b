/** The rare parts of a proxied command: starting or replacing a daemon, and the receipt of a lost answer. */
import type { ExecutionResult } from '../../../contracts/executions/execution-result.ts'
import { pause } from '../../../runtime/clock.ts'
import { isSettled } from '../../../runtime/journal/receipts.ts'
import type { CancelledState } from '../../daemon/client/cancel.ts'
import type { ProxyCommand } from '../../daemon/client/command.ts'
import type { StartReason } from '../../daemon/client/proxy.ts'
import type { CommandContext } from '../command.ts'

const LOOK_MS = 50
const LATE_RESULT_MS = 4_000

/** Under the lifecycle lock, which the caller holds. Resolves to why there is none, if so. */
export const startDaemon = async (
  reason: StartReason,
  command: ProxyCommand,
  call: CommandContext,
): Promise<string | undefined> => {
  const { device, operatorPackage } = command
  const { manage } = await import('../daemon/daemon.ts')
  const managed = await manage({ ask: reason, device, operatorPackage, isLocked: true }, call)
  return managed.ok ? undefined : managed.error.message
}

/** Reads the receipt after the wait for the daemon has ended, because the wait for the device ends at the same time. */
export const lateResult = async (executionId: string, call: CommandContext): Promise<ExecutionResult | undefined> => {
  const { clock, signal } = call
  const receipts = await (await call.services()).receipts()
  const began = clock.elapsed()
  for (;;) {
    const receipt = await receipts.receipt(executionId)
    if (receipt && isSettled(receipt)) return receipt.result
    if (signal.aborted || clock.elapsed() - began > LATE_RESULT_MS) return undefined
    await pause(clock, LOOK_MS, signal)
  }
}

/** For an owner that is gone or does not answer: one that comes back finds the request in the journal. */
export const cancelRecorded = async (executionId: string, call: CommandContext): Promise<CancelledState> => {
  // Without a journal that both share, nobody hears of it.
  if (call.env.SVC_JOURNAL === 'off') return undefined
  const cancelled = await (await call.services()).executions().cancel(executionId)
  return cancelled.kind === 'unknown' ? 'unaccepted' : cancelled.receipt
}

/** The execution that was accepted under this commandId since then; undefined when there are none, or several. */
export const findExecution = async (
  commandId: string,
  since: number,
  call: CommandContext,
): Promise<string | undefined> => {
  const receipts = await (await (await call.services()).receipts()).receipts({ commandId, limit: 10 })
  const [found, ...more] = [...receipts].filter(({ acceptedAt }) => acceptedAt >= since)
  return more.length === 0 ? found?.executionId : undefined
}
