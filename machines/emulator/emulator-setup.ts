/** The context, ports, actions and guards of the emulator machine. */
import { assign, emit, enqueueActions, setup } from 'xstate'
import type { EmulatorEvent } from '../../src/contracts/events/emulator.ts'
import { type DeadlineInput, ignore, port } from '../port.ts'
import { LATE, UNKNOWN } from './emulator-answers.ts'
import type {
  BoundedInput,
  CreateInput,
  EmulatorAsk,
  EmulatorContext,
  EmulatorEmitted,
  EmulatorEnd,
  EmulatorFailure,
  EmulatorFinding,
  EmulatorPhase,
  EmulatorRequest,
  ObserveInput,
  ProcessInput,
  SerialInput,
  ShutdownInput,
  SpawnInput,
  UndoInput,
} from './emulator-context.ts'

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
  making: false,
  wiped: false,
  adopted: false,
})

const idsOf = ({ request }: EmulatorContext): readonly string[] => (request ? [request.id, ...request.joined] : [])

/** The failure from the event; the edge supplies what the event leaves out. */
const failureOf = (event: EmulatorEvent, fallback: Omit<EmulatorFailure, 'details'>): EmulatorFailure => ({
  code: 'code' in event ? event.code : fallback.code,
  message: 'message' in event ? event.message : fallback.message,
  details: 'details' in event ? event.details : null,
})

/** Adds the details of the ended process: why it ended, and what it had logged. */
const withDetails = (failure: EmulatorFailure, event: EmulatorEvent): EmulatorFailure =>
  event.type === 'process.ended' && failure.details === null ? { ...failure, details: event.details } : failure

/** The request has its answer: nothing of it is left but how it ended. */
const ended = (last: EmulatorEnd, known: Partial<EmulatorContext>): Partial<EmulatorContext> => ({
  request: null,
  tool: null,
  failure: null,
  repaired: null,
  last,
  ...known,
})

type Answering<Params extends Record<string, unknown> | undefined> = typeof enqueueActions<
  EmulatorContext,
  EmulatorEvent,
  Params,
  EmulatorEvent,
  never,
  never,
  never,
  never,
  EmulatorEmitted
>

/** Says the answer and keeps it, in one action; the types of several in one setup do not infer each other. */
const answering = <Params extends Record<string, unknown> | undefined = undefined>(
  collect: Parameters<Answering<Params>>[0],
): ReturnType<Answering<Params>> => enqueueActions(collect)

export const emulatorSetup = setup({
  types: {
    context: {} as EmulatorContext,
    events: {} as EmulatorEvent,
    emitted: {} as EmulatorEmitted,
    input: {} as { avdName: string },
    tags: {} as 'in-flight',
  },
  actors: {
    observe: port<ObserveInput>('observe'),
    install: port<CreateInput>('install'),
    create: port<CreateInput>('create'),
    undo: port<UndoInput>('undo'),
    spawn: port<SpawnInput>('spawn'),
    alive: port<ProcessInput>('alive'),
    register: port<ProcessInput>('register'),
    boot: port<SerialInput>('boot'),
    prepare: port<SerialInput>('prepare'),
    abandon: port<ProcessInput>('abandon'),
    shutdown: port<ShutdownInput>('shutdown'),
    remove: port<BoundedInput>('remove'),
    deadline: port<DeadlineInput>('deadline'),
  },
  actions: {
    take: assign(({ context, event }) =>
      isRequest(event)
        ? { ...context, request: requestOf(event), since: event.at, failure: null, repaired: null }
        : context,
    ),
    join: assign({
      request: ({ context: { request }, event }) =>
        request && isRequest(event) ? { ...request, joined: [...request.joined, event.requestId] } : request,
    }),
    enter: assign((_, { phase }: { phase: EmulatorPhase }) => ({ phase })),
    /** The next phase begins now. */
    proceed: assign(({ context, event }) => ({
      since: event.at,
      tool: null,
      serial: 'serial' in event ? event.serial : context.serial,
      process:
        event.type === 'process.spawned' ? { pid: event.pid, started: event.started, log: event.log } : context.process,
    })),
    learnRepair: assign(({ context, event }) =>
      event.type === 'leftovers.repaired'
        ? {
            cut: null,
            tool: null,
            repaired: event.done,
            process: event.process,
            request: context.request && { ...context.request, wiped: context.cut?.wipe ?? false },
          }
        : context,
    ),
    adopt: assign(({ context: { request } }) => ({
      request: request && {
        ...request,
        adopted: true,
        options: request.options ?? { wipe: request.wiped, window: true },
      },
    })),
    markMaking: assign({ request: ({ context: { request } }) => request && { ...request, making: true } }),
    learnTool: assign(({ context, event }) => ({
      tool: event.type === 'tool.spawned' ? { pid: event.pid, started: event.started } : context.tool,
    })),
    keepCut: assign(({ context: { cut, request, phase, since } }) => ({
      cut: cut ?? {
        requestId: request?.id ?? '',
        ask: request?.ask ?? ('repair' as const),
        phase,
        making: request?.making ?? false,
        wipe: request?.options?.wipe ?? false,
        since,
        until: since + (request?.limits.createMs ?? 0),
      },
    })),
    /** Answered once what was begun is undone. */
    keepFailure: assign(({ context, event }, { code }: { code: string }) => ({
      failure: failureOf(event, { code, message: LATE[context.phase] ?? UNKNOWN.message }),
      tool: null,
    })),
    report: answering(({ context, event, enqueue }) => {
      const isGone = event.type === 'emulator.gone'
      const serial = 'serial' in event ? event.serial : isGone ? null : context.serial
      const done = context.repaired
      const adopted = context.request?.adopted ?? false
      enqueue.emit({
        type: 'emulator.reported',
        requestIds: idsOf(context),
        ask: context.request?.ask ?? null,
        serial,
        done,
        adopted,
      })
      const last: EmulatorEnd = { requestId: context.request?.id ?? '', ok: true, serial, done, adopted }
      enqueue.assign(ended(last, { serial, process: isGone ? null : context.process }))
    }),
    refuse: answering<{ code: string; message: string }>(({ context, event, enqueue }, fallback) => {
      const failure = failureOf(event, fallback)
      enqueue.emit({ type: 'emulator.refused', requestIds: idsOf(context), ...failure })
      const last: EmulatorEnd = { requestId: context.request?.id ?? '', ok: false, failure }
      enqueue.assign(ended(last, { serial: event.type === 'avd.observed' ? event.serial : context.serial }))
    }),
    refuseKept: answering(({ context, event, enqueue }) => {
      const failure = withDetails(context.failure ?? UNKNOWN, event)
      enqueue.emit({ type: 'emulator.refused', requestIds: idsOf(context), ...failure })
      const last: EmulatorEnd = { requestId: context.request?.id ?? '', ok: false, failure }
      enqueue.assign(ended(last, { serial: null, process: null }))
    }),
    refuseOther: emit(({ context, event }, { code }: { code: string }) => ({
      type: 'emulator.refused' as const,
      requestIds: 'requestId' in event ? [event.requestId] : [],
      code,
      message: `The AVD ${context.avdName} is busy: another request to ${context.request?.ask ?? 'change'} it is under way.`,
      details: { avdName: context.avdName, ask: context.request?.ask ?? null },
    })),
    ignore,
  },
  guards: {
    found: ({ context, event }, params: { ask: EmulatorAsk; finding: EmulatorFinding }) =>
      event.type === 'avd.observed' && event.finding === params.finding && context.request?.ask === params.ask,
    is: ({ event }, { finding }: { finding: EmulatorFinding }) =>
      event.type === 'avd.observed' && event.finding === finding,
    /** The same change once more; a repair that waits for the emulator of a dead host is a start to whoever asks for one. */
    isSame: ({ context: { request }, event }) => {
      if (!isRequest(event) || !request || request.joined.length >= JOINED_MAX) return false
      const { options, ask, adopted } = request
      if (event.type !== 'start.requested') return ask === REQUESTS[event.type]
      const isWiped = event.options.wipe === options?.wipe
      return isWiped && (adopted || (ask === 'start' && event.options.window === options.window))
    },
    /** The emulator that a dead host had started still comes up, and this request wants it. */
    goesOn: ({ context: { request, repaired, process } }) =>
      repaired !== null &&
      process !== null &&
      (request?.ask === 'repair'
        ? request.resume
        : request?.ask === 'start' && (request.options?.wipe ?? false) === request.wiped),
  },
})
