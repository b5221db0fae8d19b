/**
 * The transitions of one proxied command, as plain data. The thin client runs this table without loading xstate, and the
 * chart in `dispatch.ts` is built from it.
 */
import type { CommandKind, DispatchEvent } from '../../src/contracts/events/dispatch.ts'
import type { Unstamped } from '../../src/contracts/events/event.ts'
import type { RowId } from '../rows.ts'

export interface DispatchContext {
  commandId: string
  kind: CommandKind
}

export type DispatchFact = Unstamped<DispatchEvent>

/** Each state either asks one port for the next event, or ends the command. The lifecycle lock is held in some only. */
export const DISPATCH_STATES = {
  choosing: {},
  ensuring: { port: 'open' },
  locking: { port: 'lock' },
  checking: { port: 'open', locked: true },
  starting: { port: 'start', locked: true },
  confirming: { port: 'open', locked: true },
  'sending.ready': { port: 'write' },
  'sending.sent': { port: 'receive' },
  'sending.cancelling': { port: 'cancel' },
  answered: {},
  lost: {},
  cancelled: {},
  direct: {},
} as const satisfies Record<string, { port?: string; locked?: true }>

export type DispatchState = keyof typeof DISPATCH_STATES
type States = typeof DISPATCH_STATES
export type DispatchPort = { [S in DispatchState]: States[S] extends { port: infer P } ? P : never }[DispatchState]
export interface DispatchStep {
  port?: DispatchPort
  locked?: true
}

/** All that a row may ask about the event and the command. */
export const DISPATCH_GUARDS = {
  isDisabled: event => event.type === 'command.given' && event.daemonDisabled,
  isRelativePath: event => event.type === 'command.given' && event.relativePath,
  isWindows: event => event.type === 'command.given' && event.windows,
  isPathTooLong: event => event.type === 'command.given' && event.pathTooLong,
  isUnfit: event => event.type === 'command.given' && event.unfit === true,
  isManaged: event => event.type === 'daemon.silent' && event.managed,
  /** Only a command that reads and writes nothing may run again, and only once: a direct run has no answer to lose. */
  mayRunAgain: (_, { kind }) => kind === 'snapshot',
  isScreenshot: (_, { kind }) => kind === 'screenshot',
  isFlat: (_, { kind }) => kind === 'flat',
} as const satisfies Record<string, (event: DispatchFact, context: DispatchContext) => boolean>

export type DispatchGuard = keyof typeof DISPATCH_GUARDS
/**
 * The caller hears one of these at the end: `goDirect` and `runAgain` send the command on its own way, `giveUp` leaves the
 * outcome in doubt, `giveUpLate` does so while the daemon may still answer, and `cancel` says whether anything was sent.
 */
export type DispatchAction = 'answer' | 'goDirect' | 'runAgain' | 'giveUp' | 'giveUpLate' | 'cancel'

/** The rows of the contract that an edge carries, or a reason where the contract has none. */
type Why = readonly [RowId, ...RowId[]] | string

/** State, event, guard, next state, action, why. */
export type DispatchRow = readonly [
  DispatchState,
  DispatchFact['type'],
  DispatchGuard | null,
  DispatchState,
  DispatchAction | null,
  Why,
]

const OPENING = ['ensuring', 'checking', 'confirming'] as const
const NEEDS = [
  ['daemon.absent', 'daemon.socket-missing'],
  ['daemon.refused', 'daemon.socket-refused'],
  ['daemon.differs', 'daemon.differs'],
] as const

const UNSENT = 'the caller was interrupted before anything was sent'
const UNREAD = 'a payload that the daemon would not read is refused here, with all that can be said about it'

/** The first row that fits is taken. */
export const DISPATCH_ROWS: readonly DispatchRow[] = [
  ['choosing', 'command.given', 'isDisabled', 'direct', 'goDirect', ['proxy.disabled']],
  ['choosing', 'command.given', 'isRelativePath', 'direct', 'goDirect', ['proxy.relative-path']],
  ['choosing', 'command.given', 'isWindows', 'direct', 'goDirect', ['proxy.windows']],
  [
    'choosing',
    'command.given',
    'isPathTooLong',
    'direct',
    'goDirect',
    'a longer socket path is never bound or connected',
  ],
  ['choosing', 'command.given', 'isUnfit', 'direct', 'goDirect', UNREAD],
  ['choosing', 'command.given', null, 'ensuring', null, 'no rule sends it direct'],

  ...OPENING.flatMap((state): DispatchRow[] => [
    [state, 'daemon.ready', null, 'sending.ready', null, ['proxy.post']],
    [state, 'daemon.foreign', null, 'direct', 'goDirect', ['proxy.foreign']],
    [state, 'daemon.silent', 'isManaged', 'direct', 'goDirect', ['proxy.not-ready']],
    [state, 'daemon.silent', null, 'direct', 'goDirect', ['proxy.foreign']],
  ]),
  ...NEEDS.flatMap(([event, row]): DispatchRow[] => [
    ['ensuring', event, null, 'locking', null, [row]],
    ['checking', event, null, 'starting', null, [row]],
    ['confirming', event, null, 'direct', 'goDirect', ['proxy.not-ready']],
  ]),
  ['locking', 'lock.acquired', null, 'checking', null, ['daemon.socket-missing']],
  ['locking', 'lock.busy', null, 'ensuring', null, 'another caller may have started the daemon meanwhile'],
  ['starting', 'daemon.started', null, 'confirming', null, ['daemon.socket-missing', 'daemon.differs']],
  ...([...OPENING, 'locking', 'starting'] as const).flatMap((state): DispatchRow[] => [
    [state, 'daemon.unready', null, 'direct', 'goDirect', ['proxy.not-ready']],
    [state, 'deadline.passed', null, 'direct', 'goDirect', ['proxy.not-ready']],
    [state, 'port.failed', null, 'direct', 'goDirect', ['proxy.not-ready']],
  ]),
  ...([...OPENING, 'locking', 'starting', 'sending.ready'] as const).map(
    (state): DispatchRow => [state, 'command.interrupted', null, 'cancelled', 'cancel', UNSENT],
  ),

  ['sending.ready', 'request.written', null, 'sending.sent', null, 'from here on the daemon may have executed it'],
  ['sending.ready', 'request.failed', null, 'direct', 'goDirect', ['proxy.failed-before']],
  ['sending.ready', 'deadline.passed', null, 'direct', 'goDirect', ['proxy.failed-before']],
  ['sending.ready', 'port.failed', null, 'direct', 'goDirect', ['proxy.failed-before']],

  ['sending.sent', 'response.received', null, 'answered', 'answer', ['proxy.post']],
  ['sending.sent', 'response.lost', 'mayRunAgain', 'direct', 'runAgain', ['proxy.lost-snapshot']],
  ['sending.sent', 'response.lost', 'isScreenshot', 'lost', 'giveUp', ['proxy.lost-screenshot']],
  ['sending.sent', 'response.lost', 'isFlat', 'lost', 'giveUp', ['proxy.lost-flat']],
  ['sending.sent', 'response.lost', null, 'lost', 'giveUp', ['proxy.lost-exec']],
  ['sending.sent', 'deadline.passed', null, 'lost', 'giveUpLate', 'a late answer is lost, and not asked for again'],
  [
    'sending.sent',
    'port.failed',
    null,
    'lost',
    'giveUp',
    'if the client fails after the write, the outcome is unknown as well',
  ],
  ['sending.sent', 'command.interrupted', null, 'sending.cancelling', null, 'nothing may come after a cancel'],

  ['sending.cancelling', 'response.received', null, 'answered', 'answer', 'it had ended before'],
  ...(['command.cancelled', 'port.failed', 'command.interrupted'] as const).map(
    (event): DispatchRow => ['sending.cancelling', event, null, 'cancelled', 'cancel', ['device.cancel']],
  ),
]

/** Undefined when the event comes too late to matter. */
export const nextRow = (state: DispatchState, event: DispatchFact, context: DispatchContext): DispatchRow | undefined =>
  DISPATCH_ROWS.find(
    ([source, type, guard]) =>
      source === state && type === event.type && (guard === null || DISPATCH_GUARDS[guard](event, context)),
  )
