/** The way of a success through each machine, which its picture marks: states from the initial one to where it rests or ends. */
import type { ChartName } from '../machines/charts.ts'
import { type ChartEdge, type ChartState, statesOf } from './chart.ts'

export const WAYS: Readonly<Record<ChartName, readonly string[]>> = {
  device: ['idle', 'running.accepted', 'running.dispatched', 'idle'],
  dispatch: ['choosing', 'ensuring', 'sending.ready', 'sending.sent', 'answered'],
  daemon: ['not_running', 'busy.probing', 'busy.starting', 'running'],
  emulator: [
    ...['resting.none', 'busy.observing', 'busy.starting.spawning', 'busy.starting.awaiting.registering'],
    ...['busy.starting.awaiting.booting', 'busy.starting.awaiting.preparing', 'resting.running'],
  ],
  provision: ['requested', 'working.choosing', 'working.starting', 'provisioned'],
  recording: ['idle', 'recording.starting', 'recording.running', 'stopping', 'saved'],
  reservation: ['requested', 'held.ready', 'released'],
  'flow-run': ['requested', 'active.start', 'active.main', 'active.complete', 'passed'],
  'test-run': ['requested', 'planning', 'running.unserved', 'running.served', 'passed'],
  membership: ['outside', 'inside.joining', 'inside.judging', 'inside.claiming', 'inside.serving'],
  ownership: ['unowned', 'known.claiming', 'known.owned'],
  session: ['requested', 'opening.reserving', 'opening.preparing', 'active.idle', 'closing', 'ended.deleted'],
  'skill-run': ['requested', 'active.gating', 'active.spawned.running', 'succeeded'],
}

/** The path of the state in which a machine is once it has entered the one at `path`. */
const entered = (states: readonly ChartState[], path: string): string => {
  const initial = states.find(state => state.path === path)?.initial
  return initial === undefined ? path : entered(states, initial)
}

const isAround = (outer: string, path: string): boolean =>
  outer === '' || outer === path || path.startsWith(`${outer}.`)

/** Whether the edge leads from one of the neighbours to the other: it may leave a state around the first, and enter one around the second. */
export const isStep = (root: ChartState, edge: ChartEdge, from: string, to: string): boolean =>
  edge.target !== undefined && isAround(edge.source, from) && entered(statesOf(root), edge.target) === to

export const isOnWay = (root: ChartState, edge: ChartEdge, way: readonly string[]): boolean =>
  way.some((to, index) => index > 0 && isStep(root, edge, way[index - 1] ?? '', to))
