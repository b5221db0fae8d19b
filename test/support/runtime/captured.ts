/** What builds of svc have said on their wires, kept in test/fixtures/wire by `capture.js` there. */
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { COMMAND, type Packet, packetReader } from '../../../src/device/link/packet.ts'

const folder = new URL('../../fixtures/wire/', import.meta.url)

/** The builds of which there is a capture of that wire. */
export const capturesOf = (wire: string): string[] => {
  const end = `.${wire}.json.gz`
  return readdirSync(folder)
    .filter(name => name.endsWith(end))
    .map(name => name.slice(0, -end.length))
}

export const captured = <T>(build: string, wire: string): T =>
  JSON.parse(gunzipSync(readFileSync(new URL(`${build}.${wire}.json.gz`, folder))).toString()) as T

/** A piece as it came from the socket; `text` is in base64. */
export interface Piece {
  from: 'client' | 'server'
  text: string
}
export type CapturedConnection = readonly Piece[]

export const bytesFrom = (connection: CapturedConnection, side: Piece['from']): Buffer =>
  Buffer.concat(connection.filter(({ from }) => from === side).map(({ text }) => Buffer.from(text, 'base64')))

/** A service of the phone, as the host has opened it. */
export interface CapturedStream {
  service: string
  sent: Buffer[]
  received: Buffer[]
}

export interface CapturedLink {
  packets: { from: Piece['from']; packet: Packet }[]
  streams: CapturedStream[]
}

/** Takes apart a connection to a phone by the code that reads live ones. */
export const readLink = (connection: CapturedConnection): CapturedLink => {
  const readers = { client: packetReader(), server: packetReader() }
  const packets = connection.flatMap(({ from, text }) =>
    readers[from](Buffer.from(text, 'base64')).map(packet => ({ from, packet })),
  )
  const streams: CapturedStream[] = []
  const open = new Map<number, CapturedStream>()
  for (const { from, packet } of packets) {
    const { command, arg0, arg1, payload } = packet
    if (command === COMMAND.OPEN) {
      const stream = { service: Buffer.from(payload).toString().replace(/\0$/, ''), sent: [], received: [] }
      streams.push(stream)
      open.set(arg0, stream)
    } else if (command === COMMAND.WRTE) {
      const stream = open.get(from === 'client' ? arg0 : arg1)
      stream?.[from === 'client' ? 'sent' : 'received'].push(Buffer.from(payload))
    }
  }
  return { packets, streams }
}
