/** One proxied command as a chart: drawn from the table that the thin client runs. No actor of it is ever created. */
import { assign, setup } from 'xstate'
import type { DispatchEvent } from '../../src/contracts/events/dispatch.ts'
import { ignore, port, strays } from '../port.ts'
import { because, cites } from '../rows.ts'
import {
  DISPATCH_GUARDS,
  DISPATCH_ROWS,
  DISPATCH_STATES,
  type DispatchContext,
  type DispatchGuard,
  type DispatchState,
  type DispatchStep,
} from './dispatch-table.ts'

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

const edgesOf = (state: DispatchState) => {
  const on: Record<string, unknown[]> = {}
  for (const [source, event, guard, target, action, why] of DISPATCH_ROWS) {
    if (source !== state) continue
    const actions = [...(event === 'command.given' ? ['take'] : []), ...(action ? [action] : [])]
    const meta = typeof why === 'string' ? because(why) : cites(...why)
    on[event] ??= []
    on[event].push({ ...(guard ? { guard } : {}), target: `#dispatch.${target}`, actions, meta })
  }
  return on
}

const leafOf = (state: DispatchState) => {
  const { port: src }: DispatchStep = DISPATCH_STATES[state]
  const on = edgesOf(state)
  return {
    description: ABOUT[state],
    ...(Object.keys(on).length === 0 ? { type: 'final' } : { on }),
    ...(src ? { tags: ['in-flight'], invoke: { id: src, src } } : {}),
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
  types: { context: {} as DispatchContext, events: {} as DispatchEvent, tags: {} as 'in-flight' },
  actors: Object.fromEntries(
    Object.values(DISPATCH_STATES).flatMap((step: DispatchStep) => (step.port ? [[step.port, port(step.port)]] : [])),
  ),
  actions: {
    take: assign(({ event }) => (event.type === 'command.given' ? { kind: event.kind } : {})),
    ignore,
  },
  guards,
})

export const dispatch = base.createMachine({
  id: 'dispatch',
  description: 'One proxied command: which way it goes, and what a lost answer may lead to.',
  context: { commandId: '', kind: 'exec' },
  initial: 'choosing',
  on: strays(
    [...new Set(DISPATCH_ROWS.map(([, event]) => event))],
    'the command is past the point this event speaks of',
  ),
  states: chartStates(),
} as Parameters<typeof base.createMachine>[0])
