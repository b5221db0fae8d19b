/** read_text and read_key_value_pair. */
import type { Matcher } from '../../../contracts/matcher.ts'
import { valueBeside } from '../beside.ts'
import type { Step, StepContext } from '../context.ts'
import { nodeNotFound, treeOf } from '../locate.ts'
import { describeMatcher, type FoundNode, findAll, findFirst, labelOf } from '../match.ts'
import { retrying } from '../retry.ts'
import { StepFailure } from '../step-failure.ts'
import { validate } from '../validator.ts'

/** At least one; the first alone unless all are asked for. */
const findThem = async (
  context: StepContext,
  { matcher, all, container }: { matcher: Matcher; all: boolean; container?: Matcher | undefined },
): Promise<FoundNode[]> => {
  const tree = await treeOf(context)
  const around = container && findFirst(tree, container)
  if (container && !around) throw nodeNotFound(container)
  const found = [...findAll(around ? around.node.children : tree.roots, matcher)]
  if (found.length === 0) throw nodeNotFound(matcher)
  return all ? found : found.slice(0, 1)
}

export const readText: Step<'read_text'> = (params, context) => {
  const { all, validator, validatorPattern = '', retry } = params
  return retrying(retry, context, async () => {
    const texts = (await findThem(context, params)).map(({ node }) => labelOf(node))
    const verdict = validator ? validate(validator, validatorPattern, texts) : undefined
    if (verdict && !verdict.ok) throw new StepFailure('VALIDATOR_MISMATCH', verdict.problem)
    return { text: all ? JSON.stringify(texts) : texts.join(''), count: String(texts.length) }
  })
}

/** With `all`, label and value are JSON array strings of the same length: the labels that have a value, and their values. */
export const readKeyValuePair: Step<'read_key_value_pair'> = ({ labelMatcher, all, retry }, context) =>
  retrying(retry, context, async () => {
    const labels = await findThem(context, { matcher: labelMatcher, all })
    const pairs = labels.flatMap(found => {
      const value = valueBeside(found)
      return value ? [{ label: labelOf(found.node), value: labelOf(value) }] : []
    })
    const [first] = pairs
    if (!first) {
      throw new StepFailure(
        'VALUE_NODE_NOT_FOUND',
        `the label that matches ${describeMatcher(labelMatcher)} has no value`,
      )
    }
    if (!all) return first
    return {
      label: JSON.stringify(pairs.map(({ label }) => label)),
      value: JSON.stringify(pairs.map(({ value }) => value)),
    }
  })
