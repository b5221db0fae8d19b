/** The history of an actor of the server: read page by page, and again with each transition. */
import type { ActorRecordsResponse } from '../../contracts/viewer.ts'
import { encoded, get } from './api.ts'
import { createHistory, type History } from './folded-history.ts'
import { breathe } from './time.ts'

export interface LiveHistory extends History {
  /** Reads what has been recorded meanwhile. */
  refresh(): void
  close(): void
}

/** The history of an actor of the server, page by page, and what comes from now on. */
export const openHistory = (actor: string, machine: string): LiveHistory => {
  const history = createHistory(actor, machine)
  const left = new AbortController()
  let isReading = false
  let isStale = false

  const readAll = async () => {
    for (;;) {
      const after = history.records.at(-1)?.seq ?? 0
      const path = `/actors/${encoded(actor)}/records?after=${after}`
      const { records, start, next } = await get<ActorRecordsResponse>(path, left.signal)
      history.add(records, start)
      if (next === undefined) return
      await breathe()
    }
  }

  const refresh = async () => {
    isStale = true
    if (isReading) return
    isReading = true
    history.setLoading(true)
    try {
      while (isStale && !left.signal.aborted) {
        isStale = false
        await readAll()
      }
    } catch {
      // The next transition, or the next connection, asks again.
    }
    isReading = false
    history.setLoading(false)
  }
  void refresh()
  return { ...history, refresh: () => void refresh(), close: () => left.abort() }
}
