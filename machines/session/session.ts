/** One WebDriver session: a phone is reserved and prepared for it, it takes commands, and it gives the phone back. */
import type { SessionEnd } from '../../src/contracts/events/session.ts'
import { strays } from '../port.ts'
import { because } from '../rows.ts'
import { type SessionContext, sessionSetup } from './session-setup.ts'

const endAs = (reason: SessionEnd) => ({ type: 'endAs' as const, params: { reason } })
const endsAs = (reason: SessionEnd | 'failed') => ({ type: 'endsAs' as const, params: { reason } })

const keep = {
  id: 'keep',
  src: 'keep',
  input: ({ context: { sessionId, leaseId } }: { context: SessionContext }) => ({ sessionId, leaseId: leaseId ?? '' }),
} as const

const failed = {
  target: '#session.closing',
  actions: 'keepFailure',
  meta: because('a session that cannot be opened gives its phone back'),
} as const

const ends = {
  'end.requested': {
    target: '#session.closing',
    actions: endAs('deleted'),
    meta: because('its client needs it no more'),
  },
  'host.closing': {
    target: '#session.closing',
    actions: endAs('closed'),
    meta: because('a server that ends leaves its phones free'),
  },
  'session.interrupted': {
    target: '#session.ended.interrupted',
    meta: because('its process has ended, and its reservation with it'),
  },
} as const

const opening = sessionSetup.createStateConfig({
  description: 'A phone is reserved, and the app under test prepared on it.',
  tags: ['in-flight'],
  initial: 'reserving',
  invoke: { id: 'open', src: 'open', input: ({ context: { sessionId, wanted } }) => ({ sessionId, wanted }) },
  on: {
    ...ends,
    'session.requested': { actions: 'ignore', meta: because('a session begins once') },
    'opening.failed': failed,
    'port.failed': failed,
  },
  states: {
    reserving: {
      description: 'The phone is looked for.',
      on: {
        'phone.reserved': {
          target: 'preparing',
          actions: 'keepPhone',
          meta: because('from here on nobody else can use the phone'),
        },
      },
    },
    preparing: {
      description: 'The app under test is installed, cleared and started as the capabilities say.',
      invoke: keep,
      on: {
        'preparation.begun': { actions: 'ignore', meta: because('each step is an execution with a receipt') },
        'lease.lost': failed,
        'session.opened': {
          target: '#session.active',
          actions: 'tellReady',
          meta: because('the client is answered once its phone is ready'),
        },
      },
    },
  },
})

const active = sessionSetup.createStateConfig({
  description: 'The session has its phone.',
  tags: ['in-flight'],
  initial: 'idle',
  invoke: keep,
  on: {
    ...ends,
    'session.requested': { actions: 'ignore', meta: because('a session begins once') },
    'lease.lost': {
      target: '#session.closing',
      actions: 'keepLoss',
      meta: because('without its reservation the phone may be used by others'),
    },
    'port.failed': {
      target: '#session.closing',
      actions: 'keepLoss',
      meta: because('nobody would extend the reservation'),
    },
  },
  states: {
    idle: {
      description: 'The next command is waited for.',
      invoke: {
        id: 'watch',
        src: 'watch',
        input: ({ context: { sessionId, idleMs } }) => ({ sessionId, idleMs }),
      },
      on: {
        'command.begun': {
          target: 'commanding',
          actions: 'countCommand',
          meta: because('a command is on record before anything of it happens'),
        },
        'idle.passed': {
          target: '#session.closing',
          actions: endAs('idle'),
          meta: because('a client that died keeps no phone'),
        },
      },
    },
    commanding: {
      description: 'One command is performed.',
      on: {
        'command.begun': {
          actions: 'countCommand',
          meta: because('the next one is on record before the end of the last'),
        },
        'command.ended': { target: 'idle', meta: because('commands come one after the other') },
      },
    },
  },
})

const over = (why: string) => {
  const ending = (reason: SessionEnd | 'failed') =>
    ({ guard: endsAs(reason), target: `ended.${reason}`, actions: 'tellEnd', meta: because(why) }) as const
  return [
    ending('deleted'),
    ending('idle'),
    ending('lost'),
    ending('closed'),
    { target: 'ended.failed', actions: 'tellEnd', meta: because(why) },
  ] as const
}

const end = (description: string) => ({ description })

export const session = sessionSetup.createMachine({
  id: 'session',
  description: 'One WebDriver session: a phone that it has, its commands, and its end.',
  context: ({ input }) => ({
    sessionId: input?.sessionId ?? '',
    wanted: null,
    idleMs: 0,
    deviceId: null,
    leaseId: null,
    since: 0,
    commands: 0,
    reason: null,
    failure: null,
  }),
  initial: 'requested',
  on: strays(
    [
      'session.requested',
      'phone.reserved',
      'preparation.begun',
      'session.opened',
      'opening.failed',
      'command.begun',
      'command.ended',
      'idle.passed',
      'lease.lost',
      'end.requested',
      'host.closing',
      'phone.released',
      'release.failed',
      'session.interrupted',
      'port.failed',
    ],
    'the session is past the point this event speaks of',
  ),
  states: {
    requested: {
      description: 'A session that was named but not begun.',
      on: {
        'session.requested': { target: 'opening', actions: 'take', meta: because('a session begins with its request') },
      },
    },
    opening,
    active,
    closing: {
      description: 'The phone is given back.',
      tags: ['in-flight'],
      invoke: {
        id: 'close',
        src: 'close',
        input: ({ context: { sessionId, leaseId, reason } }) => ({ sessionId, leaseId, reason: reason ?? 'failed' }),
      },
      on: {
        'command.ended': { actions: 'ignore', meta: because('its answer is on record, too') },
        'phone.released': over('the phone is free'),
        'release.failed': over('the reservation ends by itself'),
        'port.failed': over('the reservation ends by itself'),
        'session.interrupted': {
          target: 'ended.interrupted',
          meta: because('its process has ended, and its reservation with it'),
        },
      },
    },
    ended: {
      description: 'The session is over.',
      initial: 'deleted',
      states: {
        deleted: end('Its client ended it.'),
        idle: end('No command came for so long as the client allowed.'),
        lost: end('The reservation of its phone was lost.'),
        closed: end('Its server was told to end.'),
        failed: end('It could not be opened.'),
        interrupted: end('Its process ended without a word.'),
      },
    },
  },
})
