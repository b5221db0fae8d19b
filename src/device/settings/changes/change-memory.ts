/** Remembers in the journal what svc changed on each device, so that it can be put back, by any process and after a crash. */

import { OPEN_CHANGES_MAX } from '../../../contracts/device/setting-names.ts'
import { OPEN_CHANGES } from '../../../contracts/records/journal.ts'
import { createLogWriter } from '../../../runtime/append-record.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import {
  type DeviceChange,
  type Ledger,
  nameOf,
  type OpenChange,
  withMade,
  withoutChange,
  withRemembered,
} from './ledger.ts'

/** The journal's column `machine` of these records; the ledger of the device is the body of the newest one. */
const CHANGES_MACHINE = 'changes'

export interface ChangePlace {
  /** The key under which the device is owned: a phone has one, however it is connected. */
  device: string
  executionId: string
  step: string
}

export interface ChangeMemory {
  /** Resolves once the disk has it. Rejects with JournalError or a StepFailure; then the change must not be made. */
  remember(change: DeviceChange, place: ChangePlace): Promise<void>
  /** The step has succeeded: its changes are no longer in doubt. Rejects with JournalError. */
  made(place: ChangePlace): Promise<void>
  /** The change was put back, or somebody else has changed it since. Rejects with JournalError. */
  settled(change: OpenChange, how: 'restored' | 'left', place: ChangePlace): Promise<void>
  /** Oldest first. Throws JournalError. */
  open(device: string): Ledger
}

const actorOf = (device: string) => `${CHANGES_MACHINE}:${device.replace(/^device:/, '')}`

export const createChangeMemory = ({
  journal,
  clock,
}: {
  journal: Pick<Journal, 'append' | 'last' | 'body' | 'saveCheckpoint' | 'synced'>
  clock: Clock
}): ChangeMemory => {
  const log = createLogWriter({ journal, clock })

  const ledgerOf = (last: ReturnType<Journal['last']>): Ledger =>
    last === undefined || last.digest === null ? [] : ((journal.body(last) as Ledger | undefined) ?? [])

  const open: ChangeMemory['open'] = device => ledgerOf(journal.last(actorOf(device)))

  const write = async (
    type: string,
    { device, ...place }: ChangePlace,
    more: Readonly<Record<string, unknown>>,
    next: (ledger: Ledger) => Ledger,
  ) => {
    await log.append({
      actor: actorOf(device),
      machine: CHANGES_MACHINE,
      state: 'known',
      event: { type, ...place, ...more },
      upon(last) {
        const body = next(ledgerOf(last))
        return { body, tags: body.length === 0 ? [] : [OPEN_CHANGES] }
      },
    })
  }

  return {
    open,
    async remember(change, place) {
      const next = (ledger: Ledger) => withRemembered(ledger, change, place)
      if (next(open(place.device)).length > OPEN_CHANGES_MAX) {
        throw new StepFailure('JOURNAL_UNAVAILABLE', `${OPEN_CHANGES_MAX} changes of the device wait to be put back`, {
          hint: 'Put them back with the action restore_settings, then try again.',
        })
      }
      await write('change.remembered', place, { ...change }, next)
      await journal.synced()
    },
    async made(place) {
      const isOf = ({ executionId, step }: OpenChange) => executionId === place.executionId && step === place.step
      if (!open(place.device).some(isOf)) return
      await write('change.made', place, {}, ledger => withMade(ledger, place))
    },
    async settled(change, how, place) {
      await write(`change.${how}`, place, { change: nameOf(change.target) }, ledger => withoutChange(ledger, change))
      await journal.synced()
    },
  }
}
