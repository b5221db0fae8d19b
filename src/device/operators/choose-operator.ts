/** Section Real phones: which operator runs an execution for which nobody named one. The best that the device has. */

import { SHELL_OPERATOR_PACKAGE, UIAUTOMATOR_OPERATOR_PACKAGE } from '../../contracts/device/operator.ts'
import type { Action } from '../../contracts/executions/action.ts'
import { DEFAULT_OPERATOR_PACKAGE } from '../../contracts/json/literals.ts'
import { createLogWriter, type LogWriterOptions } from '../../runtime/append-record.ts'
import { ageMs, type Clock, type ClockReading, readClock } from '../../runtime/clock.ts'
import type { CallOptions, Link } from '../link/link.ts'
import { type OperatorTraits, traitsOf } from './traits.ts'

interface OperatorChange {
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

export interface OperatorChoice {
  /** Rejects with a LinkError when the device cannot be asked. `actions` are those that the operator is to perform. */
  choose(link: Link, options: CallOptions, actions?: readonly Action[]): Promise<string>
  /** The chosen operator was missed or could not do its work: the next execution asks the device again. */
  forget(link: Link): void
}

/** Somebody may install a better one at any time. */
const SECOND_BEST_MS = 30_000

interface Choice {
  operator: OperatorTraits
  made: ClockReading
  /** The newest change of the device by any process of the home, when the choice was made. */
  change: number | undefined
}

/** From the best to the one that every phone has. */
const RANKED_OPERATORS = [DEFAULT_OPERATOR_PACKAGE, UIAUTOMATOR_OPERATOR_PACKAGE, SHELL_OPERATOR_PACKAGE].map(traitsOf)

interface OperatorChoiceOptions {
  clock: Clock
  /** The last of them is always ready. */
  ranked?: readonly OperatorTraits[]
  /** Undefined for a process that chooses only once. */
  changes?: Pick<OperatorChanges, 'newest'>
}

/** Asked once per link; a lost link takes its answer with it. */
export const createOperatorChoice = ({
  clock,
  ranked = RANKED_OPERATORS,
  changes,
}: OperatorChoiceOptions): OperatorChoice => {
  const choices = new WeakMap<Link, Choice>()

  const decide = async (link: Link, options: CallOptions): Promise<OperatorTraits> => {
    for (const operator of ranked) if (await operator.isReady(link, options)) return operator
    throw new Error('no operator is ready')
  }

  /** An action that a remembered choice cannot perform asks for a better operator, which may be installed by now. */
  const holds = ({ operator, made }: Choice, actions: readonly Action[]): boolean =>
    operator === ranked[0] || (ageMs(clock, made) < SECOND_BEST_MS && actions.every(operator.canPerform))

  return {
    async choose(link, options, actions = []) {
      const known = choices.get(link)
      const change = await changes?.newest(link, options)
      const isCurrent = known && !link.lost.aborted && known.change === change
      if (isCurrent && holds(known, actions)) return known.operator.operatorPackage
      const operator = await decide(link, options)
      choices.set(link, { operator, made: readClock(clock), change })
      return operator.operatorPackage
    },
    forget: link => {
      choices.delete(link)
    },
  }
}
