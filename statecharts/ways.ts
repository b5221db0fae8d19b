/** The way of a success through each machine, which its picture marks: from the initial state to where it rests or ends. */
import type { ChartName } from '../machines/charts.ts'
import { type Chart, type ChartEdge, type ChartState, drawnEdges, edgesOf, statesOf } from './chart.ts'

/** An event, and the state that it leads to. Failures often join the same two states, so states alone name no arrow. */
export type Step = readonly [event: string, to: string]

export const WAYS: Readonly<Record<ChartName, readonly Step[]>> = {
  device: [
    ['execution.requested', 'running.accepted'],
    ['execution.dispatched', 'running.dispatched'],
    ['execution.settled', 'idle'],
  ],
  dispatch: [
    ['command.given', 'ensuring'],
    ['daemon.ready', 'sending.ready'],
    ['request.written', 'sending.sent'],
    ['response.received', 'answered'],
  ],
  daemon: [
    ['start.requested', 'busy.probing'],
    ['probe.answered', 'busy.starting'],
    ['daemon.ready', 'running'],
  ],
  emulator: [
    ['start.requested', 'busy.observing'],
    ['avd.observed', 'busy.starting.spawning'],
    ['process.spawned', 'busy.starting.awaiting.registering'],
    ['emulator.registered', 'busy.starting.awaiting.booting'],
    ['boot.completed', 'busy.starting.awaiting.preparing'],
    ['settings.enabled', 'resting.running'],
  ],
  provision: [
    ['provision.requested', 'working.choosing'],
    ['emulators.looked-up', 'working.starting'],
    ['emulator.started', 'provisioned'],
  ],
  recording: [
    ['start.requested', 'recording.starting'],
    ['segment.started', 'recording.running'],
    ['stop.requested', 'stopping'],
    ['phone.cleared', 'saved'],
  ],
  reservation: [
    ['reservation.taken', 'held.ready'],
    ['reservation.released', 'released'],
  ],
  'flow-run': [
    ['flow.requested', 'active.start'],
    ['stage.ended', 'active.main'],
    ['stage.ended', 'active.complete'],
    ['stage.ended', 'passed'],
  ],
  'test-run': [
    ['run.requested', 'planning'],
    ['run.planned', 'running.unserved'],
    ['phone.joined', 'running.served'],
    ['attempt.ended', 'passed'],
  ],
  membership: [
    ['join.requested', 'inside.joining'],
    ['servers.reached', 'inside.judging'],
    ['servers.judged', 'inside.claiming'],
    ['host.claimed', 'inside.serving'],
  ],
  ownership: [
    ['phone.seen', 'known.claiming'],
    ['phone.claimed', 'known.owned'],
  ],
  session: [
    ['session.requested', 'opening.reserving'],
    ['phone.reserved', 'opening.preparing'],
    ['session.opened', 'active.idle'],
    ['end.requested', 'closing'],
    ['phone.released', 'ended.deleted'],
  ],
  'skill-run': [
    ['run.requested', 'active.gating'],
    ['run.cleared', 'active.spawned.running'],
    ['child.exited', 'succeeded'],
  ],
}

/** The path of the state in which a machine is once it has entered the one at `path`. */
const entered = (states: readonly ChartState[], path: string): string => {
  const initial = states.find(state => state.path === path)?.initial
  return initial === undefined ? path : entered(states, initial)
}

const isAround = (outer: string, path: string): boolean =>
  outer === '' || outer === path || path.startsWith(`${outer}.`)

export interface Way {
  /** The initial state, then that of each step. */
  states: readonly string[]
  /** Those of each step: of the states around the one before, the innermost takes the event. */
  edges: readonly (readonly ChartEdge[])[]
}

export const wayOf = (chart: Chart): Way => {
  const steps = (WAYS as Readonly<Record<string, readonly Step[]>>)[chart.machine] ?? []
  if (steps.length === 0) return { states: [], edges: [] }
  const all = [chart.root, ...statesOf(chart.root)]
  const drawn = drawnEdges(edgesOf(chart))
  const states = [entered(all, ''), ...steps.map(([, to]) => to)]
  const edges = steps.map(([event, to], index) => {
    const from = states[index] ?? ''
    const joining = drawn.filter(
      edge =>
        edge.event === event &&
        isAround(edge.source, from) &&
        edge.target !== undefined &&
        entered(all, edge.target) === to,
    )
    const innermost = Math.max(...joining.map(({ source }) => source.length))
    return joining.filter(({ source }) => source.length === innermost)
  })
  return { states, edges }
}
