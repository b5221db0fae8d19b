import type { Ask } from '../plan/plan.ts'
import { hostActionsOf } from './host-steps.ts'

type Tap = Pick<
  Ask,
  | 'command'
  | 'timeoutMs'
  | 'beforeMs'
  | 'afterMs'
  | 'looksAfter'
  | 'inParts'
  | 'hostStep'
  | 'rows'
  | 'betweenMs'
  | 'fails'
>

/** The execution that taps a row. Files of the phone come into the folder. */
export const tapOf = (
  { command, timeoutMs, beforeMs, afterMs, looksAfter, inParts, hostStep, rows = [], betweenMs = 0, fails }: Tap,
  folder = '',
) => ({
  commandId: command,
  taskId: 'simulated',
  source: 'simulated',
  expectedFormat: 'android-ui-automator',
  timeoutMs,
  actions: [
    ...(beforeMs > 0 ? [{ id: 'before', type: 'sleep', params: { durationMs: beforeMs } }] : []),
    ...(inParts ? [{ id: 'end', type: 'close_app', params: { applicationId: 'com.example.other' } }] : []),
    ...(hostStep?.isLast ? [] : hostActionsOf(command, hostStep, folder)),
    { id: 'tap', type: 'click', params: { matcher: { textEquals: command } } },
    ...rows.flatMap(row => [
      { id: `wait-${row}`, type: 'sleep', params: { durationMs: betweenMs } },
      { id: row, type: 'click', params: { matcher: { textEquals: row } } },
    ]),
    ...(fails ? [{ id: 'absent', type: 'click', params: { matcher: { textEquals: 'absent' } } }] : []),
    ...(afterMs > 0 ? [{ id: 'after', type: 'sleep', params: { durationMs: afterMs } }] : []),
    ...(hostStep?.isLast ? hostActionsOf(command, hostStep, folder) : []),
    ...(looksAfter ? [{ id: 'look', type: 'snapshot' }] : []),
  ],
})
