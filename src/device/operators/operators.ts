/** Finds the operator of a package name: an operator app, the shell, or the helper that svc installs on a phone. */

import { needsHost } from '../../contracts/actions/needs-host.ts'
import {
  type BuiltInOperator,
  isBuiltInOperator,
  SHELL_OPERATOR_PACKAGE,
  UIAUTOMATOR_OPERATOR_PACKAGE,
} from '../../contracts/device/operator.ts'
import type { Action } from '../../contracts/executions/action.ts'
import type { Link } from '../link/link.ts'
import { lookByApp } from './app/look.ts'
import { sendSegment } from './app/send-segment.ts'
import type { DeviceSession } from './app/session/sessions.ts'
import { type HostHands, performSteps } from './perform-over-link.ts'
import { isHostAction, type Segment } from './segment.ts'
import type { SegmentOutcome } from './segment-outcome.ts'
import type { SegmentRun } from './segment-run.ts'
import { shellDriver } from './shell/driver.ts'
import { type OperatorTraits, traitsOf } from './traits.ts'
import { uiautomatorDriver } from './uiautomator/driver.ts'
import { HelperUnavailable } from './uiautomator/prepare-helper.ts'

export interface Operator extends OperatorTraits {
  /** False for a step that the host has to perform by looks and single gestures of this operator. */
  understands(action: Action): boolean
  /** Takes a segment of its steps to the phone. */
  deliver(segment: Extract<Segment, { kind: 'operator' }>, run: SegmentRun): Promise<SegmentOutcome>
  /** The means of the host for a step that it performs itself. A look may be a segment of its own; `nextIndex` places it. */
  hostHands(run: SegmentRun, nextIndex: () => number): HostHands
  /** The link over which it listens already; undefined where something has to be opened or started first. */
  listensOver(session: DeviceSession): Link | undefined
}

const performedByHost = (operatorPackage: BuiltInOperator, hands: (run: SegmentRun) => HostHands): Operator => ({
  ...traitsOf(operatorPackage),
  understands: () => true,
  deliver: ({ actions, index }, run) => performSteps(actions, index, run, hands(run)),
  hostHands: hands,
  listensOver: () => undefined,
})

const helperHands = ({ session: { helper } }: SegmentRun): HostHands => ({
  driver: (link, options) => uiautomatorDriver(helper, link, options),
  /** The helper is started once the execution has its time. */
  async refusal(options) {
    try {
      await helper.health(options)
      return undefined
    } catch (error) {
      if (!(error instanceof HelperUnavailable)) throw error
      return { kind: 'not sent', code: error.code, message: error.message }
    }
  },
})

const BUILT_IN: Readonly<Record<BuiltInOperator, Operator>> = {
  [SHELL_OPERATOR_PACKAGE]: performedByHost(SHELL_OPERATOR_PACKAGE, () => ({ driver: shellDriver })),
  [UIAUTOMATOR_OPERATOR_PACKAGE]: performedByHost(UIAUTOMATOR_OPERATOR_PACKAGE, helperHands),
}

const operatorApp = (operatorPackage: string): Operator => ({
  ...traitsOf(operatorPackage),
  understands: action => isHostAction(action) || !needsHost(action),
  deliver: (segment, run) => sendSegment(operatorPackage, segment, run, run.onProgress),
  // The app looks, for a dump by the shell would end its accessibility service for a moment.
  hostHands: (run, nextIndex) => ({
    driver: (link, options) => ({
      ...shellDriver(link, options),
      tree: () => lookByApp(operatorPackage, nextIndex(), run),
    }),
  }),
  listensOver: ({ sockets }) => sockets.current(operatorPackage)?.link,
})

export const operatorOf = (operatorPackage: string): Operator =>
  isBuiltInOperator(operatorPackage) ? BUILT_IN[operatorPackage] : operatorApp(operatorPackage)
