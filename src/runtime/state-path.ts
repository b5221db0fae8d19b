/** A state value as one dotted path: `running.dispatched`. The machines here have no parallel regions. */
import type { StateValue } from 'xstate'

export const statePath = (value: StateValue): string => {
  if (typeof value === 'string') return value
  const [name, inner] = Object.entries(value)[0] ?? ['', undefined]
  return inner === undefined ? name : `${name}.${statePath(inner)}`
}
