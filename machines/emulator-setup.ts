/** The context, ports, actions and guards of the emulator machine. */
import { assign, emit, setup } from 'xstate'
import type {
  AvdSpec,
  EmulatorEvent,
  EmulatorLimits,
  EmulatorProcess,
  StartOptions,
} from '../src/contracts/events/emulator.ts'
import { type DeadlineInput, port } from './port.ts'

export type EmulatorAsk = 'create' | 'start' | 'stop' | 'delete' | 'repair'
export type EmulatorFinding = 'absent' | 'stopped' | 'running'
export type EmulatorPhase = 'looking' | 'installing' | 'creating' | 'spawning' | 'starting' | 'stopping' | 'deleting'

export interface EmulatorFailure {
  code: string
  message: string
  details: unknown
}

export interface EmulatorRequest {
  id: string
  ask: EmulatorAsk
  /** Later requests for the same change, which get the same answer. */
  joined: readonly string[]
  limits: EmulatorLimits
  spec: AvdSpec | null
  options: StartOptions | null
  /** Of a repair: whether it waits for a started emulator. */
  resume: boolean
}

export interface Spawned {
  pid: number
  started: string
}

/** What a dead host was doing. */
export interface Cut {
  requestId: string
  ask: EmulatorAsk
  phase: EmulatorPhase
}

/** How the last change ended: for those in other processes who waited for it. */
export type EmulatorEnd =
  | { requestId: string; ok: true; serial: string | null; done: string | null }
  | { requestId: string; ok: false; failure: EmulatorFailure }

export interface EmulatorContext {
  avdName: string
  request: EmulatorRequest | null
  /** When the phase began that is under way. */
  since: number
  serial: string | null
  /** The emulator that was started last. */
  process: EmulatorProcess | null
  /** The tool of the SDK that runs. */
  tool: Spawned | null
  /** Why the change under way is being undone. */
  failure: EmulatorFailure | null
  cut: Cut | null
  last: EmulatorEnd | null
}

export type EmulatorEmitted =
  | {
      type: 'emulator.reported'
      requestIds: readonly string[]
      ask: EmulatorAsk | null
      serial: string | null
      done: string | null
    }
  | ({ type: 'emulator.refused'; requestIds: readonly string[] } & EmulatorFailure)

export interface AvdInput {
  avdName: string
}
/** For work that ends itself, and says what the tool had printed by then. */
export interface BoundedInput extends AvdInput {
  requestId: string
  until: number
}
export interface CreateInput extends BoundedInput {
  spec: AvdSpec | null
}
export interface SpawnInput extends AvdInput {
  requestId: string
  options: StartOptions | null
}
export interface ProcessInput extends AvdInput {
  process: EmulatorProcess | null
}
export interface ShutdownInput extends ProcessInput {
  serial: string | null
}
export interface RepairInput extends ProcessInput {
  cut: Cut | null
  tool: Spawned | null
}

/** More than these at once are refused. */
const JOINED_MAX = 100

const REQUESTS = {
  'create.requested': 'create',
  'start.requested': 'start',
  'stop.requested': 'stop',
  'delete.requested': 'delete',
  'repair.requested': 'repair',
} as const satisfies Partial<Record<EmulatorEvent['type'], EmulatorAsk>>

type RequestEvent = Extract<EmulatorEvent, { type: keyof typeof REQUESTS }>

const isRequest = (event: EmulatorEvent): event is RequestEvent => event.type in REQUESTS

const requestOf = (event: RequestEvent): EmulatorRequest => ({
  id: event.requestId,
  ask: REQUESTS[event.type],
  joined: [],
  limits: event.limits,
  spec: event.type === 'create.requested' ? event.spec : null,
  options: event.type === 'start.requested' ? event.options : null,
  resume: event.type === 'repair.requested' && event.resume,
})

const idsOf = ({ request }: EmulatorContext): readonly string[] => (request ? [request.id, ...request.joined] : [])

/** What an event says about a failure, else what the edge says. */
const failureOf = (event: EmulatorEvent, said: Omit<EmulatorFailure, 'details'>): EmulatorFailure => ({
  code: 'code' in event ? event.code : said.code,
  message: 'message' in event ? event.message : said.message,
  details: 'details' in event ? event.details : null,
})

const processAfter = (event: EmulatorEvent, known: EmulatorProcess | null): EmulatorProcess | null => {
  switch (event.type) {
    case 'process.spawned':
      return { pid: event.pid, started: event.started, log: event.log }
    case 'leftovers.repaired':
      return event.process
    case 'avd.observed':
      return event.finding === 'running' ? known : null
    default:
      return known
  }
}

/** What ended the process, and what it had logged. */
const withDetails = (failure: EmulatorFailure, event: EmulatorEvent): EmulatorFailure =>
  event.type === 'process.ended' && failure.details === null ? { ...failure, details: event.details } : failure

const UNKNOWN: EmulatorFailure = { code: 'INTERNAL_ERROR', message: 'The change failed.', details: null }

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
    install: port<CreateInput>('install'),
    create: port<CreateInput>('create'),
    undo: port<AvdInput>('undo'),
    spawn: port<SpawnInput>('spawn'),
    alive: port<ProcessInput>('alive'),
    register: port<ProcessInput>('register'),
    boot: port<ShutdownInput>('boot'),
    prepare: port<ShutdownInput>('prepare'),
    abandon: port<ProcessInput>('abandon'),
    shutdown: port<ShutdownInput>('shutdown'),
    remove: port<BoundedInput>('remove'),
    repair: port<RepairInput>('repair'),
    deadline: port<DeadlineInput>('deadline'),
  },
  actions: {
    take: assign(({ context, event }) =>
      isRequest(event)
        ? { ...context, request: requestOf(event), since: event.at, failure: null, tool: null }
        : context,
    ),
    join: assign({
      request: ({ context: { request }, event }) =>
        request && isRequest(event) ? { ...request, joined: [...request.joined, event.requestId] } : request,
    }),
    /** The next phase begins now. */
    proceed: assign(({ context, event }) => ({
      since: event.at,
      tool: null,
      serial: 'serial' in event ? event.serial : context.serial,
      process: processAfter(event, context.process),
      cut: event.type === 'leftovers.repaired' ? null : context.cut,
    })),
    learnTool: assign(({ context, event }) => ({
      tool: event.type === 'tool.spawned' ? { pid: event.pid, started: event.started } : context.tool,
    })),
    keepFailure: assign(({ event }, said: Omit<EmulatorFailure, 'details'>) => ({
      failure: failureOf(event, said),
      tool: null,
    })),
    cutAt: assign(({ context }, { phase }: { phase: EmulatorPhase }) => ({
      cut: context.cut ?? {
        requestId: context.request?.id ?? '',
        ask: context.request?.ask ?? ('repair' as const),
        phase,
      },
    })),
    report: emit(({ context, event }) => ({
      type: 'emulator.reported' as const,
      requestIds: idsOf(context),
      ask: context.request?.ask ?? null,
      serial: 'serial' in event ? event.serial : context.serial,
      done: event.type === 'leftovers.repaired' ? event.done : null,
    })),
    finish: assign(({ context, event }) => ({
      request: null,
      serial: 'serial' in event ? event.serial : event.type === 'emulator.gone' ? null : context.serial,
      process: event.type === 'emulator.gone' ? null : context.process,
      tool: null,
      cut: null,
      last: {
        requestId: context.request?.id ?? '',
        ok: true as const,
        serial: 'serial' in event ? event.serial : context.serial,
        done: event.type === 'leftovers.repaired' ? event.done : null,
      },
    })),
    refuse: emit(({ context, event }, said: Omit<EmulatorFailure, 'details'>) => ({
      type: 'emulator.refused' as const,
      requestIds: idsOf(context),
      ...failureOf(event, said),
    })),
    giveUp: assign(({ context, event }, said: Omit<EmulatorFailure, 'details'>) => ({
      request: null,
      tool: null,
      serial: event.type === 'avd.observed' ? event.serial : context.serial,
      last: { requestId: context.request?.id ?? '', ok: false as const, failure: failureOf(event, said) },
    })),
    /** What failed is undone by now. */
    refuseKept: emit(({ context, event }) => ({
      type: 'emulator.refused' as const,
      requestIds: idsOf(context),
      ...withDetails(context.failure ?? UNKNOWN, event),
    })),
    giveUpKept: assign(({ context, event }) => ({
      request: null,
      tool: null,
      serial: null,
      process: null,
      failure: null,
      last: {
        requestId: context.request?.id ?? '',
        ok: false as const,
        failure: withDetails(context.failure ?? UNKNOWN, event),
      },
    })),
    refuseOther: emit(({ context, event }) => ({
      type: 'emulator.refused' as const,
      requestIds: 'requestId' in event ? [event.requestId] : [],
      code: 'EMULATOR_BUSY',
      message: `The AVD ${context.avdName} is busy: another request to ${context.request?.ask ?? 'change'} it is under way.`,
      details: { avdName: context.avdName, ask: context.request?.ask ?? null },
    })),
    ignore: () => {},
  },
  guards: {
    found: ({ context, event }, params: { ask: EmulatorAsk; finding: EmulatorFinding }) =>
      event.type === 'avd.observed' && event.finding === params.finding && context.request?.ask === params.ask,
    /** The same change once more. */
    isSame: ({ context: { request }, event }) =>
      isRequest(event) &&
      request?.ask === REQUESTS[event.type] &&
      request.joined.length < JOINED_MAX &&
      (event.type !== 'start.requested' ||
        (event.options.wipe === request.options?.wipe && event.options.window === request.options.window)),
    /** The emulator that the dead host started still boots, and this request wants it. */
    goesOn: ({ context: { request }, event }) =>
      event.type === 'leftovers.repaired' &&
      event.finding === 'starting' &&
      (request?.ask === 'start' || (request?.ask === 'repair' && request.resume)),
    isRepairOf: ({ context, event }, { finding }: { finding: 'absent' | 'stopped' | 'running' }) =>
      event.type === 'leftovers.repaired' &&
      context.request?.ask === 'repair' &&
      (event.finding === 'starting' ? 'running' : event.finding) === finding,
  },
})
