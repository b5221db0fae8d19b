/** Fuzzes one target for some time: inputs are changed, read and judged, and those that reach new code are changed further. */
import type { Random } from '../long/trial/random.ts'
import type { Coverage } from './coverage.ts'
import { type Failure, readGuarded } from './guarded-read.ts'
import { shrinkInput } from './shrink-input.ts'
import { bytesOf, INPUT_BYTES_MAX, type OpenTarget, type Target } from './target.ts'

export interface FoundDefect extends Failure {
  input: Buffer
}

export interface FuzzReport {
  target: string
  inputs: number
  accepted: number
  /** Inputs that reached new code, with those before and after them. */
  candidates: Buffer[]
  defects: FoundDefect[]
}

export interface FuzzOptions {
  target: Target
  kept: readonly Buffer[]
  random: Random
  /** Looked at after each batch of inputs. */
  isOver(): boolean
  coverage: Coverage | undefined
  /** Told before each input is read, for whoever waits for a reader that hangs. */
  begin(input: Buffer): void
}

/** To look at the coverage takes as long as to read some inputs, so it is looked at less often while it tells nothing. */
const BATCH = { first: 8, most: 256 }
const CHANGES_MAX = 4
const CANDIDATES_MAX = 4_000
const DEFECTS_MAX = 10

const shape = ({ target, random }: FuzzOptions, pool: readonly Buffer[]): Buffer => {
  const any = () => pool[random.int(0, pool.length - 1)] ?? Buffer.alloc(0)
  // The newest reach what the others do not.
  const newest = () => pool[pool.length - 1 - Math.floor(random.next() ** 3 * pool.length)] ?? any()
  let input = random.chance(0.5) ? any() : newest()
  for (let left = 1 + Math.floor(random.next() ** 2 * CHANGES_MAX); left > 0; left--) {
    input = target.mutate(input, { random, other: any }).subarray(0, target.bytesMax ?? INPUT_BYTES_MAX)
  }
  return Buffer.from(input)
}

const known = (defects: readonly FoundDefect[], { signature }: Failure): boolean =>
  defects.some(each => each.signature === signature)

export const fuzzTarget = async (options: FuzzOptions): Promise<FuzzReport> => {
  const { target, kept, coverage, begin } = options
  let opened: OpenTarget = await target.open()
  const report: FuzzReport = { target: target.name, inputs: 0, accepted: 0, candidates: [], defects: [] }

  const failing = async (input: Buffer): Promise<Failure | undefined> => {
    begin(input)
    const read = await readGuarded(opened, input, target)
    report.inputs += 1
    if (read.ok && read.reading === 'accepted') report.accepted += 1
    return read.ok ? undefined : read.failure
  }
  const take = async (input: Buffer): Promise<void> => {
    const failure = await failing(input)
    if (!failure) return
    if (!known(report.defects, failure)) {
      const small =
        failure.kind === 'slow' || failure.kind === 'memory' ? input : await shrinkInput(input, failure, failing)
      report.defects.push({ ...failure, input: small })
    }
    // A server may have been broken by it.
    await opened.close?.()
    opened = await target.open()
  }

  const pool = [...target.seeds.map(bytesOf), ...kept]
  for (const input of pool) if (!options.isOver()) await take(input)
  coverage?.news()
  let size = BATCH.first
  while (!options.isOver() && report.defects.length < DEFECTS_MAX) {
    const batch = Array.from({ length: size }, () => shape(options, pool))
    for (const input of batch) if (!options.isOver()) await take(input)
    const isNew = coverage !== undefined && coverage.news() > 0
    size = isNew ? BATCH.first : Math.min(BATCH.most, 2 * size)
    if (isNew && report.candidates.length < CANDIDATES_MAX) {
      report.candidates.push(...batch)
      pool.push(...batch)
    }
  }
  await opened.close?.()
  return report
}
