/** One segment for an operator app on a fake device, with a gate that lets everything pass. */
import type { Action } from '../../../src/contracts/executions/action.ts'
import { freshNonce } from '../../../src/device/operators/app/segment-request.ts'
import { createSessions } from '../../../src/device/operators/app/session/sessions.ts'
import { operatorOf } from '../../../src/device/operators/operators.ts'
import type { DispatchGate, SegmentProgress } from '../../../src/device/operators/segment-run.ts'
import { matchHere } from '../../../src/device/screen/patterns/pattern.ts'
import { createAbortion } from '../../../src/runtime/abortion.ts'
import { type ClockReading, readClock } from '../../../src/runtime/clock.ts'
import { systemIds } from '../../../src/runtime/ids.ts'
import type { ManualClock } from '../manual-clock.ts'
import type { FakeDevice } from './fake-device.ts'
import { executionOf } from './operator-samples.ts'

export const segmentOnDevice = (clock: ManualClock, device: FakeDevice, operatorPackage = 'com.svc.operator') => {
  const session = createSessions({ clock, openLink: device.openLink }).of('d1')
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
  const deliver = (actions: readonly Action[], onProgress?: (progress: SegmentProgress) => void, index = 0) =>
    operatorOf(operatorPackage).deliver(
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
  return { session, deliver }
}
