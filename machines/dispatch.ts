/** One proxied command as a chart: built from the same table that the thin client runs. */
import { assign, emit, setup } from 'xstate'
import type { DispatchEvent } from '../src/contracts/events/dispatch.ts'
import {
  DISPATCH_GUARDS,
  DISPATCH_ROWS,
  DISPATCH_STATES,
  type DispatchContext,
  type DispatchGuard,
  type DispatchRow,
  type DispatchState,
  type DispatchStep,
} from './dispatch-table.ts'
import { port, strays } from './port.ts'
import { because, cites, type EdgeMeta } from './rows.ts'

export type DispatchEmitted =
  | { type: 'command.answered'; commandId: string; body: unknown }
  | { type: 'command.lost'; commandId: string; message: string }
  | { type: 'command.ended'; commandId: string; dispatched: boolean | 'unknown' }
  | { type: 'command.direct'; commandId: string; rerun: boolean; message: string }

const ABOUT: Readonly<Record<DispatchState, string>> = {
  choosing: 'Nothing has happened yet: the selection rules, in their order.',
  ensuring: 'The daemon of this build is asked to take the command; no lock is held.',
  locking: 'A daemon must be started or replaced: one caller at a time may do that.',
  checking: 'The previous holder may have started the daemon.',
  starting: 'A daemon is started or replaced.',
  confirming: 'The daemon that was started is asked to take the command.',
  'sending.ready': 'No byte of the body has left yet.',
  'sending.sent': 'The body was written: the daemon may have executed it.',
  'sending.cancelling': 'The caller was interrupted: the daemon is asked to cancel the execution.',
  answered: 'The daemon answered.',
  lost: 'No answer, and no second try: DAEMON_PROXY_ERROR.',
  cancelled: 'The caller was interrupted: EXECUTION_CANCELLED, which says whether anything was sent.',
  direct: 'The command runs in the calling process.',
}

const message = (event: DispatchEvent) =>
  'message' in event && event.message !== undefined ? event.message : event.type

const direct = ({ commandId }: DispatchContext, event: DispatchEvent, rerun: boolean) => ({
  type: 'command.direct' as const,
  commandId,
  rerun,
  message: message(event),
})

const lost = ({ commandId }: DispatchContext, event: DispatchEvent) => ({
  type: 'command.lost' as const,
  commandId,
  message: message(event),
})

const metaOf = (why: DispatchRow[5]): EdgeMeta => (typeof why === 'string' ? because(why) : cites(...why))

const edgesOf = (state: DispatchState) => {
  const on: Record<string, unknown[]> = {}
  for (const [source, event, guard, target, action, why] of DISPATCH_ROWS) {
    if (source !== state) continue
    const actions = [...(event === 'command.given' ? ['take'] : []), ...(action ? [action] : [])]
    on[event] ??= []
    on[event].push({ ...(guard ? { guard } : {}), target: `#dispatch.${target}`, actions, meta: metaOf(why) })
  }
  return on
}

const leafOf = (state: DispatchState) => {
  const { port: src }: DispatchStep = DISPATCH_STATES[state]
  const input = ({ context: { commandId } }: { context: DispatchContext }) => ({ commandId })
  const on = edgesOf(state)
  return {
    description: ABOUT[state],
    ...(Object.keys(on).length === 0 ? { type: 'final' } : { on }),
    ...(src ? { tags: ['in-flight'], invoke: { id: src, src, input } } : {}),
  }
}

/** `sending.ready` is the part `ready` of `sending`. */
const chartStates = () => {
  const states: Record<string, { states?: Record<string, unknown> } & Record<string, unknown>> = {}
  for (const state of Object.keys(DISPATCH_STATES) as DispatchState[]) {
    const [whole = '', part] = state.split('.')
    if (part === undefined) states[whole] = leafOf(state)
    else {
      states[whole] ??= { description: 'The daemon has taken the command.', initial: part, states: {} }
      Object.assign(states[whole]?.states ?? {}, { [part]: leafOf(state) })
    }
  }
  return states
}

const guards = Object.fromEntries(
  Object.entries(DISPATCH_GUARDS).map(([name, holds]) => [
    name,
    ({ context, event }: { context: DispatchContext; event: DispatchEvent }) => holds(event, context),
  ]),
) as Record<DispatchGuard, (args: { context: DispatchContext; event: DispatchEvent }) => boolean>

const base = setup({
  types: {
    context: {} as DispatchContext,
    events: {} as DispatchEvent,
    emitted: {} as DispatchEmitted,
    input: {} as { commandId: string },
    tags: {} as 'in-flight',
  },
  actors: {
    open: port<{ commandId: string }>('open'),
    lock: port<{ commandId: string }>('lock'),
    start: port<{ commandId: string }>('start'),
    write: port<{ commandId: string }>('write'),
    receive: port<{ commandId: string }>('receive'),
    cancel: port<{ commandId: string }>('cancel'),
  },
  actions: {
    take: assign({
      commandId: ({ context, event }) => (event.type === 'command.given' ? event.commandId : context.commandId),
      kind: ({ context, event }) => (event.type === 'command.given' ? event.kind : context.kind),
    }),
    goDirect: emit(({ context, event }) => direct(context, event, false)),
    runAgain: emit(({ context, event }) => direct(context, event, true)),
    answer: emit(({ context: { commandId }, event }) => ({
      type: 'command.answered' as const,
      commandId,
      body: event.type === 'response.received' ? event.body : undefined,
    })),
    giveUp: emit(({ context, event }) => lost(context, event)),
    giveUpLate: emit(({ context, event }) => lost(context, event)),
    cancel: emit(({ context: { commandId }, event }) => ({
      type: 'command.ended' as const,
      commandId,
      dispatched: ('dispatched' in event ? event.dispatched : undefined) ?? ('unknown' as const),
    })),
    ignore: () => {},
  },
  guards,
})

type Config = Parameters<typeof base.createMachine>[0]

export const dispatch = base.createMachine({
  id: 'dispatch',
  description: 'One proxied command: which way it goes, and what a lost answer may lead to.',
  context: ({ input }: { input: { commandId: string } | undefined }) => ({
    commandId: input?.commandId ?? '',
    kind: 'exec',
  }),
  initial: 'choosing',
  on: strays(
    [...new Set(DISPATCH_ROWS.map(([, event]) => event))],
    'the command is past the point this event speaks of',
  ),
  states: chartStates(),
} as Config)
