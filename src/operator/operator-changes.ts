/** Section Real phones: svc records what it installs on a device, so that every process of the home asks that device again. */
import type { CallOptions, Link } from '../adb/link.ts'
import { createLogWriter, type LogWriterOptions } from '../runtime/append-record.ts'

export interface OperatorChange {
  what: 'install' | 'uninstall'
  deviceId: string
  /** False before the device is touched, true once the work on it has ended, whatever came of it. */
  isDone: boolean
}

export interface OperatorChanges {
  /** Rejects with JournalError. */
  record(link: Link, change: OperatorChange, options: CallOptions): Promise<void>
  /** Grows with each change; undefined for a device that svc never changed, and where the journal cannot be read. */
  newest(link: Link, options: CallOptions): Promise<number | undefined>
}

/** A log without a chart: nothing goes on between two of its records. */
const MACHINE = 'operator'

const actorOf = async (link: Link, options: CallOptions) => `${MACHINE}:${await link.hardwareSerial(options)}`

export const createOperatorChanges = (options: LogWriterOptions): OperatorChanges => {
  const log = createLogWriter(options)
  return {
    async record(link, { what, deviceId, isDone }, call) {
      const type = isDone ? `${what}.ended` : `${what}.requested`
      await log.append({
        actor: await actorOf(link, call),
        machine: MACHINE,
        state: isDone ? 'changed' : 'changing',
        event: { type, deviceId },
      })
    },
    async newest(link, call) {
      const actor = await actorOf(link, call)
      try {
        return options.journal.last(actor)?.seq
      } catch {
        return undefined
      }
    },
  }
}
