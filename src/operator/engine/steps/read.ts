/** read_text and read_key_value_pair. */
import type { Matcher } from '../../../contracts/matcher.ts'
import { inSlices, type Sliced } from '../../../runtime/slices.ts'
import type { Step, StepContext } from '../context.ts'
import { findIn, nodeNotFound, treeOf } from '../locate.ts'
import { describeMatcher, labelOf, readingOf, searching } from '../match.ts'
import { retrying } from '../retry.ts'
import { StepFailure } from '../step-failure.ts'
import { indexTexts } from '../text-index.ts'
import type { UiNode, UiTree } from '../ui-tree.ts'
import { validate } from '../validator.ts'
import { valueBeside } from '../value-beside-label.ts'

/** At least one; the first alone unless all are asked for. */
const findThem = async (
  tree: UiTree,
  { matcher, all, container }: { matcher: Matcher; all: boolean; container?: Matcher | undefined },
  context: StepContext,
): Promise<UiNode[]> => {
  const around = container && (await findIn(tree, container, context))
  if (container && !around) throw nodeNotFound(container)
  const most = all ? Number.POSITIVE_INFINITY : 1
  const found = await inSlices(searching(around ? around.node.children : tree.roots, matcher, most), context)
  if (found.length === 0) throw nodeNotFound(matcher)
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

export const readText: Step<'read_text'> = (params, context) => {
  const { all, validator, validatorPattern = '', retry } = params
  return retrying(retry, context, async () => {
    const texts = (await findThem(await treeOf(context), params, context)).map(readingOf)
    const until = { signal: context.signal, leftMs: context.deadline - context.clock.now() }
    const verdict =
      validator &&
      (await validate({ validator, pattern: validatorPattern, texts }, task => context.matchPattern(task, until)))
    if (verdict && !verdict.ok) throw new StepFailure('VALIDATOR_MISMATCH', verdict.problem)
    return { text: all ? JSON.stringify(texts) : texts.join(''), count: String(texts.length) }
  })
}

/** With `all`, label and value are JSON array strings of the same length: the labels that have a value, and their values. */
export const readKeyValuePair: Step<'read_key_value_pair'> = ({ labelMatcher, all, retry }, context) =>
  retrying(retry, context, async () => {
    const tree = await treeOf(context)
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
