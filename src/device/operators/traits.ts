/** The facts of each operator that need none of its drivers: whether it is installed, what it cannot do, which hint helps. */

import { CARDS } from '../../contracts/actions/cards.ts'
import {
  type BuiltInOperator,
  isBuiltInOperator,
  SHELL_OPERATOR_PACKAGE,
  UIAUTOMATOR_OPERATOR_PACKAGE,
} from '../../contracts/device/operator.ts'
import type { Action } from '../../contracts/executions/action.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import type { CallOptions, Link } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import { untypableIn } from './shell/enter-text.ts'
import { installedHelper } from './uiautomator/installed.ts'

export interface OperatorTraits {
  readonly operatorPackage: string
  /** Says how to get it, as a clause without a full stop. */
  readonly installHint: string
  /** Tells what a better operator would bring. */
  readonly upgradeHint?: string
  /** The operator works by the helper: while that is connected, no other accessibility service works, and no dump. */
  readonly usesHelper: boolean
  /** The tree of a failed step has all that refs are told by. */
  readonly hasCompleteTrees: boolean
  /** Undefined where the device does not say. Rejects with a LinkError. */
  isInstalled(link: Link, options: CallOptions): Promise<boolean | undefined>
  /** True where an execution that names no operator may use it. Rejects with a LinkError. */
  isReady(link: Link, options: CallOptions): Promise<boolean>
  /** False for an action that takes a better operator. */
  canPerform(action: Action): boolean
}

const needsApp = ({ type }: Action): boolean => CARDS[type].needsApp === true

const BUILT_IN: Readonly<Record<BuiltInOperator, OperatorTraits>> = {
  [SHELL_OPERATOR_PACKAGE]: {
    operatorPackage: SHELL_OPERATOR_PACKAGE,
    installHint: 'Nothing has to be installed',
    upgradeHint:
      'Works without an app, and slowly: each look at the screen takes 1.5 to 3 s on a phone. svc operator install puts a helper there that answers in milliseconds.',
    usesHelper: false,
    hasCompleteTrees: true,
    isInstalled: async () => true,
    isReady: async () => true,
    canPerform: action =>
      !needsApp(action) && !(action.type === 'enter_text' && untypableIn(action.params.text) !== undefined),
  },
  [UIAUTOMATOR_OPERATOR_PACKAGE]: {
    operatorPackage: UIAUTOMATOR_OPERATOR_PACKAGE,
    installHint: 'Run svc operator install',
    usesHelper: true,
    // The helper leaves out where a check is.
    hasCompleteTrees: false,
    isInstalled: async (link, options) => (await installedHelper(link, options)).kind !== 'missing',
    // A newer build of the helper may fit or not: it is used only when it is named.
    isReady: async (link, options) => (await installedHelper(link, options)).kind === 'ours',
    canPerform: action => !needsApp(action),
  },
}

const appTraits = (operatorPackage: string): OperatorTraits => {
  const isInstalled = async (link: Link, options: CallOptions): Promise<boolean | undefined> => {
    const command = commandLine('pm', 'path', operatorPackage)
    const { stdout, stderr } = await link.shell(command, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })
    if (stdout.includes('package:')) return true
    return stdout.trim() === '' && stderr.trim() === '' ? false : undefined
  }
  return {
    operatorPackage,
    installHint: 'Install the operator app',
    usesHelper: false,
    hasCompleteTrees: false,
    isInstalled,
    // Where the device does not say, the answer of the app itself will.
    isReady: async (link, options) => (await isInstalled(link, options)) !== false,
    canPerform: () => true,
  }
}

export const traitsOf = (operatorPackage: string): OperatorTraits =>
  isBuiltInOperator(operatorPackage) ? BUILT_IN[operatorPackage] : appTraits(operatorPackage)
