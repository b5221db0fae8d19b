/** Changes of inputs that are a row of pieces, such as packets, lines or frames: pieces moved, and one of them changed. */
import type { Random } from '../../long/trial/random.ts'
import type { Mutate } from '../target.ts'
import { REPEATS, someOf } from './words.ts'

export interface Pieces {
  cut(input: Buffer): Buffer[]
  join(pieces: readonly Buffer[]): Buffer
  /** Changes one of them. */
  inner: Mutate
}

const REPEATED_MAX = { pieces: 2_000, bytes: 256 * 1_024 }

const timesOf = (piece: Buffer, random: Random): number =>
  Math.min(REPEATED_MAX.pieces, Math.ceil(REPEATED_MAX.bytes / (piece.length + 1)), someOf(random, REPEATS))

export const mutatePieces =
  ({ cut, join, inner }: Pieces): Mutate =>
  (input, tools) => {
    const { random, other } = tools
    const pieces = cut(input)
    const at = random.int(0, Math.max(0, pieces.length - 1))
    const piece = pieces[at] ?? Buffer.alloc(0)
    const foreign = () => cut(other())
    const put = (...by: readonly Buffer[]) => join([...pieces.slice(0, at), ...by, ...pieces.slice(at + 1)])
    const change = () => put(inner(piece, { random, other: () => foreign()[0] ?? Buffer.alloc(0) }))
    const ways: [() => Buffer, ...(() => Buffer)[]] = [
      change,
      change,
      change,
      change,
      () => put(),
      () => put(piece, piece),
      () => put(...Array.from({ length: timesOf(piece, random) }, () => piece)),
      () => join(random.shuffle(pieces)),
      () => put(piece, ...foreign().slice(0, random.int(1, 3))),
    ]
    return random.pick(ways)()
  }

const NEWLINE = 0x0a

const cutAt = (input: Buffer, mark: number): Buffer[] => {
  const pieces: Buffer[] = []
  let from = 0
  for (let at = input.indexOf(mark); at >= 0; at = input.indexOf(mark, from)) {
    pieces.push(input.subarray(from, at))
    from = at + 1
  }
  return [...pieces, input.subarray(from)]
}

/** Pieces with one byte between them. */
export const separatedBy = (mark: number, inner: Mutate): Pieces => ({
  cut: input => cutAt(input, mark),
  join: pieces => Buffer.concat(pieces.flatMap((piece, at) => (at === 0 ? [piece] : [Buffer.of(mark), piece]))),
  inner,
})

export const mutateLines = (inner: Mutate): Mutate => mutatePieces(separatedBy(NEWLINE, inner))

/** Each piece behind its length of 4 bytes. */
export const behindLengths = (order: 'LE' | 'BE', inner: Mutate): Pieces => ({
  cut(input) {
    const pieces: Buffer[] = []
    for (let at = 0; at + 4 <= input.length; ) {
      const length = order === 'LE' ? input.readUInt32LE(at) : input.readUInt32BE(at)
      pieces.push(input.subarray(at + 4, at + 4 + length))
      at += 4 + length
    }
    return pieces
  },
  join: pieces =>
    Buffer.concat(
      pieces.flatMap(piece => {
        const head = Buffer.alloc(4)
        if (order === 'LE') head.writeUInt32LE(piece.length)
        else head.writeUInt32BE(piece.length)
        return [head, piece]
      }),
    ),
  inner,
})
