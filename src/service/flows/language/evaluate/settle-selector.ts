/** Selectors and conditions with their expressions evaluated. */
import { FLOW_PATTERN_CHARS_MAX, type FlowSelector } from '../../../../contracts/flows/flow-selector.ts'
import { type Coerced, countOf, flagOf, integerOf, isTruthy, platformOf, traitsOf } from '../coerce.ts'
import type { Command, Condition, InterpolateOptions } from '../command.ts'
import {
  type ConditionSource,
  isDynamic,
  SELECTOR_RELATIONS,
  type SelectorSource,
  type SelectorText,
  type TextParam,
} from '../params.ts'
import { shownText } from '../problem.ts'
import { type Evaluated, object, type SettleContext, type Settling, settling } from './context.ts'

export const settleText = async (
  { context }: Settling,
  { text }: TextParam,
  options?: InterpolateOptions,
): Promise<string> => (isDynamic(text) ? context.interpolate(text, options) : text)

export const settleTruth = async (work: Settling, param: TextParam): Promise<boolean> =>
  isTruthy(await settleText(work, param, { mayLackValue: true }))

/** Undefined where the value does not fit, which is then among the problems. */
export const settleValue = async <T>(
  work: Settling,
  param: TextParam | undefined,
  name: string,
  coerce: (text: string) => Coerced<T>,
): Promise<T | undefined> => {
  if (param === undefined) return undefined
  const text = await settleText(work, param)
  const coerced = coerce(text)
  if (coerced.ok) return coerced.value
  const source = text === param.text ? '' : ` (from ${shownText(param.text)})`
  const message = `${name} must be ${coerced.expected}; here it is ${JSON.stringify(shownText(text))}${source}.`
  return object(work, param.place, message, coerced.hint)
}

const patternOf = (text: string): Coerced<string> =>
  text.length <= FLOW_PATTERN_CHARS_MAX
    ? { ok: true, value: text }
    : { ok: false, expected: `at most ${FLOW_PATTERN_CHARS_MAX} characters` }

/** Only the keys that have a value. */
const present = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

export const settleSelector = async (work: Settling, source: SelectorSource): Promise<FlowSelector> => {
  const { texts, relations, containsDescendants } = source
  const value = <T>(key: SelectorText, coerce: (text: string) => Coerced<T>) =>
    settleValue(work, texts[key], key, coerce)
  const selector: FlowSelector = present({
    text: await value('text', patternOf),
    id: await value('id', patternOf),
    css: await value('css', patternOf),
    width: await value('width', countOf),
    height: await value('height', countOf),
    tolerance: await value('tolerance', countOf),
    enabled: await value('enabled', flagOf),
    selected: await value('selected', flagOf),
    checked: await value('checked', flagOf),
    focused: await value('focused', flagOf),
    traits: await value('traits', traitsOf),
    index: await value('index', integerOf),
  })
  for (const key of SELECTOR_RELATIONS) {
    const relation = relations[key]
    if (relation !== undefined) selector[key] = await settleSelector(work, relation)
  }
  if (containsDescendants !== undefined) {
    selector.containsDescendants = []
    for (const one of containsDescendants) selector.containsDescendants.push(await settleSelector(work, one))
  }
  return selector
}

const conditionOf = async (work: Settling, source: ConditionSource): Promise<Condition> => {
  const { platform, visible, notVisible, isTrue } = source
  return present({
    platform: await settleValue(work, platform, 'platform', platformOf),
    isTrue: isTrue && (await settleTruth(work, isTrue)),
    visible: visible && (await settleSelector(work, visible)),
    notVisible: notVisible && (await settleSelector(work, notVisible)),
  })
}

/** The `when` of a command, or the `while` of a repeat, which is asked anew before each round; undefined without one. */
export const settleCondition = async (
  command: Command,
  context: SettleContext,
): Promise<Evaluated<Condition | undefined>> => {
  const param = command.params.when ?? command.params.while
  if (param?.kind !== 'condition') return { ok: true, value: undefined }
  const work = settling(context)
  const value = await conditionOf(work, param.condition)
  return work.problems.length === 0 ? { ok: true, value } : { ok: false, problems: work.problems }
}
