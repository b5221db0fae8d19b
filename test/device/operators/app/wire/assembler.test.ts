import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createAssembler, type FoundResult } from '../../../../../src/device/operators/app/wire/assembler.ts'
import {
  answerLines,
  type ChunkFields,
  chunkLine,
  chunksOf,
  okStep,
  resultLine,
  wireEnvelopeOf,
} from '../../../../support/device/operator-samples.ts'

const awaited = { wireId: 'e1.0', nonce: '0123456789abcdef0123456789abcdef' }
const envelope = wireEnvelopeOf(awaited)
const text = JSON.stringify(envelope)

const read = (lines: readonly string[], end = '\n') => {
  const assembler = createAssembler()
  assembler.expect(awaited)
  const feed = assembler.feed()
  const findings: FoundResult[] = [...feed.push(Buffer.from(lines.join('\n') + end)), ...feed.end()]
  return { assembler, steps: findings.map(({ step }) => step) }
}
const chunks = chunksOf(awaited, text, 40)
const changed = (index: number, change: Partial<ChunkFields>) =>
  chunks.map((chunk, position) => chunkLine(position === index ? { ...chunk, ...change } : chunk))
const last = chunks.length - 1

describe('a result on one line', () => {
  test('is the envelope', () => expect(read([resultLine(envelope)]).steps).toEqual([{ kind: 'done', envelope }]))

  test('needs no newline when the stream ends', () => {
    expect(read([resultLine(envelope)], '').steps).toEqual([{ kind: 'done', envelope }])
  })

  test('counts once', () => expect(read([resultLine(envelope), resultLine(envelope)]).steps).toHaveLength(1))

  test('may be longer than the protocol has it, up to the bound of a line', () => {
    const long = wireEnvelopeOf(awaited, { stepResults: [okStep('a', { text: 'x'.repeat(1_000_000) })] })
    expect(read([resultLine(long)]).steps).toMatchObject([{ kind: 'done' }])
  })

  const longer = wireEnvelopeOf(awaited, { stepResults: [okStep('a', { text: 'x'.repeat(1_048_576) })] })
  test.each([
    ['cut short', resultLine(envelope).slice(0, -3), 'is not valid JSON'],
    ['over 1 MiB', resultLine(longer), 'longer than a log line may be'],
    ['of another shape', resultLine({ ...envelope, status: 'maybe' }), 'status'],
    ['without steps', resultLine({ ...envelope, stepResults: undefined }), 'stepResults'],
  ])('%s is damaged, told once, and malformed in the end', (_, line, reason) => {
    const { assembler, steps } = read([line, line])
    expect(steps).toEqual([{ kind: 'damaged' }])
    expect(assembler.conclude(awaited.wireId)).toEqual({
      kind: 'unknown',
      code: 'RESULT_ENVELOPE_MALFORMED',
      reason: expect.stringContaining(reason),
      missing: [],
    })
    expect(read([line, resultLine(envelope)]).steps).toEqual([{ kind: 'damaged' }, { kind: 'done', envelope }])
  })

  test('that the end of the stream cut short can still be read again', () => {
    const { assembler, steps } = read([resultLine(envelope).slice(0, -3)], '')
    expect(steps).toEqual([])
    expect(assembler.feed().push(Buffer.from(`${resultLine(envelope)}\n`))).toMatchObject([{ step: { kind: 'done' } }])
  })

  test('that was cut short and never read again is malformed in the end', () => {
    const { assembler } = read([resultLine(envelope).slice(0, -3)], '')
    expect(assembler.conclude(awaited.wireId)).toMatchObject({
      kind: 'unknown',
      code: 'RESULT_ENVELOPE_MALFORMED',
      missing: [],
    })
  })
})

describe('a result in chunks', () => {
  test('is told to have a gap when the last chunk is there and another is not, once', () => {
    const { assembler, steps } = read([...changed(2, {}).filter((_, index) => index !== 2 && index !== 3)])
    expect(steps).toEqual([{ kind: 'gap' }])
    expect(assembler.conclude(awaited.wireId)).toEqual({
      kind: 'unknown',
      code: 'RESULT_ENVELOPE_MALFORMED',
      reason: 'chunks of the result are missing',
      missing: [2, 3],
    })
  })

  test('may have its gap filled by a second reading of the same log', () => {
    const { assembler } = read(changed(0, {}).slice(1))
    expect(assembler.feed().push(Buffer.from(`${changed(0, {}).join('\n')}\n`))).toMatchObject([
      { step: { kind: 'done' } },
    ])
  })

  test('without its last chunk is not told to have a gap: it may be coming', () => {
    const { assembler, steps } = read(changed(0, {}).slice(0, -1))
    expect(steps).toEqual([])
    expect(assembler.conclude(awaited.wireId)).toMatchObject({ missing: [last] })
  })

  test.each<[string, string[], string]>([
    ['with another digest', chunks.map(chunk => chunkLine({ ...chunk, sha256: 'ab'.repeat(32) })), 'digest'],
    [
      'shorter than announced',
      chunks.map(chunk => chunkLine({ ...chunk, byteLength: chunk.byteLength + 1 })),
      'bytes instead of',
    ],
    [
      'longer than announced',
      chunks.map(chunk => chunkLine({ ...chunk, byteLength: chunk.byteLength - 1 })),
      'more than',
    ],
    ['that announces two results', changed(1, { byteLength: 7 }), 'announce different'],
    [
      'whose chunk came with different contents',
      [...changed(0, {}).slice(0, 2), ...changed(0, { data: 'AAAA' }).slice(0, 1)],
      'came with different contents',
    ],
    ['with an index out of range', changed(1, { index: chunks.length }), 'out of range'],
    [
      'with more chunks than can be counted',
      [chunkLine({ ...chunks[0], count: 64 * 1_024 * 1_024 } as ChunkFields)],
      'out of range',
    ],
    ['that is not JSON', chunksOf(awaited, `${text}}`, 40).map(chunkLine), 'not JSON'],
    ['that is null', chunksOf(awaited, 'null', 40).map(chunkLine), 'another request'],
    [
      'that names another request',
      chunksOf(awaited, JSON.stringify({ ...envelope, nonce: 'x' }), 40).map(chunkLine),
      'another request',
    ],
  ])('%s is malformed', (_, lines, reason) => {
    expect(read(lines).steps).toMatchObject([
      { kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED', reason: expect.stringContaining(reason) },
    ])
  })

  test('out of range names the chunks that are missing, but not those of a count that nobody can have', () => {
    const later = changed(1, { index: chunks.length }).slice(0, 2)
    expect(read(later).steps).toMatchObject([
      { kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED', missing: chunks.slice(1).map((_, at) => at + 1) },
    ])
    const countless = [chunkLine({ ...chunks[0], count: 64 * 1_024 * 1_024 } as ChunkFields)]
    expect(read(countless).steps).toMatchObject([{ kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED', missing: [] }])
  })

  test('of which very much is missing names the first hundred', () => {
    const { assembler } = read([chunkLine({ ...chunks[0], count: 1_000, byteLength: 1_000_000 } as ChunkFields)])
    const result = assembler.conclude(awaited.wireId)
    expect(result?.kind === 'unknown' && result.missing).toEqual(Array.from({ length: 100 }, (_, at) => at + 1))
  })

  test.each<[string, Partial<ChunkFields>, string]>([
    ['a chunk of another shape', { data: '?' }, 'data'],
    ['a chunk of something over 64 MiB', { byteLength: 64 * 1_024 * 1_024 + 1 }, 'byteLength'],
  ])('with %s is damaged, and lacks that chunk', (_, change, reason) => {
    const { assembler, steps } = read(changed(1, change))
    expect(steps).toEqual([{ kind: 'damaged' }, { kind: 'gap' }])
    expect(assembler.conclude(awaited.wireId)).toMatchObject({ reason: expect.stringContaining(reason), missing: [1] })
  })

  test('is decoded as UTF-8 when it is whole, so that a character may be split between chunks', () => {
    const wide = wireEnvelopeOf(awaited, { stepResults: [okStep('a', { text: '🙂ü'.repeat(2_000) })] })
    expect(answerLines(wide).length).toBeGreaterThan(3)
    expect(read(answerLines(wide)).steps).toEqual([{ kind: 'done', envelope: wide }])
  })

  test('that is not UTF-8 is malformed', () => {
    const [chunk] = chunksOf(awaited, text)
    const bytes = Buffer.from([0x22, 0xff, 0x22])
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const line = chunkLine({ ...chunk, byteLength: 3, sha256, data: bytes.toString('base64') } as ChunkFields)
    expect(read([line]).steps).toMatchObject([
      { kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED', reason: expect.stringContaining('UTF-8') },
    ])
  })
})

describe('memory', () => {
  const heap = () => {
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }

  test('a flood of chunks that nobody awaits leaves nothing behind', () => {
    const assembler = createAssembler()
    assembler.expect(awaited)
    const feed = assembler.feed()
    const data = Buffer.alloc(2_700).toString('base64')
    const flood = Array.from({ length: 200 }, (_, index) =>
      chunkLine({
        ...chunks[0],
        nonce: 'f'.repeat(32),
        index,
        count: 10_000,
        byteLength: 27_000_000,
        data,
      } as ChunkFields),
    )
    const bytes = Buffer.from(`${flood.join('\n')}\n`)
    const before = heap()
    for (let round = 0; round < 100; round++) expect(feed.push(bytes)).toEqual([])
    expect(heap() - before).toBeLessThan(32 * 1_024 * 1_024)
    expect(assembler.conclude(awaited.wireId)).toBeUndefined()
  })

  test('the same chunk again and again is kept once', () => {
    const { assembler } = read([])
    const feed = assembler.feed()
    const data = Buffer.alloc(2_700).toString('base64')
    const line = chunkLine({ ...chunks[0], count: 10_000, byteLength: 27_000_000, data } as ChunkFields)
    const bytes = Buffer.from(`${line}\n`.repeat(200))
    const before = heap()
    for (let round = 0; round < 50; round++) feed.push(bytes)
    expect(heap() - before).toBeLessThan(32 * 1_024 * 1_024)
  })
})

test('a result is forgotten once it is whole or damaged, and when nobody waits for it', () => {
  const { assembler } = read([resultLine(envelope)])
  expect(assembler.conclude(awaited.wireId)).toBeUndefined()
  assembler.expect(awaited)
  assembler.forget(awaited.wireId)
  expect(assembler.feed().push(Buffer.from(`${resultLine(envelope)}\n`))).toEqual([])
})
