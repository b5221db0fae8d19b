/** The names that a script can use without declaring them. */

export interface Scope {
  /** Begins an evaluation: what an earlier one assigned is gone. */
  enter(env: Readonly<Record<string, string>>): void
  /** The value of the source's last expression. */
  run(source: string): unknown
  /** An own value of the running evaluation: its environment, and what it assigned. */
  own(name: string): unknown
}

/**
 * One scope for all evaluations, so that a function which a script left in `output` sees the environment of the script that
 * calls it. A name that nobody declared is undefined, and never an error. `output` alone outlives an assignment.
 */
export const createScope = (bindings: Readonly<Record<string, () => unknown>>): Scope => {
  const { defineProperty, create, entries, getOwnPropertyNames, hasOwn } = Object
  const realm: Record<string, unknown> = globalThis as never
  let output: unknown = {}
  const names = create(null)
  // A copy, for the global object of a context is slow to ask.
  for (const name of getOwnPropertyNames(realm)) names[name] = realm[name]
  for (const [name, get] of entries(bindings)) defineProperty(names, name, { get, configurable: true })
  defineProperty(names, 'output', { get: () => output })
  let frame: Record<string, unknown> = create(names)

  const write = (name: string | symbol, value: unknown): boolean => {
    if (name === 'output') output = value
    else defineProperty(frame, name, { value, writable: true, enumerable: true, configurable: true })
    return true
  }
  const scope: object = new Proxy(create(null), {
    has: (_, name) => typeof name === 'string',
    get: (_, name) => (typeof name === 'string' ? frame[name] : undefined),
    set: (_, name, value) => write(name, value),
    defineProperty: (_, name, { value }) => write(name, value),
    deleteProperty: (_, name) => delete frame[name as string],
  })
  names.globalThis = scope
  // Strict code has variables of its own, and its value is that of its last expression. `with` cannot be written in a module.
  const evaluate: (source: string) => unknown = new Function(
    'scope',
    "with (scope) { return function () { 'use strict'; return eval(arguments[0]) } }",
  )(scope)
  const isReserved = (name: string) =>
    name === 'output' || name === 'globalThis' || name === 'eval' || hasOwn(bindings, name)
  return {
    enter(env) {
      frame = create(names)
      for (const [name, value] of entries(env)) if (!isReserved(name)) write(name, value)
    },
    run: evaluate,
    own: name => (hasOwn(frame, name) ? frame[name] : undefined),
  }
}
