/** Commands that look and judge. */
import type { FlowSelector } from '../../../contracts/flows/flow-selector.ts'
import type { Condition } from '../language/command.ts'
import { shownText } from '../language/problem.ts'
import {
  appears,
  type FlowCommandContext,
  LOOKUP_MS,
  lookupMs,
  MARGIN_MS,
  noAssertion,
  notFound,
  OPTIONAL_LOOKUP_MS,
  type Perform,
  passed,
  SETTLE_MS_MAX,
  settle,
  stillThere,
} from './commands.ts'
import { CommandFailed, flowErrorOf } from './failure.ts'

const mustAppear = async (context: FlowCommandContext, selector: FlowSelector, ms: number) => {
  const { isSo, answer } = await appears(context, selector, { ms })
  if (!isSo) passed(answer, notFound(selector, ms))
}

const mustGo = async (context: FlowCommandContext, selector: FlowSelector, ms: number) => {
  const { isSo, answer } = await appears(context, selector, { ms, state: 'gone' })
  if (!isSo) passed(answer, stillThere(selector, ms))
}

/** A condition looks for as long as an optional command; one that needs no phone is judged at once. */
export const holds = async (condition: Condition, context: FlowCommandContext): Promise<boolean> => {
  const { platform, visible, notVisible, isTrue } = condition
  if (platform !== undefined && platform.toLowerCase() !== 'android') return false
  if (isTrue === false) return false
  if (visible && !(await appears(context, visible, { ms: lookupMs(context, OPTIONAL_LOOKUP_MS) })).isSo) return false
  if (!notVisible) return true
  return (await appears(context, notVisible, { ms: lookupMs(context, OPTIONAL_LOOKUP_MS), state: 'gone' })).isSo
}

export const settingOf = async ({ attempt, signal }: FlowCommandContext, name: string): Promise<unknown> => {
  const read = await attempt.phones.settings(attempt.deviceId, signal)
  if (!read.ok) throw new CommandFailed(flowErrorOf(read.error))
  return read.settings[name]
}

const mode = async (context: FlowCommandContext, isDark: boolean) => {
  if ((await settingOf(context, 'dark_mode')) !== isDark)
    throw noAssertion(`The phone is in ${isDark ? 'light' : 'dark'} mode, not in ${isDark ? 'dark' : 'light'} mode.`)
}

type AssertCommand =
  | 'assertVisible'
  | 'assertNotVisible'
  | 'assertTrue'
  | 'extendedWaitUntil'
  | 'waitForAnimationToEnd'
  | 'assertDarkMode'
  | 'assertLightMode'

export const ASSERTIONS = {
  assertVisible: ({ selector }, context) => mustAppear(context, selector, lookupMs(context, LOOKUP_MS)),
  assertNotVisible: ({ selector }, context) => mustGo(context, selector, lookupMs(context, LOOKUP_MS)),
  async assertTrue({ holds: isTrue, written }) {
    if (!isTrue) throw noAssertion(`${shownText(written)} is not true.`)
  },
  async extendedWaitUntil({ visible, notVisible, timeoutMs = LOOKUP_MS }, context) {
    const ms = lookupMs(context, timeoutMs)
    if (visible) await mustAppear(context, visible, ms)
    if (notVisible) await mustGo(context, notVisible, ms)
  },
  async waitForAnimationToEnd({ timeoutMs }, context) {
    for (let leftMs = timeoutMs; ; leftMs -= SETTLE_MS_MAX) {
      const ms = Math.min(leftMs, SETTLE_MS_MAX)
      const steps = passed(await context.call([settle(ms)], { timeoutMs: ms + MARGIN_MS }))
      if (steps.at(-1)?.data.settled === 'true' || leftMs <= SETTLE_MS_MAX) return
    }
  },
  assertDarkMode: (_, context) => mode(context, true),
  assertLightMode: (_, context) => mode(context, false),
} satisfies { [Name in AssertCommand]: Perform<Name> }
