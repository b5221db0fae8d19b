/** One segment for an operator app, with a gate that lets everything pass. */
import type { Action } from '../../../src/contracts/executions/action.ts'
import { freshNonce } from '../../../src/device/operators/app/segment-request.ts'
import type { DeviceSession } from '../../../src/device/operators/app/session/sessions.ts'
import { operatorOf } from '../../../src/device/operators/operators.ts'
import type { DispatchGate, SegmentProgress } from '../../../src/device/operators/segment-run.ts'
import { matchHere } from '../../../src/device/screen/patterns/pattern.ts'
import { createAbortion } from '../../../src/runtime/abortion.ts'
import { type Clock, type ClockReading, readClock } from '../../../src/runtime/clock.ts'
import { systemIds } from '../../../src/runtime/ids.ts'
import { executionOf } from './operator-samples.ts'

interface SegmentPlace {
  clock: Clock
  session: DeviceSession
  operatorPackage?: string
  index?: number
}

export const deliverSegment = (
  { clock, session, operatorPackage = 'com.svc.operator', index = 0 }: SegmentPlace,
  actions: readonly Action[],
  onProgress?: (progress: SegmentProgress) => void,
) => {
  const end = createAbortion('the test is over')
  let dispatchedAt: ClockReading | undefined
  const options = () => ({ deadline: clock.now() + 30_000 })
  const control: DispatchGate = {
    async dispatch() {
      dispatchedAt = readClock(clock)
      return undefined
    },
    nonceOf: () => freshNonce(systemIds()),
    stepped: async () => {},
    fenced: () => undefined,
    reached: () => {},
    progressed: async () => {},
    halt: end,
    end,
    isOverdue: () => false,
    isCancelled: () => false,
    dispatched: () => dispatchedAt,
    spentMs: () => 0,
    answerLeftMs: () => 30_000,
    preparing: options,
    acting: options,
  }
  return operatorOf(operatorPackage).deliver(
    { kind: 'operator', index, actions, isListed: true },
    {
      executionId: 'e1',
      dispatch: { execution: executionOf(actions) },
      session,
      control,
      clock,
      matchPattern: matchHere,
      ids: systemIds(),
      random: () => 0,
      onProgress,
    },
  )
}
