/**
 * Server-sent events as they come in pieces of any size: one event after the other, each within a bound. The package `eventsource-parser`
 * drops a frame that only tells the position, behind which a stream goes on after its connection broke.
 */
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

/** Others cannot be sent back in the header that asks for what comes after them. */
const POSITION = /^[\x20-\x7e]*$/

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
  /** Counts the data of the event that has begun. */
  let chars = 0
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
      chars = 0
      hasPosition = false
      return found
    }
    const colon = line.indexOf(':')
    const [field, raw] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)]
    const value = raw.startsWith(' ') ? raw.slice(1) : raw
    if (field === 'event') event = value
    else if (field === 'data') {
      data.push(value)
      chars += value.length + 1
      if (chars > EVENT_CHARS_MAX) throw tooLong()
    } else if (field === 'id' && POSITION.test(value)) {
      id = value
      hasPosition = true
    }
    return undefined
  }

  return (chunk: Buffer): ServerEvent[] => {
    // Only what is new is looked through: a line of 16 MiB comes in many pieces.
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    rest += first
    if (rest.length > EVENT_CHARS_MAX) throw tooLong()
    if (others.length === 0) return []
    const lines = [rest, ...others]
    rest = lines.pop() ?? ''
    return lines.flatMap(line => take(line.endsWith('\r') ? line.slice(0, -1) : line) ?? [])
  }
}
