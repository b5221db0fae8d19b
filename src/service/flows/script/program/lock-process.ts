/** Closes this process before the first script runs: nothing of its realm is handed to scripts, and it has nothing to take. */
import { createRequire } from 'node:module'
import type { Interceptors } from '../realm/interceptors.ts'

type Binding = Readonly<Record<string, ((call: unknown) => void) | undefined>>

const CALLBACKS = [
  ['module_wrap', 'setImportModuleDynamicallyCallback', 'importModule'],
  ['errors', 'setPrepareStackTraceCallback', 'stackText'],
  ['task_queue', 'setPromiseRejectCallback', 'rejected'],
] as const

/** Throws where a version of Node has no such callback: then no script runs. */
export const setInterceptors = (interceptors: Interceptors): void => {
  const { internalBinding } = createRequire(__filename)('internal/test/binding') as {
    internalBinding(name: string): Binding
  }
  for (const [binding, setter, name] of CALLBACKS) {
    const set = internalBinding(binding)[setter]
    if (set === undefined)
      throw new Error(`Node ${process.version} has no ${setter}: scripts of flows cannot be kept apart.`)
    set(interceptors[name])
  }
}

/** Ways from a process to modules, native code and other processes. */
const WAYS_OUT = [
  'binding',
  '_linkedBinding',
  'dlopen',
  'getBuiltinModule',
  'mainModule',
  'kill',
  '_kill',
  'reallyExit',
  '_debugProcess',
  'chdir',
  'execve',
] as const

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** Prototypes that no global name leads to: those of iterators, of generators and of asynchronous functions. */
const namelessPrototypes = (): object[] => {
  const found: object[] = []
  const starts = [
    [][Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''[Symbol.iterator](),
    ''.matchAll(/./g),
    (function* () {})(),
    (async function* () {})(),
    function* () {},
    async function* () {},
    async () => {},
    Uint8Array,
    Uint8Array.prototype,
  ]
  for (const start of starts) {
    for (let each: unknown = Object.getPrototypeOf(start); isObject(each); each = Object.getPrototypeOf(each)) {
      found.push(each)
    }
  }
  return found
}

const intrinsics = (): object[] => {
  const names = Object.getOwnPropertyNames(globalThis)
  const values = names.flatMap(name => {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {}
    // Modules and the process itself are reached by name alone, and no name of this realm is known to a script.
    return isObject(value) && value !== globalThis && value !== process ? [value] : []
  })
  const prototypes = values.flatMap(value => {
    const { value: prototype } = Object.getOwnPropertyDescriptor(value, 'prototype') ?? {}
    return isObject(prototype) ? [prototype] : []
  })
  return [...values, ...prototypes, ...namelessPrototypes()]
}

/**
 * An error of this process that gets to a script all the same leads nowhere then: no constructor can be reached from it, and
 * nothing that can be reached can be changed.
 */
export const lockDown = (): void => {
  for (const name of WAYS_OUT) Reflect.deleteProperty(process, name)
  const all = intrinsics()
  for (const each of all) Reflect.deleteProperty(each, 'constructor')
  for (const each of all) Object.freeze(each)
}
