/** One provisioning request: reuse a running emulator, start an AVD, or make one. */
import { assign, emit, setup } from 'xstate'
import type { AvdSpec, EmulatorLimits, ProvisionEvent, StartOptions } from '../src/contracts/events/emulator.ts'
import { ignore, port, strays } from './port.ts'
import { because, cites } from './rows.ts'

export interface ProvisionRequest {
  id: string
  derivedName: string
  /** The ABI that the caller named. */
  abi: string | null
  spec: AvdSpec
  options: StartOptions
  limits: EmulatorLimits
}

export interface ProvisionContext {
  request: ProvisionRequest | null
  avdName: string
  serial: string | null
  created: boolean
  /** How often what there is was looked up: others may change it each time. */
  looks: number
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
  | { type: 'provision.refused'; requestId: string; code: string; message: string; details: unknown }

export interface ProvisionInput {
  request: ProvisionRequest | null
  avdName: string
  serial: string | null
}

const LOOKS_MAX = 10

const inputOf = ({ context: { request, avdName, serial } }: { context: ProvisionContext }): ProvisionInput => ({
  request,
  avdName,
  serial,
})

/** Started by this request, or by another one that it waited for. */
const isOurs = (event: ProvisionEvent) => event.type === 'emulator.started' && !event.joined

export const provision = setup({
  types: {
    context: {} as ProvisionContext,
    events: {} as ProvisionEvent,
    emitted: {} as ProvisionEmitted,
    input: {} as { requestId: string },
    tags: {} as 'in-flight',
  },
  actors: {
    lookUp: port<ProvisionInput>('lookUp'),
    createAvd: port<ProvisionInput>('createAvd'),
    startAvd: port<ProvisionInput>('startAvd'),
    awaitBoot: port<ProvisionInput>('awaitBoot'),
  },
  actions: {
    take: assign({
      request: ({ context, event }) =>
        event.type === 'provision.requested'
          ? {
              id: event.requestId,
              derivedName: event.derivedName,
              abi: event.abi,
              spec: event.spec,
              options: event.options,
              limits: event.limits,
            }
          : context.request,
    }),
    choose: assign(({ context, event }) =>
      event.type !== 'emulators.looked-up'
        ? context
        : {
            avdName: event.running?.avdName ?? event.startable ?? context.request?.derivedName ?? '',
            serial: event.running?.serial ?? null,
            looks: context.looks + 1,
          },
    ),
    markCreated: assign({ created: true }),
    report: emit(({ context, event }) => ({
      type: 'provision.reported' as const,
      requestId: context.request?.id ?? '',
      avdName: context.avdName,
      serial: 'serial' in event ? event.serial : (context.serial ?? ''),
      created: context.created,
      started: isOurs(event),
      reused: !context.created,
    })),
    refuse: emit(({ context, event }) => ({
      type: 'provision.refused' as const,
      requestId: context.request?.id ?? '',
      code: 'code' in event ? event.code : 'INTERNAL_ERROR',
      message: 'message' in event ? event.message : 'No emulator was provisioned.',
      details: 'details' in event ? event.details : null,
    })),
    refuseTaken: emit(({ context, event }, { code }: { code: string }) => ({
      type: 'provision.refused' as const,
      requestId: context.request?.id ?? '',
      code,
      message: `The AVD ${context.request?.derivedName ?? ''} exists, but is of an unsupported kind; it is never overwritten.`,
      details: 'details' in event ? event.details : null,
    })),
    refuseRestless: emit(({ context }, { code }: { code: string }) => ({
      type: 'provision.refused' as const,
      requestId: context.request?.id ?? '',
      code,
      message: 'Other requests keep changing the emulators.',
      details: null,
    })),
    ignore,
  },
  guards: {
    isBooted: ({ event }) => event.type === 'emulators.looked-up' && event.running?.booted === true,
    isBooting: ({ event }) => event.type === 'emulators.looked-up' && event.running !== null,
    isStartable: ({ event }) => event.type === 'emulators.looked-up' && event.startable !== null,
    isNameTaken: ({ event }) => event.type === 'emulators.looked-up' && event.derivedNameTaken,
    isRestless: ({ context }) => context.looks >= LOOKS_MAX,
  },
}).createMachine({
  id: 'provision',
  description: 'One provisioning request: reuse a running emulator, start an AVD, or make one.',
  context: { request: null, avdName: '', serial: null, created: false, looks: 0 },
  initial: 'requested',
  on: strays(
    [
      'provision.requested',
      'emulators.looked-up',
      'avd.created',
      'emulator.started',
      'emulator.booted',
      'emulators.changed',
      'tool.failed',
      'request.interrupted',
      'port.failed',
    ],
    'the request is past the point this event speaks of',
  ),
  states: {
    requested: {
      description: 'Nothing was asked for yet.',
      on: {
        'provision.requested': {
          target: 'working',
          actions: 'take',
          meta: because('what runs and what exists is looked up first'),
        },
      },
    },
    working: {
      description: 'An emulator is looked for, made and started.',
      tags: ['in-flight'],
      initial: 'choosing',
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
          meta: because('a driver that fails must still end in an answer'),
        },
        'emulators.changed': [
          {
            guard: 'isRestless',
            target: 'failed',
            actions: { type: 'refuseRestless', params: { code: 'EMULATOR_BUSY' } },
            meta: because('every wait has an end'),
          },
          { target: '.choosing', meta: because('another request made or started it: there is a new choice') },
        ],
      },
      states: {
        choosing: {
          description: 'What runs and what exists is looked up; the order of preference decides.',
          invoke: { id: 'lookUp', src: 'lookUp', input: inputOf },
          on: {
            'emulators.looked-up': [
              {
                guard: 'isBooted',
                target: '#provision.provisioned',
                actions: ['choose', 'report'],
                meta: cites('emulator.provision-reuse'),
              },
              { guard: 'isBooting', target: 'booting', actions: 'choose', meta: cites('emulator.provision-reuse') },
              { guard: 'isStartable', target: 'starting', actions: 'choose', meta: cites('emulator.provision-start') },
              {
                guard: 'isNameTaken',
                target: '#provision.failed',
                actions: ['choose', { type: 'refuseTaken', params: { code: 'EMULATOR_UNSUPPORTED' } }],
                meta: because('the derived name belongs to an unsupported AVD: EMULATOR_UNSUPPORTED'),
              },
              { target: 'creating', actions: 'choose', meta: cites('emulator.provision-create') },
            ],
          },
        },
        booting: {
          description: 'A supported emulator runs, and has not booted yet.',
          invoke: { id: 'awaitBoot', src: 'awaitBoot', input: inputOf },
          on: {
            'emulator.booted': {
              target: '#provision.provisioned',
              actions: 'report',
              meta: cites('emulator.provision-reuse'),
            },
          },
        },
        creating: {
          description: 'A new AVD is made.',
          invoke: { id: 'createAvd', src: 'createAvd', input: inputOf },
          on: {
            'avd.created': { target: 'starting', actions: 'markCreated', meta: cites('emulator.provision-create') },
          },
        },
        starting: {
          description: 'An AVD is started and awaited.',
          invoke: { id: 'startAvd', src: 'startAvd', input: inputOf },
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
