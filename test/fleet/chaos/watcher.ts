/** Follows the transitions of the fleet at one host after the other, each time from the last event that it has. */
import { get } from 'node:http'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { EVENT_NAMES } from '../../../src/contracts/doors/sse.ts'
import type { TransitionRecord } from '../../../src/contracts/records/actor.ts'
import type { Watched } from '../../laws/story.ts'
import { wait } from '../../support/until.ts'
import { journalHeads } from './journals.ts'
import type { World } from './world.ts'

export interface Watcher {
  watched(): Watched
  /** Stays where it is, if that works, and elsewhere only if it does not. */
  settle(): void
  close(): Promise<void>
}

const AGAIN_MS = 200
/** Until the headers of an answer have come. */
const ANSWER_MS = 8_000
/** Answers that a caller tries again. */
const PASSING = [503]

export const startWatcher = (world: World, first: number, staysMs: readonly number[]): Watcher => {
  const watcher = `watcher ${first}`
  const events: TransitionRecord[] = []
  const problems: string[] = []
  let since: Record<string, number> = {}
  let lastId: string | undefined
  let isSettled = false
  let isClosed = false
  let leave = () => {}

  const hear = ({ event, data, id }: EventSourceMessage) => {
    if (event === EVENT_NAMES.transition) {
      events.push(JSON.parse(data) as TransitionRecord)
      lastId = id
    } else problems.push(`heard ${event}: ${data}`)
  }

  /** Resolves when the stream is over, for whatever reason. */
  const follow = (url: string, stayMs: number): Promise<void> =>
    new Promise(resolve => {
      const headers = lastId === undefined ? {} : { 'Last-Event-ID': lastId }
      const asked = get(`${url}/actors/events`, { agent: false, headers }, incoming => {
        clearTimeout(late)
        const parser = createParser({ onEvent: hear })
        let body = ''
        incoming.setEncoding('utf8')
        incoming.on('error', () => {})
        incoming.once('close', () => {
          const status = incoming.statusCode ?? 0
          if (status !== 200 && !PASSING.includes(status)) problems.push(`refused with ${status}: ${body}`)
          resolve()
        })
        incoming.on('data', (chunk: string) => {
          if (incoming.statusCode !== 200) {
            body += chunk
            return
          }
          // From here on it hears everything; what was recorded before may or may not come.
          if (lastId === undefined) since = journalHeads(world)
          parser.feed(chunk)
        })
      })
      const end = () => asked.destroy()
      const late = setTimeout(end, ANSWER_MS)
      const moveOn = setTimeout(() => isSettled || end(), stayMs)
      leave = end
      asked.on('error', () => resolve())
      asked.once('close', () => {
        clearTimeout(late)
        clearTimeout(moveOn)
        resolve()
      })
    })

  const run = async () => {
    for (let turn = 0; !isClosed; turn += 1) {
      await follow(world.host((first + turn) % world.hosts.length).url(), staysMs[turn % staysMs.length] ?? 0)
      if (!isClosed) await wait(AGAIN_MS)
    }
  }
  const running = run()

  return {
    watched: () => ({ watcher, since, events, problems }),
    settle() {
      isSettled = true
    },
    async close() {
      isClosed = true
      leave()
      await running
    },
  }
}
