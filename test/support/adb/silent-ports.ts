/** Ports that say nothing, for every port a machine declares. */
import type { AnyStateMachine } from 'xstate'
import type { Ports } from '../../../src/runtime/port.ts'

export const silentPorts = (logic: AnyStateMachine, onStart: (name: string) => void = () => {}): Ports =>
  Object.fromEntries(Object.keys(logic.implementations.actors).map(name => [name, () => onStart(name)]))
