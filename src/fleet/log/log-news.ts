/**
 * Tells the other hosts that the log has a new message, so that they need not look for it all the time. It goes where the
 * beats of the host go, which versions without it pass over; a reader that hears nothing looks now and then.
 */
import type { NatsConnection } from '@nats-io/transport-node'
import * as v from 'valibot'
import { openObject } from '../../contracts/json/objects.ts'
import { count } from '../../contracts/json/scalars.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Names } from '../servers/names.ts'

/** The sequence of the newest message that its sender has stored. */
const LogNews = openObject({ log: count })

interface NewsOptions {
  nc: Pick<NatsConnection, 'publish' | 'subscribe'>
  names: Names
}

/** A link that is lost tells nobody: then the others look by themselves. */
export const tellNews = ({ nc, names }: NewsOptions, host: string, log: number): void => {
  try {
    nc.publish(names.beat(host), JSON.stringify({ log } satisfies v.InferOutput<typeof LogNews>))
  } catch {
    // The connection is closed.
  }
}

/** The server that is asked may get its copy a little later than the one that has told of it. */
const COPIED_MS = 100
const LOOK_AGAIN_MS = 2

const newsIn = (text: string): number => {
  try {
    const read = v.safeParse(LogNews, JSON.parse(text))
    return read.success ? read.output.log : 0
  } catch {
    return 0
  }
}

export interface LogNewsListener {
  /** Until the log may have more than the message `last`, or `ms` have passed. */
  more(last: number, ms: number, signal: AbortSignal): Promise<void>
  close(): void
}

export const listenForNews = ({ nc, names }: NewsOptions, clock: Clock): LogNewsListener => {
  let newest = 0
  let heardAt = Number.NEGATIVE_INFINITY
  let heard = new AbortController()
  /** The newest message that the reader has. */
  let read = 0
  const hear = (text: string) => {
    const log = newsIn(text)
    if (log === 0) return
    const now = clock.elapsed()
    // Only for a moment: whoever tells of a message that never comes must not be believed for ever.
    newest = now - heardAt < COPIED_MS ? Math.max(newest, log) : log
    heardAt = now
    if (log > read) heard.abort()
  }
  const subscribe = () => {
    try {
      return nc.subscribe(names.beat('*'), {
        callback: (error, message) => {
          if (!error) hear(message.string())
        },
      })
    } catch {
      // The connection is closed.
      return undefined
    }
  }
  const subscription = subscribe()
  return {
    async more(last, ms, signal) {
      read = last
      const isExpected = newest > last && clock.elapsed() - heardAt < COPIED_MS
      if (isExpected) return pause(clock, LOOK_AGAIN_MS, signal)
      heard = new AbortController()
      await pause(clock, ms, AbortSignal.any([signal, heard.signal]))
    },
    close: () => subscription?.unsubscribe(),
  }
}
