/** A log reader on a fake device, and waits as executions have them. */
import { createLogReader } from '../../../src/device/operators/app/session/log-reader.ts'
import type { ResultWaitEnd } from '../../../src/device/operators/app/session/log-waits.ts'
import { manualClock } from '../manual-clock.ts'
import { settled } from '../settled.ts'
import { fakeDevice } from './fake-device.ts'
import { okStep, resultLine, wireEnvelopeOf } from './operator-samples.ts'

export const one = { wireId: 'e1.0', nonce: '1'.repeat(32) }
export const two = { wireId: 'e2.0', nonce: '2'.repeat(32) }
export const FOLLOW = "stream logcat -b main -v raw -T 1 SvcOperator:I '*:S'"

export const readerOnDevice = () => {
  const clock = manualClock()
  const device = fakeDevice(clock)
  const reader = createLogReader({ clock, link: options => device.openLink('d1', options) })
  const soon = () => ({ deadline: clock.now() + 5_000 })
  const outcomes: Record<string, ResultWaitEnd> = {}
  /** Waits as an execution does, with its request out. */
  const awaiting = async (awaited: typeof one) => {
    await reader.open(soon())
    const wait = reader.expect(awaited)
    wait.dispatched()
    void wait.ending.then(ending => {
      outcomes[awaited.wireId] = ending
    })
    return wait
  }
  const later = async (ms: number) => {
    clock.advance(ms)
    await settled()
  }
  const opened = () => device.calls().filter(call => call === FOLLOW).length
  const readBacks = () => device.calls().filter(call => call.startsWith('exec logcat -d '))
  return { clock, device, reader, outcomes, awaiting, later, soon, opened, readBacks }
}
export const done = (awaited: typeof one, ...steps: string[]) =>
  resultLine(wireEnvelopeOf(awaited, { stepResults: steps.map(id => okStep(id)) }))
