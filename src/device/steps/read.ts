/** read_text, read_key_value_pair and snapshot; take_screenshot has a file of its own. */

import { contentOf, labelOf, readingOf, type UiNode, type UiTree } from '../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import { inSlices, type Sliced } from '../../runtime/yielding.ts'
import type { Step, StepContext } from '../screen/context.ts'
import { findIn, nodeNotFound, treeFor, treeOf } from '../screen/locate.ts'
import { describeMatcher } from '../screen/match.ts'
import type { PatternResult, PatternTask } from '../screen/patterns/pattern.ts'
import { indexTexts } from '../screen/patterns/text-index.ts'
import { retrying } from '../screen/retry.ts'
import { searching } from '../screen/search.ts'
import { writingSnapshot } from '../screen/snapshot-xml.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { valueBeside } from '../screen/value-beside-label.ts'
import type { Performers } from './performer.ts'
import { takeScreenshot } from './take-screenshot.ts'

export type Validator = 'temperature' | 'version' | 'regex'

/** A longer text fails its validator unread. */
export const VALIDATED_CHARS_MAX = 10_000

/** A number with a degree sign or a unit, and nothing else: `72°F`, `-3,5 °C`, `21 degrees`. */
const TEMPERATURE = /^[-+−]?\d{1,4}(?:[.,]\d{1,2})?\s?(?:°\s?[CFK]?|℃|℉|[CFK]|degrees?)$/i
/** Numbers joined by dots, perhaps announced and followed by a build: `15`, `v1.2.3`, `Version 10.1 (build 7)`. */
const VERSION = /^(?:v(?:er(?:sion)?)?\.?\s?)?\d{1,9}(?:\.\d{1,9}){0,7}(?:(?:\.[a-z]|[-+_ (])[\w.+() -]{0,64})?$/i

interface ValidatedTexts extends PatternTask {
  validator: Validator
}

type Validated = { ok: true } | { ok: false; problem: string }

const FITS: Validated = { ok: true }
const misfit = (problem: string): Validated => ({ ok: false, problem })

const quoted = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

/** A regex is looked for anywhere in the text; the named validators are about the whole of it, trimmed. */
export const validate = async (
  { validator, pattern, texts }: ValidatedTexts,
  match: (task: PatternTask) => Promise<PatternResult>,
): Promise<Validated> => {
  const long = texts.find(text => text.length > VALIDATED_CHARS_MAX)
  if (long !== undefined) {
    return misfit(`the text has ${long.length} characters, and a validator reads at most ${VALIDATED_CHARS_MAX}`)
  }
  if (validator === 'regex') {
    const index = await match({ pattern, texts })
    if (typeof index === 'string') return misfit(index)
    return index < 0 ? FITS : misfit(`the text ${quoted(texts[index] ?? '')} does not match ${pattern}`)
  }
  const expected = validator === 'temperature' ? TEMPERATURE : VERSION
  const other = texts.find(text => !expected.test(text.trim()))
  return other === undefined ? FITS : misfit(`the text ${quoted(other)} is not a ${validator}`)
}

/** At least one; the first alone unless all are asked for. */
const findThem = async (
  tree: UiTree,
  { matcher, all, container }: { matcher: Matcher; all: boolean; container?: Matcher | undefined },
  context: StepContext,
): Promise<UiNode[]> => {
  const around = container && (await findIn(tree, container, context))
  if (container && !around) throw nodeNotFound(container, tree)
  const most = all ? Number.POSITIVE_INFINITY : 1
  const found = await inSlices(searching(tree.roots, matcher, { most, within: around }), context)
  if (found.length === 0) throw nodeNotFound(matcher, tree)
  return found.map(({ node }) => node)
}

interface Pair {
  label: string
  value: string
}

/** The pairs of the labels that have a value. */
const pairsOf = function* ({ roots }: UiTree, labels: readonly UiNode[]): Sliced<Pair[]> {
  const index = yield* indexTexts(roots)
  const pairs: Pair[] = []
  for (const label of labels) {
    yield
    const value = valueBeside(label, index)
    if (value) pairs.push({ label: labelOf(label), value: readingOf(value) })
  }
  return pairs
}

/** A person sees of a field its text, else the hint that stands there. */
const readingOrHint = (node: UiNode): string =>
  contentOf(node) || (node.hint ?? node.hintText ?? '') || node.contentDesc

const readText: Step<'read_text'> = (params, context) => {
  const { all, validator, validatorPattern = '', retry, orHint } = params
  return retrying(retry, context, async () => {
    const texts = (
      await findThem(await treeOf(context, treeFor(params.matcher, params.container)), params, context)
    ).map(orHint ? readingOrHint : readingOf)
    const until = { signal: context.signal, leftMs: context.deadline - context.clock.now() }
    const verdict =
      validator &&
      (await validate({ validator, pattern: validatorPattern, texts }, task => context.matchPattern(task, until)))
    if (verdict && !verdict.ok) throw new StepFailure('VALIDATOR_MISMATCH', verdict.problem)
    return { text: all ? JSON.stringify(texts) : texts.join(''), count: String(texts.length) }
  })
}

/** With `all`, label and value are JSON array strings of the same length: the labels that have a value, and their values. */
const readKeyValuePair: Step<'read_key_value_pair'> = ({ labelMatcher, all, retry }, context) =>
  retrying(retry, context, async () => {
    const tree = await treeOf(context, treeFor(labelMatcher))
    const labels = await findThem(tree, { matcher: labelMatcher, all }, context)
    const pairs = await inSlices(pairsOf(tree, labels), context)
    const [first] = pairs
    if (!first) {
      throw new StepFailure(
        'VALUE_NODE_NOT_FOUND',
        `the label that matches ${describeMatcher(labelMatcher)} has no value`,
      )
    }
    if (!all) return { ...first }
    return {
      label: JSON.stringify(pairs.map(({ label }) => label)),
      value: JSON.stringify(pairs.map(({ value }) => value)),
    }
  })

const snapshot: Step<'snapshot'> = async (_params, context) => ({
  text: await inSlices(writingSnapshot(await treeOf(context, { complete: true })), context),
  foreground_package: await context.driver.foregroundPackage(),
})

export const READ_STEPS = {
  read_text: { screen: readText },
  read_key_value_pair: { screen: readKeyValuePair },
  snapshot: { screen: snapshot },
  take_screenshot: { link: takeScreenshot },
} as const satisfies Partial<Performers>
