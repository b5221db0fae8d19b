/** What a reader of outside bytes declares to be fuzzed: valid inputs, how they are changed, and how an input is read and judged. */
import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../long/trial/random.ts'

/** What a reader says of an input; everything that it throws is a failure. */
export type Reading = 'accepted' | 'refused'

export interface Tools {
  random: Random
  /** Another input of the same target. */
  other(): Buffer
}

export type Mutate = (input: Buffer, tools: Tools) => Buffer

export interface OpenTarget {
  read(input: Buffer): Reading | Promise<Reading>
  close?(): Promise<void> | void
}

export interface Target {
  readonly name: string
  /** At least one of them is accepted. */
  readonly seeds: readonly (string | Uint8Array)[]
  readonly mutate: Mutate
  /** Larger inputs are cut to it; INPUT_BYTES_MAX unless told. */
  readonly bytesMax?: number
  /** One input may take so long; INPUT_MS_MAX unless told. */
  readonly msMax?: number
  open(): OpenTarget | Promise<OpenTarget>
}

export const INPUT_BYTES_MAX = 128 * 1_024
export const INPUT_MS_MAX = 1_000

/** Thrown by the check of a target: the input was accepted, or refused, and should not have been. */
export class WrongReading extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WrongReading'
  }
}

export const expectSame = (what: string, one: unknown, other: unknown): void => {
  if (!isDeepStrictEqual(one, other)) throw new WrongReading(`${what} differs: ${shown(one)} and ${shown(other)}`)
}

export const expectThat = (isSo: boolean, what: string): void => {
  if (!isSo) throw new WrongReading(what)
}

const SHOWN_CHARS = 300
const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, SHOWN_CHARS)

/** A reader without state. */
export const stateless = (read: OpenTarget['read']) => (): OpenTarget => ({ read })

/** Whatever is not the failure that the reader declares goes on. */
export const refusedBy = <T>(declared: abstract new (...args: never[]) => Error, read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof declared) return undefined
    throw error
  }
}

export const bytesOf = (seed: string | Uint8Array): Buffer =>
  typeof seed === 'string' ? Buffer.from(seed) : Buffer.from(seed)

const BYTE_BY_BYTE_MAX = 2_048
const PIECES = [7, 64, 1_000] as const

const cutEvery = (input: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(input.length / size) }, (_, at) => input.subarray(at * size, (at + 1) * size))

/** A stream says the same in whatever pieces it comes. */
export const expectSameInPieces = <T>(input: Buffer, read: (pieces: readonly Buffer[]) => T): T => {
  const whole = read([input])
  const sizes = input.length <= BYTE_BY_BYTE_MAX ? [1, ...PIECES] : PIECES.slice(2)
  for (const size of sizes) {
    if (size < input.length) expectSame(`the same in pieces of ${size} bytes`, read(cutEvery(input, size)), whole)
  }
  return whole
}
