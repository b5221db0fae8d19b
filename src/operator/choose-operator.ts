/** Section Real phones: which operator runs an execution for which nobody named one. The best that the device has. */
import type { CallOptions, Link } from '../adb/link.ts'
import { OUTPUT_BYTES_MAX } from '../adb/link-limits.ts'
import { commandLine } from '../adb/quote.ts'
import {
  DEFAULT_OPERATOR_PACKAGE,
  SHELL_OPERATOR_PACKAGE,
  UIAUTOMATOR_OPERATOR_PACKAGE,
} from '../contracts/operator.ts'
import { ageMs, type Clock, type Moment, momentOf } from '../runtime/clock.ts'
import { hasOurHelper } from './uiautomator/installed.ts'

/** Rejects with a LinkError when the device cannot be asked. */
export type ChooseOperator = (link: Link, options: CallOptions) => Promise<string>

/** Somebody may install a better one at any time. */
const SECOND_BEST_MS = 30_000

interface Choice {
  operatorPackage: string
  made: Moment
}

/** One of ours for which an app has to be on the device. */
export interface Helper {
  operatorPackage: string
  /** Whether what it needs is installed and fits. */
  isReady(link: Link, options: CallOptions): Promise<boolean>
}

/** A newer build of the helper may fit or not: it is used only when it is named. */
const UIAUTOMATOR: Helper = {
  operatorPackage: UIAUTOMATOR_OPERATOR_PACKAGE,
  isReady: hasOurHelper,
}

/** Asked once per link; a lost link takes its answer with it. */
export const createOperatorChoice = (clock: Clock, helper: Helper = UIAUTOMATOR): ChooseOperator => {
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

  return async (link, options) => {
    const known = choices.get(link)
    const isBest = known?.operatorPackage === DEFAULT_OPERATOR_PACKAGE
    if (known && !link.lost.aborted && (isBest || ageMs(clock, known.made) < SECOND_BEST_MS))
      return known.operatorPackage
    const operatorPackage = await decide(link, options)
    choices.set(link, { operatorPackage, made: momentOf(clock) })
    return operatorPackage
  }
}
