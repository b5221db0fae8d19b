/** The state of a test run as its progress tells it: the flow and command of each phone, and how many flows have ended how. */
import type { FlowError, TestProgress, Verdict } from '../../../contracts/flows/test-run.ts'

export interface RunningAttempt {
  readonly name: string
  readonly deviceId: string
  readonly attempt: number
  readonly begunAt: number
  /** The innermost command that runs. */
  readonly command?: { readonly text: string; readonly line: number } | undefined
}

export interface EndedAttempt extends RunningAttempt {
  readonly verdict: Verdict
  readonly error: FlowError | undefined
  readonly isRetried: boolean
  readonly tookMs: number
}

type ProgressOf<T extends TestProgress['type']> = Extract<TestProgress, { type: T }>

interface OpenAttempt extends RunningAttempt {
  /** Commands that have begun and not ended: a block stands before what it holds. */
  readonly open: Map<number, { text: string; line: number }>
}

export const createBoard = () => {
  const attempts = new Map<string, OpenAttempt>()
  const ended = { passed: 0, failed: 0, indeterminate: 0, skipped: 0, cancelled: 0 }
  let flows = 0
  let flaky = 0
  let phones: readonly string[] = []
  let begunAt = 0

  const endAttempt = (event: ProgressOf<'attempt.ended'>): EndedAttempt | undefined => {
    const found = attempts.get(event.flowRunId)
    if (!found) return undefined
    attempts.delete(event.flowRunId)
    const { verdict, isRetried, error, at } = event
    if (!isRetried) {
      ended[verdict] += 1
      if (verdict === 'passed' && found.attempt > 1) flaky += 1
    }
    const { open: _, ...attempt } = found
    return { ...attempt, verdict, error, isRetried, tookMs: Math.max(0, at - found.begunAt) }
  }

  return {
    /** Returns the attempt that the event ends. */
    apply(event: TestProgress): EndedAttempt | undefined {
      switch (event.type) {
        case 'run.begun':
          flows = event.flows.length
          phones = event.phones
          begunAt = event.at
          return undefined
        case 'phones.awaited':
          return undefined
        case 'attempt.begun': {
          const { flowRunId, name, deviceId, attempt, at } = event
          attempts.set(flowRunId, { name, deviceId, attempt, begunAt: at, open: new Map() })
          return undefined
        }
        case 'command.begun':
          attempts.get(event.flowRunId)?.open.set(event.index, { text: event.text, line: event.line })
          return undefined
        case 'command.ended':
          attempts.get(event.flowRunId)?.open.delete(event.index)
          return undefined
        case 'attempt.ended':
          return endAttempt(event)
        case 'run.ended':
          attempts.clear()
          return undefined
      }
    },
    counts: () => ({ flows, ended: Object.values(ended).reduce((sum, count) => sum + count), ...ended, flaky }),
    begunAt: () => begunAt,
    /** In the order of the run; a phone that came later is last. */
    phones(): { deviceId: string; attempt: RunningAttempt | undefined }[] {
      const running = new Map(
        [...attempts.values()].map(({ open, ...attempt }) => [
          attempt.deviceId,
          { ...attempt, command: [...open.values()].at(-1) },
        ]),
      )
      return [...new Set([...phones, ...running.keys()])].map(deviceId => ({
        deviceId,
        attempt: running.get(deviceId),
      }))
    },
  }
}

export type Board = ReturnType<typeof createBoard>
