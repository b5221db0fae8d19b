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

/** Built-in functions of this realm stay as they are, whatever a script might get hold of. */
export const freezeIntrinsics = (): void => {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {}
    if (typeof value !== 'function' || value === Buffer) continue
    Object.freeze(value)
    if (value.prototype) Object.freeze(value.prototype)
  }
}
