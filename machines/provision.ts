/** One provisioning request: reuse a running emulator, start an AVD, or make one. */
import { assign, emit, setup } from 'xstate'
import type { ProvisionEvent } from '../src/contracts/events/emulator.ts'
import { port, strays } from './port.ts'
import { because, cites } from './rows.ts'

export interface ProvisionContext {
  requestId: string
  avdName: string
  created: boolean
}

export type ProvisionEmitted =
  | {
      type: 'provision.reported'
      requestId: string
      avdName: string
      serial: string
      created: boolean
      started: boolean
      reused: boolean
    }
  | { type: 'provision.refused'; requestId: string; code: string; message: string }

export const provision = setup({
  types: {
    context: {} as ProvisionContext,
    events: {} as ProvisionEvent,
    emitted: {} as ProvisionEmitted,
    input: {} as { requestId: string },
    tags: {} as 'in-flight',
  },
  actors: {
    createAvd: port<{ avdName: string }>('createAvd'),
    startAvd: port<{ avdName: string }>('startAvd'),
  },
  actions: {
    take: assign(({ context, event }) =>
      event.type !== 'provision.requested'
        ? context
        : { requestId: event.requestId, avdName: event.startable ?? event.derivedName, created: false },
    ),
    markCreated: assign({ created: true }),
    reuse: emit(({ context, event }) => ({
      type: 'provision.reported' as const,
      requestId: context.requestId,
      avdName: event.type === 'provision.requested' ? (event.running?.avdName ?? '') : '',
      serial: event.type === 'provision.requested' ? (event.running?.serial ?? '') : '',
      created: false,
      started: false,
      reused: true,
    })),
    report: emit(({ context, event }) => ({
      type: 'provision.reported' as const,
      requestId: context.requestId,
      avdName: context.avdName,
      serial: event.type === 'emulator.started' ? event.serial : '',
      created: context.created,
      started: true,
      reused: !context.created,
    })),
    refuse: emit(({ context, event }) => ({
      type: 'provision.refused' as const,
      requestId: context.requestId,
      code:
        'code' in event ? event.code : event.type === 'provision.requested' ? 'EMULATOR_UNSUPPORTED' : 'INTERNAL_ERROR',
      message: 'message' in event ? event.message : `${event.type}: no emulator was provisioned`,
    })),
    ignore: () => {},
  },
  guards: {
    isRunning: ({ event }) => event.type === 'provision.requested' && event.running !== null,
    isStartable: ({ event }) => event.type === 'provision.requested' && event.startable !== null,
    isNameTaken: ({ event }) => event.type === 'provision.requested' && event.derivedNameTaken,
  },
}).createMachine({
  id: 'provision',
  description: 'One provisioning request: reuse a running emulator, start an AVD, or make one.',
  context: ({ input }) => ({ requestId: input?.requestId ?? '', avdName: '', created: false }),
  initial: 'choosing',
  on: strays(
    ['provision.requested', 'avd.created', 'emulator.started', 'tool.failed', 'request.interrupted', 'port.failed'],
    'the request is past the point this event speaks of',
  ),
  states: {
    choosing: {
      description: 'What runs and what exists was looked up; the order of preference decides.',
      on: {
        'provision.requested': [
          {
            guard: 'isRunning',
            target: 'provisioned',
            actions: ['take', 'reuse'],
            meta: cites('emulator.provision-reuse'),
          },
          { guard: 'isStartable', target: 'working', actions: 'take', meta: cites('emulator.provision-start') },
          {
            guard: 'isNameTaken',
            target: 'failed',
            actions: ['take', 'refuse'],
            meta: because('the derived name belongs to an unsupported AVD: EMULATOR_UNSUPPORTED'),
          },
          { target: 'working.creating', actions: 'take', meta: cites('emulator.provision-create') },
        ],
      },
    },
    working: {
      description: 'SDK tools are at work for this request.',
      tags: ['in-flight'],
      initial: 'starting',
      on: {
        'tool.failed': { target: 'failed', actions: 'refuse', meta: because("the tool's own code is the answer") },
        'request.interrupted': {
          target: 'failed',
          actions: 'refuse',
          meta: because('the host died; the AVD or emulator it made is found by the next request'),
        },
        'port.failed': {
          target: 'failed',
          actions: 'refuse',
          meta: because('a driver that breaks must still end in an answer'),
        },
      },
      states: {
        creating: {
          description: 'A new AVD is made.',
          invoke: { id: 'createAvd', src: 'createAvd', input: ({ context }) => ({ avdName: context.avdName }) },
          on: {
            'avd.created': { target: 'starting', actions: 'markCreated', meta: cites('emulator.provision-create') },
          },
        },
        starting: {
          description: 'An AVD is started and awaited.',
          invoke: { id: 'startAvd', src: 'startAvd', input: ({ context }) => ({ avdName: context.avdName }) },
          on: {
            'emulator.started': {
              target: '#provision.provisioned',
              actions: 'report',
              meta: cites('emulator.provision-start', 'emulator.provision-create'),
            },
          },
        },
      },
    },
    provisioned: { description: 'A supported emulator runs.', type: 'final' },
    failed: { description: 'None does; the answer says why.', type: 'final' },
  },
})
