import type { Ask } from './plan.ts'

/** The execution that taps a row. */
export const tapOf = ({
  command,
  timeoutMs,
  beforeMs,
  afterMs,
  looksAfter,
  inParts,
}: Pick<Ask, 'command' | 'timeoutMs' | 'beforeMs' | 'afterMs' | 'looksAfter' | 'inParts'>) => ({
  commandId: command,
  taskId: 'simulated',
  source: 'simulated',
  expectedFormat: 'android-ui-automator',
  timeoutMs,
  actions: [
    ...(beforeMs > 0 ? [{ id: 'before', type: 'sleep', params: { durationMs: beforeMs } }] : []),
    ...(inParts ? [{ id: 'end', type: 'close_app', params: { applicationId: 'com.example.other' } }] : []),
    { id: 'tap', type: 'click', params: { matcher: { textEquals: command } } },
    ...(afterMs > 0 ? [{ id: 'after', type: 'sleep', params: { durationMs: afterMs } }] : []),
    ...(looksAfter ? [{ id: 'look', type: 'snapshot' }] : []),
  ],
})
