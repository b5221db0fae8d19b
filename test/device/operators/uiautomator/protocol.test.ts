import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HELPER_HEADER_BYTES_MAX } from '../../../../src/contracts/limits/limits.ts'
import {
  answerReader,
  type HelperRequest,
  ProtocolError,
  requestLine,
} from '../../../../src/device/operators/uiautomator/protocol.ts'

const request: HelperRequest = { command: 'snapshot', id: 'r1' }
const XML = '<?xml version="1.0"?><hierarchy rotation="0"><node text="ä😀\u4e16"/></hierarchy>'

const encode = (fields: Record<string, string | undefined>, body = '') =>
  Buffer.from(
    `${Object.entries(fields)
      .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}\n`]))
      .join('')}\n${body}`,
  )
const head = (more: Record<string, string | undefined> = {}) => ({
  ok: 'true',
  agentDeviceProtocol: 'android-snapshot-helper-v1',
  helperApiVersion: '2',
  requestId: 'r1',
  byteLength: String(Buffer.byteLength(XML)),
  ...more,
})

const readIn = (bytes: Buffer, cuts: readonly number[], asked = request) => {
  const reader = answerReader(asked)
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length]
  let answer: ReturnType<typeof reader.push>
  for (let at = 1; at < places.length; at++) answer = reader.push(bytes.subarray(places[at - 1], places[at])) ?? answer
  return answer
}

test('a request is one line', () => {
  expect(requestLine(request).toString()).toBe('snapshot r1\n')
  expect(requestLine({ command: 'gesture', id: 'r2', payload: 'e30=' }).toString()).toBe('gesture r2 e30=\n')
})

describe('an answer', () => {
  const whole = encode(head(), XML)

  test('is the same in whatever pieces it comes, characters cut in two included', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 12 }), cuts => {
        expect(readIn(whole, cuts)).toMatchObject({ ok: true, xml: XML })
      }),
    )
  })

  test('may have its keys in any order, and others among them', () => {
    const fields = Object.fromEntries(Object.entries(head({ nodeCount: '7', empty: '' })).reverse())
    expect(readIn(encode(fields, XML), [])).toMatchObject({ ok: true, xml: XML })
  })

  test('of a refusal has a reason and no body', () => {
    const fields = head({ ok: 'false', byteLength: undefined, errorType: 'java.lang.Exception', message: 'no = root' })
    expect(readIn(encode(fields), [])).toEqual({ ok: false, errorType: 'java.lang.Exception', message: 'no = root' })
  })

  test('to a gesture is whole with its header', () => {
    const fields = head({ byteLength: undefined, injectedEvents: '3' })
    expect(readIn(encode(fields), [5], { command: 'gesture', id: 'r1' })).toMatchObject({ ok: true, xml: '' })
  })

  test('that is cut off is none', () => {
    expect(readIn(whole.subarray(0, -1), [])).toBeUndefined()
    expect(readIn(encode(head()).subarray(0, -1), [])).toBeUndefined()
  })
})

describe('nonsense', () => {
  test.each<[string, Buffer]>([
    ['another protocol', encode(head({ agentDeviceProtocol: 'android-snapshot-helper-v2' }), XML)],
    ['another api', encode(head({ helperApiVersion: '3' }), XML)],
    ['an answer to somebody else', encode(head({ requestId: 'r2' }), XML)],
    ['no request id', encode(head({ requestId: undefined }), XML)],
    ['no word on success', encode(head({ ok: undefined }), XML)],
    ['success of another kind', encode(head({ ok: 'yes' }), XML)],
    ['no length', encode(head({ byteLength: undefined }), XML)],
    ['a negative length', encode(head({ byteLength: '-1' }), XML)],
    ['a length beyond all bounds', encode(head({ byteLength: '999999999' }), XML)],
    ['more than announced', encode(head(), `${XML}x`)],
    ['a line without a key', Buffer.from('=x\n\n')],
    ['a line that is none', Buffer.from('HTTP/1.1 200 OK\n\n')],
    ['a key twice', Buffer.concat([Buffer.from('ok=true\n'), encode(head(), XML)])],
    ['a header without end', Buffer.alloc(HELPER_HEADER_BYTES_MAX + 1, 'a')],
  ])('%s is refused', (_, bytes) => {
    expect(() => readIn(bytes, [])).toThrow(ProtocolError)
  })

  test('of any kind never becomes an answer, and nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(300), { maxLength: 4 }), (bytes, cuts) => {
        const within = cuts.filter(cut => cut <= bytes.length)
        try {
          expect(readIn(Buffer.from(bytes), within)).toBeUndefined()
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
      }),
    )
  })
})
