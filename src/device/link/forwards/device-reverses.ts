/** Ports of a device that lead to the host, as the device itself keeps them: it listens, and opens a stream to the host. */
import { portIn } from '../../../contracts/device/forwards.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { bounded } from '../bounded.ts'
import { type CallOptions, type Link, LinkError } from '../link.ts'
import { type ForwardAnswer, type PortPair, refusalOf, refusedForward } from './port-pair.ts'

const WORD_BYTES = 4
/** More than a thousand long lines. */
const ANSWER_BYTES_MAX = 256 * 1_024

/** The whole answer of the device; it ends the stream after it. */
const answerOf = async (link: Link, clock: Clock, request: string, call: CallOptions): Promise<Buffer> => {
  const socket = await link.socket(`reverse:${request}`, call)
  try {
    return await bounded({ clock, what: `asking device ${link.serial} for ${request}`, ...call }, async stop => {
      const parts: Uint8Array[] = []
      let bytes = 0
      for await (const chunk of socket.chunks) {
        bytes += chunk.length
        if (bytes > ANSWER_BYTES_MAX || stop.aborted) break
        parts.push(chunk)
      }
      return Buffer.concat(parts)
    })
  } finally {
    socket.close()
  }
}

/** Text behind its length in four hexadecimal digits. */
const countedText = (bytes: Buffer): string | undefined => {
  const digits = bytes.toString('latin1', 0, WORD_BYTES)
  if (!/^[\da-f]{4}$/i.test(digits)) return undefined
  return bytes.toString('utf8', WORD_BYTES, WORD_BYTES + Number.parseInt(digits, 16))
}

const readChange = (answer: Buffer): ForwardAnswer<string> => {
  const word = answer.toString('latin1', 0, WORD_BYTES)
  const rest = countedText(answer.subarray(WORD_BYTES)) ?? ''
  if (word === 'OKAY') return { ok: true, value: rest }
  return word === 'FAIL' ? refusalOf(rest) : refusedForward('failed', 'the device gave no answer')
}

/** Each reverse has a line: a word for the connection, the end at the device, the end at the host. */
const pairsIn = (answer: Buffer): PortPair[] =>
  (countedText(answer) ?? '').split('\n').flatMap(line => {
    const [, remote = '', local = ''] = line.split(' ')
    return remote === '' || local === '' ? [] : [{ local, remote }]
  })

export const listReverses = async (link: Link, clock: Clock, call: CallOptions): Promise<PortPair[]> =>
  pairsIn(await answerOf(link, clock, 'list-forward', call))

interface AddOptions {
  clock: Clock
  replace: boolean
}

export const addReverse = async (
  link: Link,
  { local, remote }: PortPair,
  { clock, replace }: AddOptions,
  call: CallOptions,
): Promise<ForwardAnswer<PortPair>> => {
  const request = `forward:${replace ? '' : 'norebind:'}${remote};${local}`
  const added = readChange(await answerOf(link, clock, request, call))
  if (added.ok) {
    const isChosen = portIn(remote) === 0
    if (isChosen && !/^\d{1,5}$/.test(added.value))
      throw new LinkError('LINK_SOCKET_REFUSED', 'the device named no port')
    return { ok: true, value: { local, remote: isChosen ? `tcp:${added.value}` : remote } }
  }
  if (added.reason !== 'taken') return added
  const holds = (await listReverses(link, clock, call)).find(pair => pair.remote === remote)
  return holds?.local === local ? { ok: true, value: holds } : { ...added, ...(holds ? { holds } : {}) }
}

export const removeReverse = async (
  link: Link,
  remote: string,
  clock: Clock,
  call: CallOptions,
): Promise<ForwardAnswer<undefined>> => {
  const removed = readChange(await answerOf(link, clock, `killforward:${remote}`, call))
  return removed.ok ? { ok: true, value: undefined } : removed
}
