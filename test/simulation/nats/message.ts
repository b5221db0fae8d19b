/** Messages as a client of NATS hands them over, and queues that one reader walks through. */
import { headers as createHeaders, type Msg, type MsgHdrs } from '@nats-io/transport-node'
import type { Wired } from './api.ts'
import type { HeaderList } from './streams.ts'

export const bytesOf = (data: Uint8Array | string | undefined): Uint8Array =>
  typeof data === 'string' ? Buffer.from(data) : (data ?? new Uint8Array())

export const listOf = (given: MsgHdrs | undefined): HeaderList =>
  given ? [...given].flatMap(([name, values]) => values.map(value => [name, value] as const)) : []

export const messageOf = ({ subject, data, headers, reply, status }: Wired, sid: number): Msg => {
  const made = headers.length > 0 || status ? createHeaders(status?.code, status?.description) : undefined
  for (const [name, value] of headers) made?.append(name, value)
  const text = () => Buffer.from(data).toString()
  const message = { subject, sid, data, string: text, json: () => JSON.parse(text()), respond: () => false }
  return { ...message, ...(reply === undefined ? {} : { reply }), ...(made ? { headers: made } : {}) } as Msg
}

/** Hands over what is put in, in order, to one reader. */
export const createQueue = <T>() => {
  const waiting: T[] = []
  let wake = () => {}
  let isEnded = false
  return {
    put(value: T) {
      waiting.push(value)
      wake()
    },
    end() {
      isEnded = true
      wake()
    },
    async *read(): AsyncGenerator<T> {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else if (isEnded) return
        else
          await new Promise<void>(resolve => {
            wake = resolve
          })
      }
    },
  }
}
