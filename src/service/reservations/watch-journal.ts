/** When to look again at something in the journal: at each record that may matter, and every so often. */
import type { JournalRecord } from '../../contracts/records/journal.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Journal } from '../../runtime/journal/journal.ts'

interface LooksOptions {
  journal: Pick<Journal, 'subscribe'>
  clock: Clock
  matters(record: JournalRecord): boolean
  /** Called before those who wait for the change go on. */
  onLook?(): void
}

/** A process that dies, and work that has no actor, record no end. */
const LOOK_MS = 500

export const createLooks = ({ journal, clock, matters, onLook }: LooksOptions) => {
  let wake = () => {}
  let changed = new Promise<void>(resolve => {
    wake = resolve
  })
  const look = () => {
    const wakeNow = wake
    onLook?.()
    changed = new Promise(resolve => {
      wake = resolve
    })
    wakeNow()
  }
  const subscription = journal.subscribe(records => {
    if (records.some(matters)) look()
  })
  const tick = () => {
    look()
    timer = clock.at(clock.now() + LOOK_MS, tick)
  }
  let timer = clock.at(clock.now() + LOOK_MS, tick)
  return {
    /** Take it before looking: it resolves at the next change after that. */
    next: (): Promise<void> => changed,
    look,
    close() {
      subscription.close()
      timer.cancel()
      wake()
    },
  }
}
