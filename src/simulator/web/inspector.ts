/** The inspector of an app's web views: a list of pages over HTTP, and Chrome's protocol over WebSockets. */
import type { Bounds } from '../../contracts/device/ui-tree.ts'
import { parsedJson } from '../../contracts/json/json.ts'
import { queryIn } from '../../device/pages/page-expression.ts'
import { askIn } from '../../device/pages/page-program.ts'
import { acceptOf, frameHeader, OPCODE } from '../../device/pages/websocket.ts'
import { socketPair } from '../operator-app/socket-pair.ts'
import type { AppSocket } from '../phone-parts.ts'
import { answerOf } from './page.ts'
import { type AskedPage, answerAsk, type PageHands } from './page-asks.ts'

export interface InspectedPage extends AskedPage {
  bounds: Bounds
}

const HEAD_BYTES_MAX = 16 * 1_024
const MESSAGE_BYTES_MAX = 1_024 * 1_024

const frameOf = (opcode: number, payload: Uint8Array): Buffer =>
  Buffer.concat([frameHeader(opcode, payload.length), payload])

interface Frame {
  opcode: number
  payload: Buffer
  bytes: number
}

/** Undefined until all of it is there; hosts send no text in parts. */
const frameIn = (bytes: Buffer): Frame | undefined => {
  const [first = 0, second = 0] = bytes
  const short = second & 0x7f
  const at = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < at + 4) return undefined
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (length > MESSAGE_BYTES_MAX) throw new RangeError('a message of a host is too long')
  const end = at + 4 + length
  if (bytes.length < end) return undefined
  const mask = bytes.subarray(at, at + 4)
  const payload = Buffer.from(bytes.subarray(at + 4, end).map((byte, index) => byte ^ (mask[index % 4] ?? 0)))
  return { opcode: first & 0x0f, payload, bytes: end }
}

const listed = (pages: readonly InspectedPage[]) =>
  pages.map(({ title, url, bounds }, index) => {
    const { left, top, right, bottom } = bounds
    const place = { screenX: left, screenY: top, width: right - left, height: bottom - top }
    return {
      description: JSON.stringify({ attached: true, empty: false, visible: true, ...place }),
      id: `PAGE${index}`,
      title,
      type: 'page',
      url,
      webSocketDebuggerUrl: `ws://localhost/devtools/page/PAGE${index}`,
    }
  })

/** The pages as they are when they are asked for. */
type Pages = () => readonly InspectedPage[]

const evaluated = (expression: unknown, page: InspectedPage | undefined, hands: PageHands | undefined) => {
  const code = typeof expression === 'string' ? expression : ''
  const query = queryIn(code)
  if (page && query) return { result: { type: 'object', value: answerOf(page, query) } }
  const ask = askIn(code)
  if (page && ask) return { result: { type: 'object', value: answerAsk(ask, page, hands) } }
  const text = page ? 'a simulated page evaluates no other expression' : 'the page is gone'
  return { result: { type: 'undefined' }, exceptionDetails: { exceptionId: 1, text } }
}

const answerTo = (message: string, page: InspectedPage | undefined, hands: PageHands | undefined): string => {
  const { id, method, params } = (parsedJson(message) ?? {}) as { id?: number; method?: string; params?: object }
  if (method === 'Runtime.evaluate')
    return JSON.stringify({ id, result: evaluated(Reflect.get(params ?? {}, 'expression'), page, hands) })
  if (method === 'Page.navigate' && page && hands) {
    const isThere = hands.navigate(String(Reflect.get(params ?? {}, 'url')))
    return JSON.stringify({
      id,
      result: { frameId: 'F', ...(isThere ? {} : { errorText: 'net::ERR_NAME_NOT_RESOLVED' }) },
    })
  }
  if (method === 'Page.reload' && page && hands) {
    hands.reload(page)
    return JSON.stringify({ id, result: {} })
  }
  return JSON.stringify({ id, error: { code: -32601, message: `'${method}' wasn't found` } })
}

const answered = (status: string, body: string) =>
  Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Length:${Buffer.byteLength(body)}\r\nContent-Type:application/json; charset=UTF-8\r\n\r\n${body}`,
  )

const upgraded = (key: string) =>
  `HTTP/1.1 101 WebSocket Protocol Handshake\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptOf(key)}\r\n\r\n`

const serve = (socket: AppSocket, pages: Pages, hands: PageHands | undefined): void => {
  let held: Buffer = Buffer.alloc(0)
  let inspected: number | undefined

  const readFrames = () => {
    for (let frame = frameIn(held); frame; frame = frameIn(held)) {
      held = held.subarray(frame.bytes)
      if (frame.opcode === OPCODE.close) return socket.close()
      if (frame.opcode === OPCODE.ping) socket.write(frameOf(OPCODE.pong, frame.payload))
      if (frame.opcode !== OPCODE.text) continue
      const answer = answerTo(frame.payload.toString('utf8'), pages()[inspected ?? 0], hands)
      socket.write(frameOf(OPCODE.text, Buffer.from(answer)))
    }
  }
  const readRequest = () => {
    const end = held.indexOf('\r\n\r\n')
    if (end < 0) return held.length > HEAD_BYTES_MAX ? socket.close() : undefined
    const head = held.toString('latin1', 0, end)
    held = held.subarray(end + 4)
    const target = /^GET (\S+) HTTP\/1\.1\r\n/.exec(head)?.[1]
    const key = /\r\nSec-WebSocket-Key: *(\S+)/i.exec(head)?.[1]
    const page = /^\/devtools\/page\/PAGE(\d{1,6})$/.exec(target ?? '')?.[1]
    if (page !== undefined && key !== undefined && pages()[Number(page)]) {
      inspected = Number(page)
      socket.write(Buffer.from(upgraded(key)))
      return readFrames()
    }
    const isList = target === '/json' || target === '/json/list'
    socket.write(isList ? answered('200 OK', JSON.stringify(listed(pages()))) : answered('404 Not Found', ''))
  }
  socket.onData(bytes => {
    held = Buffer.concat([held, bytes])
    try {
      if (inspected === undefined) readRequest()
      else readFrames()
    } catch {
      socket.close()
    }
  })
}

export const connectInspector = (pages: Pages, hands?: PageHands): AppSocket => {
  const [near, far] = socketPair()
  serve(far, pages, hands)
  return near
}
