/** Changes of bytes that know nothing of their meaning: bits, numbers, pieces that are removed, repeated or brought from elsewhere. */
import type { Random } from '../../long/trial/random.ts'
import type { Mutate, Tools } from '../target.ts'
import { REPEATS, someOf } from './words.ts'

const PIECE_BYTES_MAX = 64
const GROWN_BYTES_MAX = 256 * 1_024

export const pieceOf = (input: Buffer, random: Random): { at: number; end: number } => {
  const at = random.int(0, input.length)
  return { at, end: Math.min(input.length, at + random.int(0, PIECE_BYTES_MAX)) }
}

export const replaced = (input: Buffer, at: number, end: number, by: Uint8Array): Buffer =>
  Buffer.concat([input.subarray(0, at), by, input.subarray(end)])

const INTEGERS = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff] as const

const withNumber: Mutate = (input, { random }) => {
  const size = random.pick([1, 2, 4])
  if (input.length < size) return input
  const changed = Buffer.from(input)
  const at = random.int(0, input.length - size)
  const value = Number(BigInt.asUintN(8 * size, BigInt(random.pick([...INTEGERS]))))
  if (random.chance(0.5)) changed.writeUIntLE(value, at, size)
  else changed.writeUIntBE(value, at, size)
  return changed
}

const withOneByte = (input: Buffer, random: Random, change: (byte: number) => number): Buffer => {
  if (input.length === 0) return input
  const changed = Buffer.from(input)
  const at = random.int(0, input.length - 1)
  changed[at] = change(changed[at] ?? 0) & 0xff
  return changed
}

const repeated: Mutate = (input, { random }) => {
  const { at, end } = pieceOf(input, random)
  const times = Math.min(someOf(random, REPEATS), Math.floor(GROWN_BYTES_MAX / Math.max(1, end - at)))
  return replaced(input, at, end, Buffer.concat(Array.from({ length: times }, () => input.subarray(at, end))))
}

const CHANGES: readonly [Mutate, ...Mutate[]] = [
  (input, { random }) => withOneByte(input, random, byte => byte ^ (1 << random.int(0, 7))),
  (input, { random }) => withOneByte(input, random, () => random.int(0, 255)),
  (input, { random }) => withOneByte(input, random, byte => byte + random.pick([-1, 1])),
  withNumber,
  (input, { random }) => {
    const { at, end } = pieceOf(input, random)
    return replaced(input, at, end, Buffer.alloc(0))
  },
  (input, { random }) => {
    const { at } = pieceOf(input, random)
    return replaced(input, at, at, Buffer.from(Array.from({ length: random.int(1, 8) }, () => random.int(0, 255))))
  },
  (input, { random }) => input.subarray(0, random.int(0, input.length)),
  (input, { random }) => {
    const { at, end } = pieceOf(input, random)
    const { at: to } = pieceOf(input, random)
    return replaced(input, to, to, input.subarray(at, end))
  },
  repeated,
  (input, { random, other }) => {
    const from = other()
    const { at, end } = pieceOf(from, random)
    const place = pieceOf(input, random)
    return replaced(input, place.at, place.end, from.subarray(at, end))
  },
  (input, { random, other }) => {
    const from = other()
    return Buffer.concat([input.subarray(0, random.int(0, input.length)), from.subarray(random.int(0, from.length))])
  },
]

export const mutateBytes: Mutate = (input, tools) => tools.random.pick(CHANGES)(input, tools)

/** One of the ways, each as likely as it is listed. */
export const oneOf =
  (...ways: readonly [Mutate, ...Mutate[]]): Mutate =>
  (input, tools: Tools) =>
    tools.random.pick(ways)(input, tools)
