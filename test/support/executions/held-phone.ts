/** A simulated phone that is busy until a test lets it go, whatever the time. */
import type { SimulatedPhones } from '../../../src/simulator/simulated-phones.ts'
import { payloadOf } from './lab.ts'

const APP = 'com.android.settings'
const LABEL = 'Network & internet'

/** Is over once the phone is let go. */
export const HOLDING = payloadOf(
  [{ id: 'w', type: 'wait_for_node', params: { matcher: { textEquals: LABEL }, timeoutMs: 100_000 } }],
  {
    timeoutMs: 110_000,
    commandId: 'holder',
  },
)
/** The same on the command line. */
export const HOLDING_ARGS = ['wait', '--text', LABEL, '--timeout', '100000']

export const letGo = (fleet: SimulatedPhones, device = 0): void => {
  fleet.devices[device]?.phone.startActivity({ action: 'android.intent.action.MAIN', packageName: APP, extras: {} })
}
