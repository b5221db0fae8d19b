/** Adds to a trace which parts of recordings show it. */

import type { Trace } from '../../contracts/doors/viewer.ts'
import type { RecordedPart } from '../../contracts/recording.ts'

type FindParts = (time: { deviceId: string; from: number; to?: number | undefined }) => readonly RecordedPart[]

const recorded = (parts: readonly RecordedPart[]) => (parts.length === 0 ? {} : { recorded: [...parts] })

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
