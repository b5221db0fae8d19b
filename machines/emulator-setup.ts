/** The context, ports, actions and guards of the emulator machine. */
import { assign, emit, setup } from 'xstate'
import type { EmulatorEvent } from '../src/contracts/events/emulator.ts'
import { type DeadlineInput, port } from './port.ts'

export type EmulatorAsk = 'create' | 'start' | 'stop' | 'delete'
export type EmulatorFinding = 'absent' | 'stopped' | 'running'

export interface EmulatorContext {
  avdName: string
  request: { id: string; ask: EmulatorAsk; firstBy: number; lastBy: number } | null
  serial: string | null
}

export type EmulatorEmitted =
  | { type: 'emulator.reported'; requestId: string; ask: EmulatorAsk | null; serial: string | null }
  | { type: 'emulator.refused'; requestId: string; code: string; message: string }

export interface AvdInput {
  avdName: string
}

const REQUESTS = {
  'create.requested': 'create',
  'start.requested': 'start',
  'stop.requested': 'stop',
  'delete.requested': 'delete',
} as const satisfies Partial<Record<EmulatorEvent['type'], EmulatorAsk>>

export const emulatorSetup = setup({
  types: {
    context: {} as EmulatorContext,
    events: {} as EmulatorEvent,
    emitted: {} as EmulatorEmitted,
    input: {} as { avdName: string },
    tags: {} as 'in-flight',
  },
  actors: {
    observe: port<AvdInput>('observe'),
    create: port<AvdInput>('create'),
    boot: port<AvdInput>('boot'),
    shutdown: port<AvdInput>('shutdown'),
    remove: port<AvdInput>('remove'),
    deadline: port<DeadlineInput>('deadline'),
  },
  actions: {
    take: assign({
      request: ({ context, event }) => {
        switch (event.type) {
          case 'start.requested':
            return { id: event.requestId, ask: 'start', firstBy: event.registerBy, lastBy: event.bootBy }
          case 'stop.requested':
            return { id: event.requestId, ask: 'stop', firstBy: event.goneBy, lastBy: event.goneBy }
          case 'create.requested':
          case 'delete.requested':
            return { id: event.requestId, ask: REQUESTS[event.type], firstBy: 0, lastBy: 0 }
          default:
            return context.request
        }
      },
    }),
    learn: assign({
      serial: ({ context, event }) => ('serial' in event ? event.serial : context.serial),
    }),
    report: emit(({ context, event }) => ({
      type: 'emulator.reported' as const,
      requestId: context.request?.id ?? '',
      ask: context.request?.ask ?? null,
      serial: 'serial' in event ? event.serial : context.serial,
    })),
    refuse: emit(({ context, event }, params: { code: string; message: string }) => ({
      type: 'emulator.refused' as const,
      requestId: context.request?.id ?? '',
      code: event.type === 'tool.failed' ? event.code : params.code,
      message: 'message' in event ? event.message : params.message,
    })),
    refuseOther: emit(({ event }, params: { code: string; message: string }) => ({
      type: 'emulator.refused' as const,
      requestId: 'requestId' in event ? event.requestId : '',
      ...params,
    })),
    ignore: () => {},
  },
  guards: {
    found: ({ context, event }, params: { ask: EmulatorAsk; finding: EmulatorFinding }) =>
      event.type === 'avd.observed' && event.finding === params.finding && context.request?.ask === params.ask,
  },
})
