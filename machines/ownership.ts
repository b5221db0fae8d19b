/** One phone and one host of a fleet: whether this host owns it, under which epoch, and who does otherwise. */
import { assign, setup } from 'xstate'
import type { OwnershipEvent } from '../src/contracts/events/fleet.ts'
import { ignore, port, strays } from './port.ts'
import { because } from './rows.ts'

export interface OwnershipContext {
  /** Names the phone, by whichever cable or network it is reached. */
  phone: string
  /** By which the debug bridge of this host lists it. */
  serial: string
  /** The fencing epoch: of this host while it owns the phone, else the newest one it knows. */
  epoch: number
  /** The host that owns it in the place of this one. */
  holder: string | null
}

export type OwnershipInput = OwnershipContext

const inputOf = ({ context }: { context: OwnershipContext }): OwnershipInput => context

export const ownership = setup({
  types: {
    context: {} as OwnershipContext,
    events: {} as OwnershipEvent,
    input: {} as { phone: string },
    tags: {} as 'in-flight',
  },
  actors: {
    claimPhone: port<OwnershipInput>('claimPhone'),
    awaitHolder: port<OwnershipInput>('awaitHolder'),
    releasePhone: port<OwnershipInput>('releasePhone'),
  },
  actions: {
    see: assign({ serial: ({ context, event }) => (event.type === 'phone.seen' ? event.serial : context.serial) }),
    own: assign(({ context, event }) =>
      event.type === 'phone.claimed' ? { ...context, epoch: event.epoch, holder: null } : context,
    ),
    yield: assign(({ context, event }) =>
      event.type === 'phone.held' ? { ...context, epoch: event.epoch, holder: event.host } : context,
    ),
    forget: assign({ holder: null }),
    ignore,
  },
}).createMachine({
  id: 'ownership',
  description: 'One phone and one host of a fleet: whether this host owns it, and under which epoch.',
  context: ({ input }) => ({ phone: input?.phone ?? '', serial: '', epoch: 0, holder: null }),
  initial: 'unowned',
  on: strays(
    [
      'phone.seen',
      'phone.claimed',
      'phone.held',
      'holder.gone',
      'phone.gone',
      'phone.released',
      'lease.lapsed',
      'lease.proven',
      'request.interrupted',
      'port.failed',
    ],
    'the phone is past the point this event speaks of',
  ),
  states: {
    unowned: {
      description: 'This host has no claim on the phone.',
      on: {
        'phone.seen': { target: 'known.claiming', actions: 'see', meta: because('who sees it asks for it') },
      },
    },
    known: {
      description: 'The phone is connected to this host.',
      tags: ['in-flight'],
      initial: 'claiming',
      on: {
        'phone.gone': { target: 'releasing', meta: because('a phone that was unplugged is free for another host') },
        'request.interrupted': {
          target: 'unowned',
          actions: 'forget',
          meta: because('the process died: its lease lapses'),
        },
        'port.failed': { target: 'releasing', meta: because('what cannot be proven is given back') },
      },
      states: {
        claiming: {
          description: 'It is claimed by a compare-and-set write.',
          invoke: { id: 'claimPhone', src: 'claimPhone', input: inputOf },
          on: {
            'phone.claimed': {
              target: 'owned',
              actions: 'own',
              meta: because('the revision of the write is the epoch'),
            },
            'phone.held': { target: 'elsewhere', actions: 'yield', meta: because('another host was first: one owner') },
            'lease.lapsed': { target: 'doubtful', meta: because('a host that is cut off can claim nothing') },
          },
        },
        owned: {
          description: 'This host owns it: what it dispatches carries the epoch.',
          on: {
            'lease.lapsed': { target: 'doubtful', meta: because('another host may take it from now on') },
          },
        },
        doubtful: {
          description: 'The lease of the host lapsed: nothing of the fleet is dispatched until it is claimed again.',
          on: {
            'lease.proven': { target: 'claiming', meta: because('only a write says whether it was taken meanwhile') },
          },
        },
        elsewhere: {
          description: 'Another host owns it, and callers are sent there.',
          invoke: { id: 'awaitHolder', src: 'awaitHolder', input: inputOf },
          on: {
            'holder.gone': {
              target: 'claiming',
              actions: 'forget',
              meta: because('its owner released it, or is fenced'),
            },
            'phone.held': { actions: 'yield', meta: because('it has passed on to a third host') },
          },
        },
      },
    },
    releasing: {
      description: 'What runs on it ends, then the claim is given back.',
      tags: ['in-flight'],
      invoke: { id: 'releasePhone', src: 'releasePhone', input: inputOf },
      on: {
        'phone.released': {
          target: 'unowned',
          actions: 'forget',
          meta: because('the others need not wait for the lease'),
        },
        'request.interrupted': {
          target: 'unowned',
          actions: 'forget',
          meta: because('the process died: its lease lapses'),
        },
        'port.failed': { target: 'unowned', actions: 'forget', meta: because('what was not given back lapses') },
      },
    },
  },
})
