/** A request that waits for its device: since when, and behind how many. */
import type { ExecutionSummary } from '../../../contracts/doors/viewer.ts'
import { duration } from '../format.ts'
import { Mark } from '../marks.tsx'
import { executionTitle } from '../names.ts'
import { hrefOf } from '../route.ts'

interface WaitingLineProps {
  execution: ExecutionSummary
  /** In the queue of its device, from 1. */
  place: number
  time: number
  showsDevice?: boolean
}

export const WaitingLine = ({ execution, place, time, showsDevice = true }: WaitingLineProps) => (
  <li>
    <a class="line" href={hrefOf('executions', execution.executionId)} data-waiting={execution.executionId}>
      <Mark tone="wait" alone />
      <span class="line-main">{executionTitle(execution)}</span>
      <span class="line-time">{duration(Math.max(0, time - execution.acceptedAt))}</span>
      <span class="line-more muted">
        {showsDevice && `waits for ${execution.deviceId}, `}
        {place === 1 ? 'next' : `${place - 1} before it`}
      </span>
    </a>
  </li>
)
