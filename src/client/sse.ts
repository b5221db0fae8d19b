/** Server-sent events as they come in pieces of any size: one event after the other, each within a bound. */
import { StringDecoder } from 'node:string_decoder'
import { SvcError } from './svc-error.ts'

export interface ServerEvent {
  /** The position after this event; that of an earlier one where it has none. */
  readonly id: string | undefined
  /** Undefined for a frame that only tells the position. */
  readonly event: string | undefined
  readonly data: string
}

const EVENT_CHARS_MAX = 16 * 1_024 * 1_024

const tooLong = () =>
  new SvcError({
    code: 'INTERNAL_ERROR',
    message: `An event of the stream is longer than ${EVENT_CHARS_MAX} characters.`,
    dispatched: false,
  })

export const createEventReader = () => {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let id: string | undefined
  let event: string | undefined
  let data: string[] = []
  let hasPosition = false

  const take = (line: string): ServerEvent | undefined => {
    if (line === '') {
      const isEvent = data.length > 0
      const found =
        isEvent || hasPosition
          ? { id, event: isEvent ? (event ?? 'message') : undefined, data: data.join('\n') }
          : undefined
      event = undefined
      data = []
      hasPosition = false
      return found
    }
    const colon = line.indexOf(':')
    const [field, raw] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)]
    const value = raw.startsWith(' ') ? raw.slice(1) : raw
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id') {
      id = value
      hasPosition = true
    }
    return undefined
  }

  return (chunk: Buffer): ServerEvent[] => {
    rest += decoder.write(chunk)
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > EVENT_CHARS_MAX) throw tooLong()
    return lines.flatMap(line => take(line.endsWith('\r') ? line.slice(0, -1) : line) ?? [])
  }
}
