/** The context of the emulator machine, its emitted events, and the input of its ports. */
import type { AvdSpec, EmulatorLimits, EmulatorProcess, StartOptions } from '../../src/contracts/events/emulator.ts'

export type EmulatorAsk = 'create' | 'start' | 'stop' | 'delete' | 'repair'
export type EmulatorFinding = 'absent' | 'stopped' | 'running'
export type EmulatorPhase =
  | 'looking'
  | 'installing'
  | 'creating'
  | 'spawning'
  | 'registering'
  | 'booting'
  | 'preparing'
  | 'abandoning'
  | 'stopping'
  | 'deleting'

export interface EmulatorFailure {
  code: string
  message: string
  details: unknown
}

export interface EmulatorRequest {
  id: string
  ask: EmulatorAsk
  /** Later requests for the same change, which get the same answer. */
  joined: readonly string[]
  limits: EmulatorLimits
  spec: AvdSpec | null
  options: StartOptions | null
  /** True when a repair waits for a started emulator. */
  resume: boolean
  /** True in a create once everything that exists of the AVD was made by it. */
  making: boolean
  /** True when the dead host had started its emulator with erased user data. */
  wiped: boolean
  /** This start goes on with the emulator of a dead host. */
  adopted: boolean
}

export interface Spawned {
  pid: number
  started: string
}

/** The work that a dead host left unfinished. */
export interface InterruptedChange {
  requestId: string
  ask: EmulatorAsk
  phase: EmulatorPhase
  making: boolean
  wipe: boolean
  /** From when until when a tool can have made something. */
  since: number
  until: number
}

/** How the last change ended: for those in other processes who waited for it. */
export type EmulatorEnd =
  | { requestId: string; ok: true; serial: string | null; done: string | null; adopted: boolean }
  | { requestId: string; ok: false; failure: EmulatorFailure }

export interface EmulatorContext {
  avdName: string
  request: EmulatorRequest | null
  /** When the phase began that is under way. */
  since: number
  serial: string | null
  /** The emulator that was started last. */
  process: EmulatorProcess | null
  /** The tool of the SDK that runs. */
  tool: Spawned | null
  /** Why the change under way is being undone. */
  failure: EmulatorFailure | null
  phase: EmulatorPhase
  cut: InterruptedChange | null
  /** The repair that was made before the request was handled. */
  repaired: string | null
  last: EmulatorEnd | null
}

export type EmulatorEmitted =
  | {
      type: 'emulator.reported'
      requestIds: readonly string[]
      ask: EmulatorAsk | null
      serial: string | null
      done: string | null
      adopted: boolean
    }
  | ({ type: 'emulator.refused'; requestIds: readonly string[] } & EmulatorFailure)

export interface AvdInput {
  avdName: string
}
/** The input of work that ends by itself at `until`, and then reports what the tool had printed. */
export interface BoundedInput extends AvdInput {
  requestId: string
  until: number
}
export interface CreateInput extends BoundedInput {
  spec: AvdSpec | null
}
export interface UndoInput extends AvdInput {
  making: boolean
}
export interface SpawnInput extends AvdInput {
  requestId: string
  options: StartOptions | null
}
export interface ProcessInput extends AvdInput {
  process: EmulatorProcess | null
}
export interface SerialInput extends ProcessInput {
  serial: string | null
}
export interface ShutdownInput extends SerialInput {
  until: number
}
export interface ObserveInput extends ProcessInput {
  requestId: string
  cut: InterruptedChange | null
  tool: Spawned | null
}
