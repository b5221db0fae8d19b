import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReader } from '../../../../src/surfaces/daemon/client/response.ts'

const head = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.map(line => `${line}\r\n`).join('')}\r\n`

/** Feeds the text in pieces of these lengths, the rest in one. */
const read = (text: string | Buffer, sizes: readonly number[] = []) => {
  const bytes = Buffer.from(text)
  const reader = createReader()
  let at = 0
  for (const size of [...sizes, bytes.length]) {
    if (at >= bytes.length) break
    reader.feed(bytes.subarray(at, at + size))
    at += size
  }
  return reader
}

const RESPONSES: readonly [string, string, string][] = [
  ['a counted body', `${head('Content-Length: 5')}hello`, 'hello'],
  ['an empty one', head('Content-Length: 0'), ''],
  ['chunks', `${head('Transfer-Encoding: chunked')}2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n`, 'hello'],
  ['chunks with a trailer', `${head('transfer-encoding: CHUNKED')}A\r\n0123456789\r\n0\r\nX: y\r\n\r\n`, '0123456789'],
  ['chunks that hold line ends', `${head('Transfer-Encoding: chunked')}4\r\n\r\n\r\n\r\n0\r\n\r\n`, '\r\n\r\n'],
  ['no body at all', 'HTTP/1.1 204 No Content\r\nA: b\r\n\r\n', ''],
  [
    'interim answers before it',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n${head('Content-Length: 2')}ok`,
    'ok',
  ],
  ['UTF-8', `${head(`Content-Length: ${Buffer.byteLength('éü漢')}`)}éü漢`, 'éü漢'],
]

describe('a response with', () => {
  test.each(RESPONSES)('%s is read, however it is cut', (_, text, body) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), sizes => {
        expect(read(text, sizes).answer()?.body.toString()).toBe(body)
      }),
      { numRuns: 60 },
    )
  })

  test('no length ends with the connection', () => {
    const reader = read(`${head('A: b')}hel`)
    expect(reader.answer()).toBeUndefined()
    reader.feed(Buffer.from('lo'))
    expect(reader.end()).toBe('complete')
    expect(reader.answer()?.body.toString()).toBe('hello')
  })

  test('headers is found by their lower-case names, repeated ones together', () => {
    const answer = read(head('X-A: 1', 'x-a:  2 ', 'Content-Length: 0')).answer()
    expect(answer).toMatchObject({ status: 200, headers: { 'x-a': '1, 2' } })
  })

  test('a head is too long in one piece as it is in many', () => {
    const long = head(`A: ${'x'.repeat(70_000)}`, 'Content-Length: 0')
    expect(createReader().feed(Buffer.from(long))).toBe('broken')
    const reader = createReader()
    reader.feed(Buffer.from(long.slice(0, 69_000)))
    expect(reader.feed(Buffer.from(long.slice(69_000)))).toBe('broken')
  })

  test('a header is its own, whatever it is called', () => {
    const { headers } = read(head('constructor: a', '__proto__: b', 'Content-Length: 0')).answer() ?? {}
    expect(Object.entries(headers ?? {}).sort()).toEqual([
      ['__proto__', 'b'],
      ['constructor', 'a'],
      ['content-length', '0'],
    ])
  })

  test('2 MB in chunks takes no longer than the bytes themselves', () => {
    const part = 'x'.repeat(16_000)
    const chunk = `${part.length.toString(16)}\r\n${part}\r\n`
    const bytes = `${head('Transfer-Encoding: chunked')}${chunk.repeat(130)}0\r\n\r\n`
    expect(read(bytes, Array(2_000).fill(1_024)).answer()?.body.length).toBe(130 * 16_000)
  })
})

describe('what is not a response, or not all of one', () => {
  test.each([
    ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['another protocol', 'HTTP/2 200\r\n\r\n'],
    ['a line that is not a header', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
    ['a length that is none', head('Content-Length: 1e3')],
    ['two lengths', head('Content-Length: 1', 'Content-Length: 2')],
    ['a length over all bounds', head('Content-Length: 999999999999')],
    ['a coding that is unknown', head('Transfer-Encoding: gzip, chunked')],
    ['a chunk without a size', `${head('Transfer-Encoding: chunked')}\r\n`],
    ['a chunk that is too long', `${head('Transfer-Encoding: chunked')}ffffffff\r\n`],
    ['a chunk that does not end where it should', `${head('Transfer-Encoding: chunked')}1\r\nab\r\n`],
    ['a head without end', 'x'.repeat(70_000)],
  ])('%s is refused', (_, text) => {
    expect(read(text).feed(Buffer.from('more'))).toBe('broken')
  })

  test.each([
    ['in the head', 'HTTP/1.1 200 OK\r\nSvc-'],
    ['in the body', `${head('Content-Length: 5')}hell`],
    ['between chunks', `${head('Transfer-Encoding: chunked')}1\r\na\r\n`],
    ['before anything', ''],
  ])('one that ends %s is not complete', (_, text) => {
    const reader = read(text)
    expect(reader.end()).toBe('broken')
    expect(reader.answer()).toBeUndefined()
  })

  test('the head of one that stays incomplete is known', () => {
    const reader = read(`${head('Svc-Execution-Id: e', 'Content-Length: 5')}h`)
    reader.end()
    expect(reader.head()?.headers['svc-execution-id']).toBe('e')
  })
})
