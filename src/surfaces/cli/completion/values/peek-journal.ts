/** The journal as it is now, read with no claim on it: for completion and `svc` alone, which write nothing and start nothing. */
import { existsSync } from 'node:fs'
import type { ExecutionSummary } from '../../../../contracts/doors/viewer.ts'
import { outcomeOf } from '../../../../contracts/executions/outcome-of.ts'
import { wasAccepted } from '../../../../contracts/executions/receipt.ts'
import type { JournalRecord } from '../../../../contracts/records/journal.ts'
import { WATCHED_NAMES } from '../../../../contracts/records/machines.ts'
import { homeOf, journalPath } from '../../../../runtime/home.ts'
import type { Connection } from '../../../../runtime/journal/connection.ts'
import type { StoredReceipt } from '../../../../runtime/journal/journal.ts'
import { openForReading } from '../../../../runtime/journal/open.ts'
import { readableOr } from '../../../../runtime/journal/reading.ts'
import { sqliteReceipts } from '../../../../runtime/journal/receipts.ts'
import { sqliteRecords } from '../../../../runtime/journal/records.ts'
import { sqliteBodies, unpack } from '../../../../runtime/journal/stored-json.ts'
import { mayHaveChanged } from '../../../../service/executions/completed-steps.ts'
import type { Screen } from '../../../../service/executions/screens/screen.ts'
import { summaryOf } from '../../../../service/traces/summary.ts'
import type { Environment } from '../../command.ts'

/** The newest screen that was shown to somebody. */
export interface KnownScreen {
  number: number
  deviceId: string | undefined
  screen: Screen
}

interface ExecutionQuery {
  limit: number
  deviceId?: string | undefined
  /** Ids that begin with this. */
  prefix?: string
}

export interface KnownJournal {
  /** The newest accepted ones first; unreadable receipts are left out. */
  executions(query: ExecutionQuery): ExecutionSummary[]
  /** The newest interrupted one whose outcome nobody knows, and with which none goes on. */
  inDoubt(): ExecutionSummary | undefined
  screen(deviceId: string | undefined): KnownScreen | undefined
  /** The packages of the applications on the newest screens of each device. */
  apps(): string[]
  /** The newest record of each actor that watchers see. */
  actors(limit: number): JournalRecord[]
  close(): void
}

/** Another process holds the file as a whole for no longer than it takes to begin or end its use. */
const BUSY_MS = 40
const IDS_MAX = 500
/** An older execution in doubt interests nobody who only asks what is here. */
const DOUBTS_SEARCHED = 50
const SCREENS_OF_DEVICE = 20
const SCREEN = 'screen'

const knownIn = (connection: Connection): KnownJournal => {
  const records = sqliteRecords(connection)
  const bodies = sqliteBodies(connection)
  const receipts = sqliteReceipts(connection, bodies)

  const bodyOf = ({ seq, digest }: JournalRecord): unknown => {
    if (digest === null) return undefined
    const json = records.body(seq)
    return json ? unpack({ digest, json }) : bodies.read(digest)
  }
  const receiptOf = (id: string): StoredReceipt | undefined => readableOr(undefined, () => receipts.read(id))
  const newestScreens = () => records.actors({ machine: SCREEN })
  const deviceOf = ({ event }: JournalRecord): string | undefined => receiptOf(String(event.executionId))?.deviceId
  const packageOf = ({ event }: JournalRecord): string[] =>
    typeof event.package === 'string' && event.package !== '' ? [event.package] : []

  return {
    executions({ limit, deviceId, prefix = '' }) {
      const found: ExecutionSummary[] = []
      for (const id of receipts.ids({ limit: IDS_MAX, ...(deviceId === undefined ? {} : { deviceId }) })) {
        if (found.length === limit) break
        const receipt = id.startsWith(prefix) ? receiptOf(id) : undefined
        if (receipt && wasAccepted(receipt)) found.push(summaryOf(receipt, () => undefined))
      }
      return found
    },
    inDoubt() {
      const resumed = new Set<string>()
      for (const id of receipts.ids({ limit: DOUBTS_SEARCHED })) {
        const receipt = receiptOf(id)
        if (!receipt) continue
        const outcome = outcomeOf(receipt)
        if (outcome === 'unknown' && receipt.state === 'interrupted' && !resumed.has(id)) {
          const { inDoubt: _, ...summary } = summaryOf(receipt, () => undefined)
          const reader = { records: records.list, last: records.last, body: bodyOf }
          return mayHaveChanged(reader, receipt) ? { ...summary, inDoubt: true } : summary
        }
        if (receipt.resumes !== undefined && outcome !== 'not_sent') resumed.add(receipt.resumes)
      }
      return undefined
    },
    screen(wanted) {
      for (const record of newestScreens()) {
        const deviceId = deviceOf(record)
        if (wanted !== undefined && wanted !== deviceId && record.actor !== `${SCREEN}:${wanted}`) continue
        const screen = readableOr(undefined, () => bodyOf(record)) as Screen | undefined
        if (screen) return { number: record.n + 1, deviceId, screen }
      }
      return undefined
    },
    apps() {
      const seen = newestScreens().flatMap(({ actor, n }) =>
        records.list({ actor, fromN: Math.max(0, n - SCREENS_OF_DEVICE), limit: SCREENS_OF_DEVICE + 1 }),
      )
      return [...new Set(seen.reverse().flatMap(packageOf))]
    },
    actors: limit =>
      WATCHED_NAMES.flatMap(machine => records.actors({ machine, limit }))
        .sort((a, b) => b.seq - a.seq)
        .slice(0, limit),
    close: () => connection.close(),
  }
}

/** Undefined where there is none yet, or none is kept. Throws JournalError. */
export const openKnownJournal = (env: Environment): KnownJournal | undefined => {
  const path = journalPath(homeOf(env))
  if (env.SVC_JOURNAL === 'off' || !existsSync(path)) return undefined
  return knownIn(openForReading(path, BUSY_MS))
}
