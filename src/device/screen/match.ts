/** Tells whether a node is one that a matcher of the contract means, as far as the node itself says it. */
import type { ElementIdentity } from '../../contracts/device/element-identity.ts'
import { hasRole, isTextField } from '../../contracts/device/role.ts'
import { type FoundNode, isOnScreen, labelOf, type UiNode, walk } from '../../contracts/device/ui-tree.ts'
import { type Matcher, RELATIONS, type RelatedMatcher, type Relation } from '../../contracts/executions/matcher.ts'
import { PIECE, type Sliced } from '../../runtime/yielding.ts'
import { describeFlowSelector } from './patterns/flow-words.ts'
import { labelPattern } from './patterns/label-pattern.ts'

/** The field that keys go to. */
export const isFocusedField = (node: UiNode): boolean => node.focused && isOnScreen(node) && isTextField(node)

type Test = (node: UiNode) => boolean

/** Marks that set the direction of a text are invisible: no caller who reads the screen could know of them. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
export const visible = (text: string): string => text.replace(DIRECTION_MARKS, '') || text

type Read = (node: UiNode) => string

const equals = (wanted: string, read: Read): Test => {
  const exact = visible(wanted)
  return node => visible(read(node)) === exact
}

const contains = (wanted: string, read: Read): Test => {
  const lower = visible(wanted).toLowerCase()
  return node => visible(read(node)).toLowerCase().includes(lower)
}

type OwnKey = Exclude<keyof Matcher, Relation | 'index' | 'flow' | 'element' | 'pageElement'>

const TESTS: { [K in OwnKey]: (wanted: NonNullable<Matcher[K]>) => Test } = {
  resourceId: wanted => node => node.resourceId === wanted,
  role: wanted => node => hasRole(node, wanted),
  textEquals: wanted => equals(wanted, labelOf),
  textContains: wanted => contains(wanted, labelOf),
  textMatches: wanted => {
    const matches = labelPattern(wanted)
    return node => matches(visible(labelOf(node)))
  },
  contentDescEquals: wanted => equals(wanted, node => node.contentDesc),
  contentDescContains: wanted => contains(wanted, node => node.contentDesc),
  enabled: wanted => node => node.enabled === wanted,
  checked: wanted => node => node.checked === wanted,
  selected: wanted => node => node.selected === wanted,
  focused: wanted => node => node.focused === wanted,
  // The host has put another matcher in its place; one that comes this far must touch nothing.
  ref: () => () => false,
}

const OWN_KEYS = Object.keys(TESTS) as OwnKey[]

const testOf = <K extends OwnKey>(key: K, matcher: Matcher): Test[] => {
  const wanted = matcher[key]
  return wanted === undefined ? [] : [TESTS[key](wanted)]
}

/** True for nodes on the screen that every key of the matcher about themselves fits. */
export const matching = (matcher: Matcher): Test => {
  const tests = OWN_KEYS.flatMap(key => testOf(key, matcher))
  return node => isOnScreen(node) && tests.every(test => test(node))
}

export const relationsOf = (matcher: Matcher): { relation: Relation; to: RelatedMatcher }[] =>
  RELATIONS.flatMap(relation => {
    const to = matcher[relation]
    return to === undefined ? [] : [{ relation, to }]
  })

/** The first node below these that passes the test. */
export const firstWhere = function* (
  roots: readonly UiNode[],
  test: Test,
  parent?: FoundNode,
): Sliced<FoundNode | undefined> {
  let seen = 0
  for (const found of walk(roots, parent)) {
    seen += 1
    if (seen % PIECE === 0) yield
    if (test(found.node)) return found
  }
  return undefined
}

/** The node itself, then the nodes around it. */
export const withAncestors = function* (from: FoundNode): Generator<FoundNode> {
  for (let found: FoundNode | undefined = from; found; found = found.parent) yield found
}

/** A person tells an element by its words, else by its id. */
const describeElement = ({ className, resourceId, text, contentDesc, hint }: ElementIdentity): string => {
  const words = text || contentDesc || hint
  const label = words ? JSON.stringify(words) : resourceId
  return `element=(${[className, label].filter(part => part !== '').join(' ')})`
}

/** `key=value` of each key, as messages name a matcher. */
export const describeMatcher = (matcher: Matcher): string =>
  [
    ...OWN_KEYS.flatMap(key => (matcher[key] === undefined ? [] : [`${key}=${matcher[key]}`])),
    ...relationsOf(matcher).map(({ relation, to }) => `${relation}=(${describeMatcher(to)})`),
    ...(matcher.index === undefined ? [] : [`index=${matcher.index}`]),
    ...(matcher.flow === undefined ? [] : [describeFlowSelector(matcher.flow)]),
    ...(matcher.element === undefined ? [] : [describeElement(matcher.element)]),
    ...(matcher.pageElement === undefined
      ? []
      : [`pageElement=${matcher.pageElement.label ?? matcher.pageElement.element}`]),
  ].join(', ')
