/** The patterns of matchers, which the schema holds as texts, are read before an execution is accepted. */
import { expect, test } from 'vitest'
import { Execution } from '../../../../src/contracts/executions/execution.ts'
import { Matcher } from '../../../../src/contracts/executions/matcher.ts'
import { isObject } from '../../../../src/contracts/json/json.ts'
import { childOf, entriesOf, type Schema } from '../../../../src/service/executions/validation/schema-tree.ts'
import { around, clicking, FULL_ACTIONS } from '../payloads.ts'
import { acceptance, refusal } from '../refusals.ts'

const problemsOf = (input: unknown) => refusal(input).details?.problems as { path: string; message: string }[]
const pathsOf = (input: unknown) => problemsOf(input).map(({ path }) => path)

/** The paths below the value at which the schema takes a matcher. */
const matcherPaths = (schema: Schema, value: unknown, path: readonly string[] = []): string[][] => {
  if (entriesOf(schema, value) === Matcher.entries) return [[...path]]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, child]) => {
    const inner = childOf(schema, value, key)
    return inner === undefined ? [] : matcherPaths(inner, child, [...path, key])
  })
}

const withValueAt = (value: unknown, [key, ...others]: readonly string[], leaf: object): unknown =>
  key === undefined
    ? leaf
    : { ...(value as object), [key]: withValueAt(Reflect.get(value as object, key), others, leaf) }

const PLACES = FULL_ACTIONS.flatMap(action =>
  matcherPaths(Execution.entries.actions.item, action).map(path => ({ type: action.type, action, path })),
)

test.each(PLACES)('a pattern that cannot be read is refused in $type, $path', ({ action, path }) => {
  const place = ['actions', '0', ...path].join('.')
  expect(pathsOf(around(withValueAt(action, path, { textMatches: '(' })))).toContain(`${place}.textMatches`)
  expect(pathsOf(around(withValueAt(action, path, { flow: { text: '(a)\\1' } })))).toContain(`${place}.flow.text`)
})

test.each<[name: string, matcher: object, path: string]>([
  ['the node of a relation', { role: 'text', childOf: { textMatches: '[' } }, 'childOf.textMatches'],
  ['the id of a flow', { flow: { id: '(a)\\1' } }, 'flow.id'],
  ['a selector inside of another', { flow: { below: { text: '(.)\\1' } } }, 'flow.below.text'],
  [
    'one of several descendants',
    { flow: { containsDescendants: [{ text: 'a' }, { above: { id: '\\k<a>' } }] } },
    'flow.containsDescendants.1.above.id',
  ],
])('so it is in %s', (_name, matcher, path) => {
  expect(pathsOf(clicking({ matcher }))).toEqual([`actions.0.params.matcher.${path}`])
})

test('a text of a flow that is no regular expression is meant as it stands', () => {
  acceptance(clicking({ matcher: { flow: { text: '(a', below: { id: '*' } } } }))
})

test('so it is at the end of a drag', () => {
  const drag = {
    id: 'a',
    type: 'drag',
    params: { from: { coordinate: { x: 1, y: 2 } }, to: { matcher: { textMatches: '(' } } },
  }
  expect(pathsOf(around(drag))).toEqual(['actions.0.params.to.matcher.textMatches'])
})

test('each problem is named once, in the order of the actions', () => {
  const click = (id: string, params: object) => ({ id, type: 'click', params })
  const wrong = around(
    click('a', { matcher: { textMatches: '(', textContains: '' } }),
    click('b', { matcher: { textMatches: `(${'a'.repeat(1_000)}` } }),
    click('c', { matcher: { nth: 1 }, clickType: 'default' }),
  )
  expect(pathsOf(wrong)).toEqual([
    'actions.0.params.matcher.textContains',
    'actions.0.params.matcher.textMatches',
    'actions.1.params.matcher.textMatches',
    'actions.2.params.matcher',
  ])
})
