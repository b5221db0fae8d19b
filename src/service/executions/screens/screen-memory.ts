/** Screens that were shown to somebody, each under its number on its device, where every process of the home finds them. */

import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { createLogWriter } from '../../../runtime/append-record.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Journal, StoredReceipt } from '../../../runtime/journal/journal.ts'
import type { Secrets } from '../../../runtime/secrets.ts'
import { SCREEN_WORDS } from '../../recorded-words.ts'
import type { NumberedScreen } from './compact-lines.ts'
import type { Screen } from './screen.ts'

/** The journal's column `machine` of these records; there is no chart, because a screen has only one state. */
const SCREEN_MACHINE = 'screen'
const SEEN = 'screen.seen'

export interface ScreenMemory {
  /** The same number as long as the screen is the same. Rejects with JournalError. */
  remember(device: string, screen: Screen, executionId: string): Promise<NumberedScreen>
  /** Undefined for one that was never seen, or that retention has taken. */
  recall(device: string, number: number): Screen | undefined
  receipt(executionId: string): StoredReceipt | undefined
}

/** `device` is the key of its lease: a phone has one, however it is connected. */
const actorOf = (device: string) => `${SCREEN_MACHINE}:${device.replace(/^device:/, '')}`
/** An actor's records have positions without gaps, from 0: the journal itself counts the screens of a device. */
const numberOf = ({ n }: Pick<JournalRecord, 'n'>) => n + 1

export const createScreenMemory = ({
  journal,
  clock,
  secrets,
}: {
  journal: Pick<Journal, 'append' | 'last' | 'records' | 'body' | 'saveCheckpoint' | 'receipt'>
  clock: Clock
  secrets?: Pick<Secrets, 'concealAll'> | undefined
}): ScreenMemory => {
  const log = createLogWriter({ journal, clock })
  const bodyOf = (record: JournalRecord): Screen | undefined =>
    record.digest === null ? undefined : (journal.body(record) as Screen | undefined)

  const remember: ScreenMemory['remember'] = async (device, seen, executionId) => {
    const screen = secrets?.concealAll(seen, SCREEN_WORDS) ?? seen
    const text = JSON.stringify(screen)
    const record = await log.append({
      actor: actorOf(device),
      machine: SCREEN_MACHINE,
      state: 'seen',
      event: { type: SEEN, executionId, package: screen.package },
      body: screen,
      isSaidBy: last => JSON.stringify(bodyOf(last)) === text,
    })
    return { number: numberOf(record), screen }
  }

  return {
    remember,
    recall(device, number) {
      const n = number - 1
      const [record] = journal.records({ actor: actorOf(device), fromN: n, limit: 1 })
      return record?.n === n ? bodyOf(record) : undefined
    },
    receipt: executionId => journal.receipt(executionId),
  }
}
