/** The commands that make sense next, for what is connected and what has happened. */

import { SUCCESS_CODE } from '../../../contracts/doors/viewer.ts'
import { quote } from '../../../runtime/text/quote.ts'
import { isTypable } from '../completion/values/shown-text.ts'
import { READY, type Situation } from './situation.ts'

export interface NextCommand {
  command: string
  /** Completes the sentence "to ...". */
  to: string
}

const LABEL_CHARS_MAX = 30
const SHOWN_MAX = 6

/** A label that can be tapped, if the last known screen has a short one. */
const labelOn = ({ screen }: Situation): string | undefined =>
  screen?.screen.nodes.find(
    ({ label, role, state }) =>
      (role === 'button' || state.includes('tap')) &&
      !state.includes('password') &&
      label.length <= LABEL_CHARS_MAX &&
      !label.startsWith('-') &&
      isTypable(label),
  )?.label

const hasFailed = ({ newest }: Situation): boolean =>
  newest !== undefined && newest.code !== undefined && newest.code !== SUCCESS_CODE

/** Its process may have been killed, which whoever looks at the receipt finds out. */
const isOpen = ({ newest }: Situation): boolean => newest?.state === 'dispatched'

const onDevice = (situation: Situation, serial: string, isOnly: boolean): NextCommand[] => {
  const device = isOnly ? '' : ` --device ${quote(serial)}`
  const label = labelOn(situation)
  return [
    { command: `svc snapshot --compact${device}`, to: 'read the screen, one line for each node' },
    ...(label === undefined
      ? []
      : [{ command: `svc click --text ${quote(label)}${device}`, to: 'tap the node with this label' }]),
    ...(isOpen(situation)
      ? [{ command: 'svc executions show last', to: 'see if the newest execution has ended' }]
      : []),
    hasFailed(situation) && situation.newest?.executionId !== situation.inDoubt?.executionId
      ? { command: 'svc executions show last', to: 'see whether the newest execution happened' }
      : { command: `svc open com.android.settings${device}`, to: 'open an application' },
    { command: `svc lease ${quote(serial)} --for 10m`, to: 'keep the device for yourself' },
    { command: 'svc inspect', to: 'watch devices and executions in the browser' },
  ]
}

const withoutDevice = ({ adbServer, isNewHome }: Situation): NextCommand[] => [
  ...(adbServer === 'absent'
    ? [{ command: 'svc devices', to: 'start the adb server and list what is on a cable' }]
    : []),
  { command: 'svc doctor', to: 'check this host and its devices' },
  { command: 'svc simulate', to: 'run a simulated phone, where there is no real one' },
  ...(isNewHome ? [{ command: 'svc install --dry-run', to: 'see how svc is set up for agents' }] : []),
]

/** The phone is asked, where it is there. */
const forDoubt = ({ inDoubt }: Situation): NextCommand[] =>
  inDoubt === undefined
    ? []
    : [
        {
          command: `svc executions show ${quote(inDoubt.executionId)} --output text`,
          to: 'see what became of the one in doubt',
        },
      ]

export const nextCommands = (situation: Situation): readonly NextCommand[] => {
  const ready = situation.devices.filter(({ state }) => state === READY)
  const [first] = ready
  const forDevices = first ? onDevice(situation, first.serial, ready.length === 1) : withoutDevice(situation)
  const forJournal = situation.journalProblem
    ? [{ command: 'svc doctor', to: 'see what is wrong with the journal' }]
    : []
  return [...forJournal, ...forDoubt(situation), ...forDevices].slice(0, SHOWN_MAX)
}
