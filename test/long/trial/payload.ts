/** The execution by which a caller asks for the tap of a row. */
import type { Step } from './plan.ts'

type Tap = Pick<Step, 'command' | 'timeoutMs' | 'beforeMs' | 'afterMs' | 'picture'>

export const payloadOf = ({ command, timeoutMs, beforeMs, afterMs, picture }: Tap) => {
  const sleep = (id: string, durationMs: number) =>
    durationMs > 0 ? [{ id, type: 'sleep', params: { durationMs } }] : []
  const actions = [
    ...sleep('before', beforeMs),
    { id: 'tap', type: 'click', params: { matcher: { textEquals: command } } },
    ...sleep('after', afterMs),
    ...(picture ? [{ id: 'picture', type: 'take_screenshot' }] : []),
  ]
  return {
    commandId: command,
    taskId: 'oracle',
    source: 'oracle',
    expectedFormat: 'android-ui-automator',
    timeoutMs,
    actions,
  }
}
