/** The `operator` port of the device machine: takes one execution to the device and brings exactly one answer back. */
import type { OperatorInput } from '../../machines/device-setup.ts'
import type { InteractiveCheck } from '../adb/interactive.ts'
import type { Fence } from '../contracts/fence.ts'
import type { RecordDenial } from '../policy/refuse.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Port } from '../runtime/port.ts'
import { createControl } from './control.ts'
import type { MatchPattern } from './engine/pattern.ts'
import { runExecution } from './execution-run.ts'
import { readJob } from './job.ts'
import type { ScreenMemory } from './screens/memory.ts'
import type { ScreenReader } from './screens/reader.ts'
import type { Sessions } from './session/sessions.ts'

export interface OperatorDeps {
  clock: Clock
  sessions: Sessions
  checkInteractive: InteractiveCheck
  screens: ScreenMemory
  reader: ScreenReader
  matchPattern: MatchPattern
  /** Puts what the policy denies between steps on record. */
  recordDenial: RecordDenial
  /** Asked before each dispatch. */
  fence: Fence
  /** True when another process wants the execution to end; asked before each dispatch. */
  isCancelRequested: (executionId: string) => boolean
}

export const operatorPort =
  ({
    clock,
    sessions,
    checkInteractive,
    screens,
    reader,
    matchPattern,
    recordDenial,
    fence,
    isCancelRequested,
  }: OperatorDeps): Port<OperatorInput> =>
  async ({ executionId, body, acceptUntil }, tools) => {
    const job = readJob(body)
    const { phone } = job
    const fenced = () => (phone === undefined ? undefined : fence.refusal(phone, job))
    const { timeoutMs } = job.execution
    const isCancelled = () => isCancelRequested(executionId)
    const control = createControl({ executionId, timeoutMs, acceptUntil, tools, clock, fenced, isCancelled })
    const session = sessions.of(job.serial)
    const parts = { checkInteractive, screens, reader, matchPattern, recordDenial }
    const run = { executionId, job, session, control, clock, ...parts }
    const result = await runExecution(run)
    if (!result) return
    const refusal = result.ok ? {} : { code: result.error.code }
    // Recorded as dispatched before it left, and then refused by the device: the receipt shall not say that it acted.
    const withdrawn = !result.ok && result.error.details?.dispatched === false ? { dispatched: false } : {}
    await tools.send({ type: 'execution.settled', executionId, ok: result.ok, ...refusal, ...withdrawn, body: result })
  }
