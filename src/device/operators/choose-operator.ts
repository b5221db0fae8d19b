/** Section Real phones: which operator runs an execution for which nobody named one. The best that the device has. */

import { CARDS } from '../../contracts/actions/cards.ts'
import { SHELL_OPERATOR_PACKAGE, UIAUTOMATOR_OPERATOR_PACKAGE } from '../../contracts/device/operator.ts'
import type { Action } from '../../contracts/executions/action.ts'
import { DEFAULT_OPERATOR_PACKAGE } from '../../contracts/json/literals.ts'
import { createLogWriter, type LogWriterOptions } from '../../runtime/append-record.ts'
import { ageMs, type Clock, type ClockReading, readClock } from '../../runtime/clock.ts'
import type { CallOptions, Link } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import { commandLine } from '../link/quote.ts'
import { untypableIn } from './shell/enter-text.ts'
import { hasOurHelper } from './uiautomator/installed.ts'

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
  operatorPackage: string
  made: ClockReading
  /** The newest change of the device by any process of the home, when the choice was made. */
  change: number | undefined
}

/** One of ours for which an app has to be on the device. */
export interface Helper {
  operatorPackage: string
  /** True when the packages of the helper are installed in a build that fits. */
  isReady(link: Link, options: CallOptions): Promise<boolean>
}

/** A newer build of the helper may fit or not: it is used only when it is named. */
const UIAUTOMATOR: Helper = {
  operatorPackage: UIAUTOMATOR_OPERATOR_PACKAGE,
  isReady: hasOurHelper,
}

/** An action that a remembered choice cannot perform asks for a better operator, which may be installed by now. */
const exceeds = (operatorPackage: string, { type, params }: Action): boolean => {
  if (CARDS[type].needsApp) return true
  return operatorPackage === SHELL_OPERATOR_PACKAGE && type === 'enter_text' && untypableIn(params.text) !== undefined
}

interface OperatorChoiceOptions {
  clock: Clock
  helper?: Helper
  /** Undefined for a process that chooses only once. */
  changes?: Pick<OperatorChanges, 'newest'>
}

/** Asked once per link; a lost link takes its answer with it. */
export const createOperatorChoice = ({
  clock,
  helper = UIAUTOMATOR,
  changes,
}: OperatorChoiceOptions): OperatorChoice => {
  const choices = new WeakMap<Link, Choice>()

  /** Undefined when the device does not say: then the answer of the operator itself will. */
  const isInstalled = async (link: Link, options: CallOptions): Promise<boolean | undefined> => {
    const command = commandLine('pm', 'path', DEFAULT_OPERATOR_PACKAGE)
    const { stdout, stderr } = await link.shell(command, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })
    if (stdout.includes('package:')) return true
    return stdout.trim() === '' && stderr.trim() === '' ? false : undefined
  }

  const decide = async (link: Link, options: CallOptions): Promise<string> => {
    if ((await isInstalled(link, options)) !== false) return DEFAULT_OPERATOR_PACKAGE
    return (await helper.isReady(link, options)) ? helper.operatorPackage : SHELL_OPERATOR_PACKAGE
  }

  const holds = ({ operatorPackage, made }: Choice, actions: readonly Action[]): boolean =>
    operatorPackage === DEFAULT_OPERATOR_PACKAGE ||
    (ageMs(clock, made) < SECOND_BEST_MS && !actions.some(action => exceeds(operatorPackage, action)))

  return {
    async choose(link, options, actions = []) {
      const known = choices.get(link)
      const change = await changes?.newest(link, options)
      const isCurrent = known && !link.lost.aborted && known.change === change
      if (isCurrent && holds(known, actions)) return known.operatorPackage
      const operatorPackage = await decide(link, options)
      choices.set(link, { operatorPackage, made: readClock(clock), change })
      return operatorPackage
    },
    forget: link => {
      choices.delete(link)
    },
  }
}
