/** The trace of one execution or one skill run, put together from receipts, records and bodies. */

import { CATALOGUE, type MachineName } from '../../../machines/catalogue.ts'
import type { Definition } from '../../../machines/definition.ts'
import type { FoldStart, Trace, TraceExecution, TraceRun } from '../../contracts/doors/viewer.ts'
import { titleOf } from '../../contracts/executions/action-words.ts'
import { defined } from '../../contracts/json/json.ts'
import { TRACE_MAX } from '../../contracts/limits/limits.ts'
import type { RecordedPart } from '../../contracts/recording.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import { foldedFrom, foldRecords, isUsableCheckpoint } from '../../runtime/fold.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { toldSteps } from '../executions/completed-steps.ts'
import { screenAfter, screenBefore } from './neighbour-screens.ts'
import { summaryOf } from './summary.ts'
import { errorOf, recordsOfExecution, requestedExecution, timelineOf } from './trace-steps.ts'

type FindParts = (time: { deviceId: string; from: number; to?: number | undefined }) => readonly RecordedPart[]

const recorded = (parts: readonly RecordedPart[]) => (parts.length === 0 ? {} : { recorded: [...parts] })

/** Adds to a trace which parts of recordings show it. */
export const withRecordings = (trace: Trace, find: FindParts): Trace => {
  const { run } = trace
  const executions = trace.executions.map(execution => {
    const { deviceId, acceptedAt, dispatchedAt, settledAt } = execution
    const isUnsent = dispatchedAt === undefined && settledAt !== undefined
    return isUnsent
      ? execution
      : { ...execution, ...recorded(find({ deviceId, from: dispatchedAt ?? acceptedAt, to: settledAt })) }
  })
  if (run?.deviceId === undefined) return { ...trace, executions }
  const { deviceId, startedAt, endedAt } = run
  return { ...trace, executions, run: { ...run, ...recorded(find({ deviceId, from: startedAt, to: endedAt })) } }
}

/** After a cancelled execution was answered, its device still tells how it went. */
const lateResult = (
  journal: Journal,
  { result, executionId }: StoredReceipt,
  records: readonly JournalRecord[],
): Pick<StoredReceipt, 'result'> => {
  if (result?.ok !== false) return {}
  const settled = records.findLast(
    ({ event }) => event.type === 'execution.settled' && event.executionId === executionId,
  )
  const late = settled?.digest == null ? undefined : (journal.body(settled) as StoredReceipt['result'])
  return late?.ok ? { result: late } : {}
}

const traceExecution = (
  journal: Journal,
  receipt: StoredReceipt,
  records: readonly JournalRecord[],
): TraceExecution => {
  const execution = requestedExecution(journal, records)
  const { steps: known, result = receipt.result } =
    receipt.result?.ok === false ? toldSteps(() => journal, receipt) : {}
  const told = receipt.evidence?.outcome && result ? { ...receipt, result } : receipt
  const error = errorOf(told.result)
  return {
    ...summaryOf(receipt, () => execution && titleOf(execution.actions), journal),
    ...(execution ? { timeoutMs: execution.timeoutMs, steps: execution.actions.map(({ type }) => type) } : {}),
    ...(error ? { error } : {}),
    timeline: timelineOf({ ...told, ...lateResult(journal, told, records) }, { records, execution, known }),
  }
}

/** Further than this from a checkpoint or the beginning, nothing is folded while a caller waits. */
const FOLDED_MAX = 5_000

/** The machine's snapshot before the first of the records, unless that is its creation. */
const startOf = (journal: Journal, machine: MachineName, [first]: readonly JournalRecord[]): { start?: FoldStart } => {
  if (!first || first.n === 0) return {}
  const { actor, n } = first
  const definition: Definition = CATALOGUE[machine]
  const kept = journal.checkpoint(actor)
  const checkpoint = kept && kept.n <= n && isUsableCheckpoint(definition, journal, kept) ? kept : undefined
  const fromN = checkpoint?.n ?? 0
  if (n - fromN > FOLDED_MAX) return {}
  const before = journal.records({ actor, fromN, limit: Math.max(1, n - fromN) }).filter(record => record.n < n)
  if (before.length !== n - fromN) return {}
  const from = checkpoint && foldedFrom(definition, checkpoint)
  const { snapshot, seq } = foldRecords(definition, before, from)
  if (!snapshot) return {}
  const persisted = definition.logic.getPersistedSnapshot(snapshot)
  return { start: { n, seq, version: definition.version, snapshot: JSON.parse(JSON.stringify(persisted)) } }
}

const ALL_OF_THEM = 'svc journal export --to <file> writes all of them.'

const recordsOmitted = (most: number, of: string) =>
  `The trace holds the first ${most} records of ${of}. ${ALL_OF_THEM}`

const omittedIn = (sentences: readonly string[]) => (sentences.length === 0 ? {} : { omitted: [...sentences] })

/** The execution with the screens beside it, and the records of its device that belong to it. */
export const traceOne = (
  journal: Journal,
  receipt: StoredReceipt,
  most = TRACE_MAX,
): { execution: TraceExecution; records: readonly JournalRecord[]; isTruncated: boolean } => {
  const { records, isTruncated } = recordsOfExecution(journal, receipt, most)
  const beside = defined({ before: screenBefore(journal, receipt), after: screenAfter(journal, receipt) })
  return { execution: { ...traceExecution(journal, receipt, records), ...beside }, records, isTruncated }
}

export const traceOfExecution = (journal: Journal, receipt: StoredReceipt, most = TRACE_MAX): Trace => {
  const { execution, records, isTruncated } = traceOne(journal, receipt, most)
  return {
    kind: 'execution',
    id: receipt.executionId,
    actor: `device:${receipt.deviceId}`,
    machine: 'device',
    records: [...records],
    ...startOf(journal, 'device', records),
    executions: [execution],
    ...omittedIn(isTruncated ? [recordsOmitted(most, 'this execution')] : []),
  }
}

interface ChildBody {
  stdout?: unknown
  stderr?: unknown
  skillResult?: unknown
}

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)

const runOf = (journal: Journal, runId: string, records: readonly JournalRecord[]): TraceRun => {
  const eventOf = (type: string) => records.find(({ event }) => event.type === type)
  const requested = eventOf('run.requested')?.event
  const refused = eventOf('run.refused')?.event
  const exited = eventOf('child.exited')
  const failed = eventOf('child.failed')?.event
  const last = records.at(-1)
  const body = (exited?.digest == null ? undefined : journal.body(exited)) as ChildBody | undefined
  const isOver = last !== undefined && !last.tags.includes('in-flight') && last.to !== 'requested'
  return {
    runId,
    skillId: asText(requested?.skillId) ?? '',
    argv: Array.isArray(requested?.argv) ? requested.argv.map(String) : [],
    state: last?.to ?? '',
    startedAt: records[0]?.at ?? 0,
    ...defined({
      deviceId: asText(requested?.deviceId),
      code: asText(refused?.code),
      message: asText(refused?.message) ?? asText(failed?.message),
      endedAt: isOver ? last.at : undefined,
      exitCode: exited?.event.exitCode as number | null | undefined,
      stdout: asText(body?.stdout),
      stderr: asText(body?.stderr),
      skillResult: body?.skillResult ?? undefined,
    }),
  }
}

/** How a run ended is in its last records: its end, and before that what its process said. */
const LAST_RECORDS = 16

const lastRecords = (journal: Journal, actor: string): readonly JournalRecord[] =>
  journal.records({ actor, fromN: Math.max(0, (journal.last(actor)?.n ?? 0) - LAST_RECORDS), limit: LAST_RECORDS + 1 })

/** Undefined when no run has this id. */
export const traceOfRun = (journal: Journal, runId: string, most = TRACE_MAX): Trace | undefined => {
  const actor = `skill-run:${runId}`
  const found = journal.records({ actor, limit: most + 1 })
  if (found.length === 0) return undefined
  const records = found.slice(0, most)
  const isTruncated = found.length > most
  const receipts = journal.receipts({ skillRunId: runId, limit: most + 1 })
  const parts = receipts
    .slice(0, most)
    .reverse()
    .map(receipt => ({ receipt, ...recordsOfExecution(journal, receipt, most) }))
  const truncatedParts = parts.filter(part => part.isTruncated).length
  return {
    kind: 'skill-run',
    id: runId,
    actor,
    machine: 'skill-run',
    records,
    ...startOf(journal, 'skill-run', records),
    executions: parts.map(({ receipt, records }, index) => ({
      ...traceExecution(journal, receipt, records),
      ...defined({
        before: index === 0 ? screenBefore(journal, receipt) : undefined,
        after: index === parts.length - 1 ? screenAfter(journal, receipt) : undefined,
      }),
    })),
    ...omittedIn([
      ...(isTruncated ? [recordsOmitted(most, 'this skill run')] : []),
      ...(receipts.length > most
        ? [`The trace holds the newest ${most} executions of this skill run. ${ALL_OF_THEM}`]
        : []),
      ...(truncatedParts > 0
        ? [`Of each execution, the trace holds the first ${most} records; ${truncatedParts} have more. ${ALL_OF_THEM}`]
        : []),
    ]),
    run: runOf(journal, runId, isTruncated ? [...records, ...lastRecords(journal, actor)] : records),
  }
}
