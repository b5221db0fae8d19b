/** Defines a command of the simulated phone's shell: a function of words and streams that ends with an exit code. */
import type { Clock } from '../../runtime/clock.ts'
import type { Phone } from '../phone.ts'
import type { Input, Io } from './io.ts'
import type { Scope } from './scope.ts'

/** Properties set at run time lie over the phone's own. */
export interface Properties {
  get(name: string): string | undefined
  set(name: string, value: string): void
  all(): ReadonlyMap<string, string>
}

export interface Device {
  phone: Phone
  /** The time that `date` and the log tell. */
  clock: Clock
  /** The time that waits of commands take. */
  waits: Clock
  properties: Properties
}

export interface Context extends Device {
  name: string
  args: readonly string[]
  stdin: Input
  out(data: string | Uint8Array): Promise<void>
  err(data: string | Uint8Array): Promise<void>
  signal: AbortSignal
  scope: Scope
  /** Runs other words in the same place, over the same streams unless told otherwise. */
  call(words: readonly string[], changes?: Partial<Io>): Promise<number>
  /** Runs a command line. */
  run(line: string, scope: Scope): Promise<number>
  /** True when a command of this name exists. */
  knows(name: string): boolean
}

export type Command = (context: Context) => number | Promise<number>

export type Commands = Readonly<Record<string, Command>>

/** The exit code that most Android commands give for misuse. */
export const USAGE_CODE = 255
export const NOT_FOUND_CODE = 127
