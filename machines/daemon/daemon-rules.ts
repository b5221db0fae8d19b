/** Decides how a request about a daemon goes on after the probe. */

import { cites, type RowId } from '../rows.ts'
import type { DaemonFailure, DaemonStatus, Finding } from './daemon-setup.ts'

const FOREIGN: DaemonFailure = {
  code: 'DAEMON_START_FAILED',
  message: 'the socket belongs to a listener that svc did not start',
}
type Answer = DaemonStatus | 'refuse' | null

const decide = <const Target extends string>(finding: Finding, target: Target, answer: Answer, row: RowId) => ({
  guard: { type: 'found' as const, params: finding },
  target,
  actions: [
    { type: 'learn' as const },
    ...(answer === 'refuse' ? [{ type: 'refuse' as const, params: FOREIGN }] : []),
    ...(answer !== null && answer !== 'refuse' ? [{ type: 'report' as const, params: { status: answer } }] : []),
  ],
  meta: cites(row),
})

/** The requests of a proxied command that did not get through, each with the row of the contract. */
const NEEDED = [
  ['missed', 'daemon.socket-missing'],
  ['refused', 'daemon.socket-refused'],
  ['differed', 'daemon.differs'],
] as const

/** The first row that fits. */
export const ON_PROBE = [
  decide({ ask: 'status', is: 'managed' }, '#daemon.running', 'running', 'daemon.status-running'),
  decide({ ask: 'status', is: 'foreign' }, '#daemon.unowned', 'unowned', 'daemon.status-unowned'),
  decide({ ask: 'status', is: 'anything' }, '#daemon.not_running', 'not_running', 'daemon.status-silent'),

  // A frozen daemon answers nobody, and one whose socket was taken away is not heard: its process is enough.
  decide({ ask: 'stop', is: 'live' }, 'stopping', null, 'daemon.stop'),
  decide({ ask: 'stop', is: 'free' }, '#daemon.not_running', 'not_running', 'daemon.stop-nothing'),
  decide({ ask: 'stop', is: 'anything' }, '#daemon.unowned', 'unowned', 'daemon.status-unowned'),

  decide({ ask: 'restart', is: 'managed' }, 'stopping', null, 'daemon.restart'),
  decide({ ask: 'restart', is: 'frozen' }, 'stopping', null, 'daemon.restart'),
  decide({ ask: 'restart', is: 'occupied' }, '#daemon.unowned', 'refuse', 'daemon.start-failed'),
  decide({ ask: 'restart', is: 'free' }, 'starting', null, 'daemon.restart'),

  decide({ ask: 'start', is: 'managed' }, '#daemon.running', 'already_running', 'daemon.start-live'),
  decide({ ask: 'start', is: 'frozen' }, 'awaiting', null, 'daemon.start'),
  decide({ ask: 'start', is: 'occupied' }, '#daemon.unowned', 'refuse', 'daemon.start-failed'),
  decide({ ask: 'start', is: 'free' }, 'starting', null, 'daemon.start'),

  decide({ ask: 'missed', is: 'managed' }, '#daemon.running', 'running', 'daemon.socket-missing'),
  decide({ ask: 'refused', is: 'managed' }, '#daemon.running', 'running', 'daemon.socket-refused'),
  decide({ ask: 'differed', is: 'managed' }, 'retiring', null, 'daemon.differs'),
  ...NEEDED.flatMap(([ask, row]) => [
    decide({ ask, is: 'frozen' }, 'awaiting', null, row),
    decide({ ask, is: 'occupied' }, '#daemon.unowned', 'unowned', 'proxy.foreign'),
    decide({ ask, is: 'free' }, 'starting', null, row),
  ]),
]
