/** The inspector of a web view: HTTP answers, lists of pages, WebSocket frames, and what a page says of its elements. */
import { createHash } from 'node:crypto'
import type { LinkSocket } from '../../../src/device/link/link.ts'
import { httpGet } from '../../../src/device/pages/http-answer.ts'
import { readPageAnswer } from '../../../src/device/pages/page-answer.ts'
import { readPageList } from '../../../src/device/pages/page-list.ts'
import { PageProblem } from '../../../src/device/pages/page-problem.ts'
import { openWebSocket } from '../../../src/device/pages/websocket.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateJson } from '../mutate/json.ts'
import { mutateText } from '../mutate/text.ts'
import { expectSame, expectThat, refusedBy, stateless, type Target } from '../target.ts'

/** The handshake is completed with the right key, whatever follows. */
const ACCEPT_MARK = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

const socketOf = (pieces: readonly Buffer[], head: (written: string) => string = () => ''): LinkSocket => {
  let written = ''
  return {
    async write(bytes: Uint8Array) {
      written += Buffer.from(bytes).toString('latin1')
    },
    close: () => {},
    chunks: (async function* () {
      yield Buffer.from(head(written))
      yield* pieces
    })(),
  } as unknown as LinkSocket
}

const PAGE = {
  title: 'Shop',
  isHidden: false,
  isFull: false,
  view: { left: 0, top: 0, width: 400, height: 800 },
  elements: [
    { parent: -1, box: [0, 0, 400, 800], kind: 'body', id: '', text: '', label: '', hint: '', css: [], flags: [] },
    {
      parent: 0,
      box: [1, 2, 3, 4],
      kind: 'a',
      id: 'x',
      text: 'Buy',
      label: '',
      hint: '',
      css: [0],
      flags: ['enabled'],
    },
  ],
}
const LIST = [
  {
    type: 'page',
    title: 'Shop',
    description: JSON.stringify({
      attached: true,
      empty: false,
      screenX: 0,
      screenY: 100,
      visible: true,
      width: 400,
      height: 800,
    }),
    webSocketDebuggerUrl: 'ws://localhost/devtools/page/AB12',
  },
]

const httpOf = (body: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** The refusal, where it is one that the reader declares. */
const settled = async <T>(work: Promise<T>): Promise<{ value: T } | { refused: true }> => {
  try {
    return { value: await work }
  } catch (error) {
    if (error instanceof PageProblem) return { refused: true }
    throw error
  }
}

const halves = (input: Buffer) => [input.subarray(0, input.length >> 1), input.subarray(input.length >> 1)]

export const inspectorAnswers: Target = {
  name: 'inspector-answers',
  seeds: [httpOf(JSON.stringify(LIST)), 'HTTP/1.1 200 OK\r\n\r\n[]', 'HTTP/1.0 404 Not Found\r\n\r\n'],
  mutate: oneOf(
    mutateText(['HTTP/1.1', '200', 'Content-Length: ', 'Transfer-Encoding: chunked', '\r\n', '\r\n\r\n', ':', '0']),
    mutateBytes,
  ),
  open: stateless(async input => {
    const whole = await settled(httpGet(socketOf([input]), '/json'))
    expectSame('the same in two pieces', await settled(httpGet(socketOf(halves(input)), '/json')), whole)
    return 'value' in whole ? 'accepted' : 'refused'
  }),
}

export const inspectorPages: Target = {
  name: 'inspector-pages',
  seeds: [JSON.stringify(LIST), JSON.stringify(PAGE), JSON.stringify({ bad: 0, reason: 'no selector.' })],
  mutate: mutateJson,
  open: stateless(input => {
    const text = input.toString('utf8')
    const list = refusedBy(PageProblem, () => readPageList('s', text))
    for (const { target } of list ?? []) expectThat(target === undefined || !/[\s?#]/.test(target), 'an odd address')
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return 'refused'
    }
    const page = refusedBy(PageProblem, () => readPageAnswer(value, { css: ['.a'], all: false }))
    return list || page ? 'accepted' : 'refused'
  }),
}

const frameOf = (opcode: number, text: string, isFinal = true): Buffer => {
  const body = Buffer.from(text)
  const length = body.length < 126 ? Buffer.of(body.length) : Buffer.of(126, body.length >> 8, body.length & 0xff)
  return Buffer.concat([Buffer.of((isFinal ? 0x80 : 0) | opcode), length, body])
}

const handshake = (written: string): string => {
  const key = /Sec-WebSocket-Key: (\S+)/.exec(written)?.[1] ?? ''
  const accept = createHash('sha1').update(`${key}${ACCEPT_MARK}`).digest('base64')
  return `HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`
}

const textsIn = async (pieces: readonly Buffer[]): Promise<string[]> => {
  const texts: string[] = []
  const page = await openWebSocket(socketOf(pieces, handshake), '/devtools/page/A', { bytesMax: 1_024 * 1_024 })
  for (;;) {
    const read = await settled(page.receive())
    if ('refused' in read) return texts
    texts.push(read.value)
  }
}

export const inspectorFrames: Target = {
  name: 'inspector-frames',
  seeds: [
    Buffer.concat([
      frameOf(1, '{"id":1}'),
      frameOf(9, 'ping'),
      frameOf(1, 'a', false),
      frameOf(0, 'b'),
      frameOf(8, ''),
    ]),
    frameOf(1, 'x'.repeat(300)),
  ],
  mutate: mutateBytes,
  open: stateless(async input => {
    const whole = await textsIn([input])
    expectSame('the same in two pieces', await textsIn(halves(input)), whole)
    return whole.length > 0 ? 'accepted' : 'refused'
  }),
}
