/** The law of result assembly: what is awaited comes out exactly once, whatever happens to the bytes on their way. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createAssembler,
  type FoundResult,
  isWireResult,
} from '../../../../../src/device/operators/app/wire/assembler.ts'
import {
  type ChunkFields,
  chunkLine,
  chunksOf,
  okStep,
  resultLine,
  wireEnvelopeOf,
} from '../../../../support/device/operator-samples.ts'
import { propertyRuns } from '../../../../support/property-runs.ts'

interface Command {
  wireId: string
  nonce: string
  /** Bytes of each chunk; none for a result on a single line. */
  perChunk: number | undefined
  text: string
}

const hex = (value: number, length: number) => value.toString(16).padStart(length, '0')

const command = fc.record({
  text: fc.string({ unit: 'grapheme', maxLength: 60 }),
  perChunk: fc.option(fc.integer({ min: 20, max: 120 }), { nil: undefined }),
})
const commands: fc.Arbitrary<Command[]> = fc
  .array(command, { minLength: 1, maxLength: 4 })
  .map(all => all.map((one, index) => ({ ...one, wireId: `e${index}.${index % 2}`, nonce: hex(index + 1, 32) })))

const envelopeFor = (one: Command) => wireEnvelopeOf(one, { stepResults: [okStep('a', { text: one.text })] })
const chunksFor = (one: Command): ChunkFields[] => chunksOf(one, JSON.stringify(envelopeFor(one)), one.perChunk)
const linesFor = (one: Command): string[] =>
  one.perChunk === undefined ? [resultLine(envelopeFor(one))] : chunksFor(one).map(chunkLine)

/** To make this one takes longer than a run of the property. */
const otherText = fc.string({ unit: 'binary' }).map(text => text.replaceAll('\n', ' '))

/** What other apps, other hosts and earlier executions leave in the same log. */
const noiseFor = (all: readonly Command[]): fc.Arbitrary<string> =>
  fc.oneof(
    otherText,
    fc.constantFrom(
      '[Svc-Result] ',
      '[Svc-Result] {',
      '[Svc-Result] null',
      '[Svc-Result-Chunk] []',
      '[Svc-Result-Chunk] {"index":',
      '\ufffd',
    ),
    fc
      .constantFrom(...all)
      .chain(one =>
        fc.constantFrom(
          resultLine({ ...envelopeFor(one), nonce: 'f'.repeat(32) }),
          resultLine({ ...envelopeFor(one), commandId: `${one.wireId}9` }),
          resultLine({ nested: envelopeFor(one), commandId: 'x.0', nonce: 'y' }),
          ...chunksFor(one).map(chunk => chunkLine({ ...chunk, nonce: 'e'.repeat(32), data: 'AAAA' })),
          ...chunksFor(one).map(chunk => chunkLine({ ...chunk, commandId: `${one.wireId}0` })),
          `x${linesFor(one)[0]}`,
          `[Svc-Result] {"commandId":"${one.wireId}", broken`,
          `[Svc-Result] {"commandId":"${one.wireId}","nonce":"${one.nonce}", broken`,
          `[Svc-Result-Chunk] {"commandId":"${one.wireId}","nonce":"${one.nonce}","index":-1}`,
        ),
      ),
  )

interface Log {
  all: Command[]
  bytes: Buffer
  cuts: number[]
}

/** The lines of all commands and the noise in any order, in any pieces; `alter` says what becomes of the lines of one. */
const logOf = (alter: (one: Command, lines: string[]) => fc.Arbitrary<string[]>): fc.Arbitrary<Log> =>
  commands.chain(all =>
    fc
      .record({
        kept: fc.tuple(...all.map(one => alter(one, linesFor(one)))),
        noise: fc.array(noiseFor(all), { maxLength: 8 }),
        cuts: fc.array(fc.nat(), { maxLength: 30 }),
        order: fc.infiniteStream(fc.nat()),
        lastNewline: fc.boolean(),
      })
      .map(({ kept, noise, cuts, order, lastNewline }) => {
        const sorted = [...kept.flat(), ...noise]
          .map(line => ({ line, key: order.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ line }) => line)
        return { all, bytes: Buffer.from(sorted.join('\n') + (lastNewline ? '\n' : '')), cuts }
      }),
  )

const read = ({ all, bytes, cuts }: Log) => {
  const assembler = createAssembler()
  for (const one of all) assembler.expect(one)
  const feed = assembler.feed()
  const places = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  const pieces = [...places, bytes.length].map((to, index) => bytes.subarray(places[index - 1] ?? 0, to))
  const findings = [...pieces.flatMap(piece => feed.push(piece)), ...feed.end()]
  return { assembler, verdicts: findings.filter(({ step }) => isWireResult(step)) }
}
const byId = (findings: readonly FoundResult[]) =>
  Object.fromEntries(findings.map(({ wireId, step }) => [wireId, step]))

describe('whatever the order, the splits and the noise', () => {
  const repeated = (lines: string[]) =>
    fc.array(fc.constantFrom(...lines), { maxLength: 4 }).map(again => [...lines, ...again])

  test('each result comes out once, as it was sent', () => {
    fc.assert(
      fc.property(
        logOf((_, lines) => repeated(lines)),
        log => {
          const { verdicts } = read(log)
          expect(verdicts).toHaveLength(log.all.length)
          expect(byId(verdicts)).toEqual(
            Object.fromEntries(log.all.map(one => [one.wireId, { kind: 'done', envelope: envelopeFor(one) }])),
          )
        },
      ),
      { numRuns: propertyRuns(300) },
    )
  })

  test('of a result with lost chunks it is known which are missing, and the others are not touched', () => {
    const dropped = (one: Command, lines: string[]) =>
      one.perChunk === undefined ? fc.constant(lines) : fc.subarray(lines)
    fc.assert(
      fc.property(logOf(dropped), log => {
        const there = new Set(log.bytes.toString().split('\n'))
        const { assembler, verdicts } = read(log)
        const found = byId(verdicts)
        for (const one of log.all) {
          const lines = linesFor(one)
          const missing = [...lines.keys()].filter(index => !there.has(lines[index] ?? ''))
          if (missing.length === 0) expect(found[one.wireId]).toMatchObject({ kind: 'done' })
          else {
            expect(found[one.wireId]).toBeUndefined()
            const concluded = assembler.conclude(one.wireId)
            if (missing.length === lines.length) expect(concluded ?? { missing: [] }).toMatchObject({ missing: [] })
            else expect(concluded).toMatchObject({ kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED', missing })
          }
        }
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  test('a chunk that was changed on its way never makes a result, and never changes that of another', () => {
    const changed = (one: Command) =>
      fc.record({ at: fc.nat(), how: fc.constantFrom('data', 'digest', 'length', 'count') }).map(({ at, how }) => {
        if (one !== undefined && one.wireId !== 'e0.0') return linesFor(one)
        const chunks = chunksFor({ ...one, perChunk: one.perChunk ?? 40 })
        const index = at % chunks.length
        return chunks.map((chunk, position) => {
          if (position !== index) return chunkLine(chunk)
          if (how === 'digest') return chunkLine({ ...chunk, sha256: 'ab'.repeat(32) })
          if (how === 'length') return chunkLine({ ...chunk, byteLength: chunk.byteLength + 1 })
          if (how === 'count') return chunkLine({ ...chunk, count: chunk.count + 1 })
          const data = Buffer.from(chunk.data, 'base64')
          data.writeUInt8((data.readUInt8(0) + 1) & 0x7f)
          return chunkLine({ ...chunk, data: data.toString('base64') })
        })
      })
    fc.assert(
      fc.property(logOf(changed), log => {
        const { assembler, verdicts } = read(log)
        const found = byId(verdicts)
        for (const one of log.all) {
          const result = found[one.wireId] ?? assembler.conclude(one.wireId)
          expect(result?.kind).toBe(one.wireId === 'e0.0' ? 'unknown' : 'done')
        }
      }),
      { numRuns: propertyRuns(300) },
    )
  })
})
