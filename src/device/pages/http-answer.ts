/** One request and the answer to it over a stream, in as much of HTTP/1.1 as the inspector of a web view speaks. */
import type { LinkSocket } from '../link/link.ts'
import { type ByteReader, byteReader } from './byte-reader.ts'
import { PageProblem } from './page-problem.ts'

export interface HttpHead {
  status: number
  /** By their names in lower case. */
  headers: ReadonlyMap<string, string>
}

/** The lists of a hundred tabs are some ten times smaller. */
const LIST_BYTES_MAX = 1_024 * 1_024
const HEAD_BYTES_MAX = 16 * 1_024
const STATUS = /^HTTP\/1\.[01] (\d{3})(?: |$)/
/** A target that can stand in a request line. */
const TARGET = /^\/[\w\-./]{0,300}$/

/** The inspector refuses names of hosts that are neither an address nor `localhost`, and pages by their `Origin`. */
export const requestHead = (target: string, headers: Readonly<Record<string, string>> = {}): Buffer => {
  if (!TARGET.test(target)) throw new PageProblem('it names an address that cannot be asked for')
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from([`GET ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1')
}

export const readHead = async (reader: ByteReader): Promise<HttpHead> => {
  const text = (await reader.until('\r\n\r\n', HEAD_BYTES_MAX)).toString('latin1')
  const [first = '', ...lines] = text.split('\r\n')
  const status = STATUS.exec(first)?.[1]
  if (status === undefined) throw new PageProblem('it does not answer in HTTP')
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, Math.max(0, colon)).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(status), headers }
}

/** The body of the answer, when that is 200. */
export const httpGet = async (socket: LinkSocket, target: string): Promise<string> => {
  const reader = byteReader(socket.chunks, LIST_BYTES_MAX)
  await socket.write(requestHead(target, { Connection: 'close' }))
  const { status, headers } = await readHead(reader)
  if (status !== 200) throw new PageProblem(`it answers ${target} with status ${status}`)
  if (headers.has('transfer-encoding')) throw new PageProblem('it answers in an encoding that is not known')
  const length = headers.get('content-length')
  if (length === undefined) return (await reader.toEnd()).toString('utf8')
  if (!/^\d{1,15}$/.test(length)) throw new PageProblem('it does not answer in HTTP')
  return (await reader.exactly(Number(length))).toString('utf8')
}
