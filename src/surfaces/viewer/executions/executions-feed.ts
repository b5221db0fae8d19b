/** Executions as the server lists them, read again soon after a device recorded something about one. */
import type { ExecutionSummariesResponse } from '../../../contracts/doors/viewer.ts'
import { useAnswer } from '../api.ts'
import { onTransition } from '../live.ts'
import { batched } from '../time.ts'

const REFRESH_MS = 400

export const useExecutions = (query: string, concerns: (eventType: string) => boolean = () => true) =>
  useAnswer<ExecutionSummariesResponse>(`/inspector/executions?${query}`, read => {
    const soon = batched(REFRESH_MS, read)
    return onTransition(moved => {
      if (!moved || (moved.machine === 'device' && concerns(moved.event))) soon()
    })
  })
