/** The reservation of one phone for one caller, from the request to its end. */
import { strays } from '../port.ts'
import { because, cites } from '../rows.ts'
import { over, reservationSetup } from './reservation-setup.ts'

const taken = [
  {
    guard: 'isClear',
    target: '#reservation.held.ready',
    actions: ['take', 'hold', 'tellReady'],
    meta: cites('reservation.exclusive'),
  },
  {
    target: '#reservation.held.clearing',
    actions: 'take',
    meta: because('nobody overtakes a request that waits for the end of what runs: nothing new begins meanwhile'),
  },
] as const

const held = reservationSetup.createStateConfig({
  description: 'Only requests of the reservation begin anything on the phone.',
  tags: ['in-flight'],
  initial: 'ready',
  invoke: { id: 'keeper', src: 'keeper', input: ({ context: { leaseId } }) => ({ leaseId }) },
  on: {
    'reservation.released': {
      target: '#reservation.released',
      actions: over('released'),
      meta: because('the caller gives the phone back'),
    },
    'host.closing': {
      target: '#reservation.interrupted',
      actions: over('interrupted'),
      meta: cites('reservation.owner-ended'),
    },
    'reservation.interrupted': {
      target: '#reservation.interrupted',
      actions: over('interrupted'),
      meta: cites('reservation.owner-ended'),
    },
    'port.failed': {
      target: '#reservation.interrupted',
      actions: over('interrupted'),
      meta: because('a reservation that nobody looks after must not stay'),
    },
  },
  states: {
    clearing: {
      description: 'What runs on the phone ends; nothing new begins.',
      invoke: [
        { id: 'clearing', src: 'clearing', input: ({ context: { phone } }) => ({ phone }) },
        {
          id: 'clearing-deadline',
          src: 'deadline',
          input: ({ context: { since, clearMs } }) => ({ since, ms: clearMs }),
        },
      ],
      on: {
        'phone.cleared': {
          target: 'ready',
          actions: ['hold', 'tellReady'],
          meta: because('the time of the reservation begins when its caller has the phone'),
        },
        'reservation.withdrawn': {
          target: '#reservation.withdrawn',
          actions: over('withdrawn'),
          meta: because('its caller has gone, or waits no more'),
        },
        'deadline.passed': {
          target: '#reservation.withdrawn',
          actions: over('withdrawn'),
          meta: because('the wait is over, and the phone is still busy'),
        },
      },
    },
    ready: {
      description: 'Its caller has the phone.',
      invoke: {
        id: 'expiry',
        src: 'deadline',
        input: ({ context: { since, forMs } }) => ({ since, ms: forMs }),
      },
      on: {
        'reservation.extended': {
          target: 'ready',
          reenter: true,
          actions: ['extend', 'tellExtension'],
          meta: because('the new time counts from now'),
        },
        'deadline.passed': {
          target: '#reservation.expired',
          actions: over('expired'),
          meta: cites('reservation.expired'),
        },
      },
    },
  },
})

export const reservation = reservationSetup.createMachine({
  id: 'reservation',
  description: 'The reservation of one phone: one caller has it over many requests.',
  context: ({ input }) => ({
    leaseId: input?.leaseId ?? '',
    deviceId: '',
    phone: '',
    sessionId: null,
    forMs: 0,
    since: 0,
    heldSince: 0,
    expiresAt: 0,
    waitMs: 0,
    holder: null,
    clearMs: 0,
    extendedBy: null,
    endedAt: 0,
  }),
  initial: 'requested',
  on: strays(
    [
      'reservation.queued',
      'reservation.taken',
      'phone.cleared',
      'reservation.extended',
      'reservation.released',
      'reservation.withdrawn',
      'host.closing',
      'reservation.interrupted',
      'deadline.passed',
      'port.failed',
    ],
    'the reservation is past the point this event speaks of',
  ),
  states: {
    requested: {
      description: 'A phone was asked for; nothing is reserved yet.',
      on: {
        'reservation.queued': {
          target: 'waiting',
          actions: 'queue',
          meta: because('the phone is reserved, and the request may wait'),
        },
        'reservation.taken': taken,
      },
    },
    waiting: {
      description: 'The phone is reserved by others; requests take it in the order in which they came.',
      tags: ['waiting-to-reserve'],
      on: {
        'reservation.taken': taken,
        'reservation.withdrawn': {
          target: 'withdrawn',
          actions: over('withdrawn'),
          meta: because('its time is over, or its caller or its process has gone'),
        },
      },
    },
    held,
    released: { description: 'The caller gave the phone back.', type: 'final' },
    expired: { description: 'Its time is over.', type: 'final' },
    interrupted: { description: 'The process that kept it has ended.', type: 'final' },
    withdrawn: { description: 'The caller never had the phone.', type: 'final' },
  },
})
