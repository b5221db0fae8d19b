/** Progress of a call, for clients that asked for it: the transitions of what it started, and a sign of life. */
import type { ServerContext } from '@modelcontextprotocol/server'
import { MCP_ALIVE_MS } from '../../contracts/limits/mcp-limits.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import type { Timer } from '../../runtime/clock.ts'
import { eachRecord, stepProgressOf } from '../../runtime/transitions.ts'
import type { McpContext } from './options.ts'

export interface Progress {
  /** From now on the transitions that `says` has a text for are told. */
  watch(says: (record: JournalRecord) => string | undefined): void
  /** Something that is in no record of this host. */
  tell(message: string): void
  end(): void
}

const SILENT: Progress = { watch: () => {}, tell: () => {}, end: () => {} }

/** `execution.dispatched: busy`; of a long step `sending app.apk: 12 of 100`. */
export const transitionText = ({ event, to }: JournalRecord): string => {
  if (event.type !== 'execution.progressed') return `${event.type}: ${to}`
  const { what, done, total } = stepProgressOf(event)
  return total > 0 ? `${what}: ${done} of ${total}` : `${what}: ${done}`
}

export const progressOf = (ctx: ServerContext, { journal, clock }: McpContext): Progress => {
  const progressToken = ctx.mcpReq._meta?.progressToken
  if (progressToken === undefined) return SILENT
  let progress = 0
  let lastMessage = 'started'
  let isOver = false
  const tell = (message: string) => {
    if (isOver) return
    progress += 1
    lastMessage = message
    const params = { progressToken, progress, message }
    // A client that does not take it gets its answer all the same.
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
  // Clients give up on a call that says nothing for a minute.
  let timer: Timer | undefined
  const stayAlive = () => {
    timer = clock.at(
      clock.now() + MCP_ALIVE_MS,
      () => {
        tell(lastMessage)
        stayAlive()
      },
      { idle: true },
    )
  }
  stayAlive()
  const subscriptions: { close(): void }[] = []
  return {
    tell,
    watch(says) {
      const listen = eachRecord(record => {
        const message = says(record)
        if (message !== undefined) tell(message)
      })
      subscriptions.push(journal().subscribe(listen, { after: journal().head() }))
    },
    end() {
      isOver = true
      timer?.cancel()
      for (const subscription of subscriptions) subscription.close()
    },
  }
}
