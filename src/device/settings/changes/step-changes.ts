/** A step of the host remembers its own changes of a device here, and settles those that are open. */
import { JournalError } from '../../../runtime/journal/fault.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import type { ChangeMemory, ChangePlace } from './change-memory.ts'
import type { DeviceChange, OpenChange } from './ledger.ts'

const recorded = async (work: () => Promise<void>, outcome: string) => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    const reason = `the journal did not take the record, so ${outcome}: ${error.message.replace(/\.$/, '')}`
    throw new StepFailure('JOURNAL_UNAVAILABLE', reason, { hint: error.hint })
  }
}

/** `mayAct` throws when this host may no longer act on the phone: to write a record takes time, in which it may lose it. */
export const stepChanges = (memory: ChangeMemory, place: ChangePlace, mayAct: () => void) => {
  let isRemembered = false
  return {
    remember: async (change: DeviceChange) => {
      await recorded(() => memory.remember(change, place), 'the change was not made')
      isRemembered = true
      mayAct()
    },
    openChanges: {
      list: () => memory.open(place.device),
      settled: (change: OpenChange, how: 'restored' | 'left') =>
        recorded(() => memory.settled(change, how, place), 'the next restoring looks at the change again'),
    },
    /** Without this record both values count as svc's own, so one that cannot be written costs nothing. */
    made: async () => {
      if (isRemembered) await memory.made(place).catch(() => {})
    },
  }
}
