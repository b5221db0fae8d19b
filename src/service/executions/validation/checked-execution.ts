/** The schema of an execution with the rule that contracts leave open: what matches a pattern must be able to read it. */
import * as v from 'valibot'
import { Action } from '../../../contracts/executions/action.ts'
import { Execution } from '../../../contracts/executions/execution.ts'
import { MATCHER_PARAMS, PLACE_PARAMS, RELATIONS } from '../../../contracts/executions/matcher.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { closedObject } from '../../../contracts/json/objects.ts'
import { readFlowPattern } from '../../../device/screen/patterns/flow-program.ts'
import { readPattern } from '../../../device/screen/patterns/label-pattern.ts'
import { once } from '../../../runtime/once.ts'

interface Place {
  value: unknown
  path: readonly v.IssuePathItem[]
}

interface PatternProblem {
  message: string
  path: readonly v.IssuePathItem[]
}

/** Without a value where the schema has found something else than an object. */
const below = ({ value, path }: Place, key: string): Place => {
  if (!isObject(value) || !Object.hasOwn(value, key)) return { value: undefined, path }
  const child = value[key]
  return { value: child, path: [...path, { type: 'object', origin: 'value', input: value, key, value: child }] }
}

const items = ({ value, path }: Place): Place[] =>
  Array.isArray(value)
    ? value.map((item, key) => ({
        value: item,
        path: [...path, { type: 'array', origin: 'value', input: value, key, value: item }],
      }))
    : []

const labelProblems = (matcher: Place): PatternProblem[] => {
  const { value, path } = below(matcher, 'textMatches')
  const read = typeof value === 'string' ? readPattern(value) : undefined
  return read?.ok === false
    ? [{ message: `must be a regular expression: at position ${read.at}, ${read.problem}`, path }]
    : []
}

/** A text that is no regular expression is meant as it stands, so only what cannot be matched is refused. */
const flowProblems = (selector: Place): PatternProblem[] => {
  if (selector.value === undefined) return []
  const own = ['text', 'id'].flatMap(key => {
    const { value, path } = below(selector, key)
    const read = typeof value === 'string' ? readFlowPattern(value) : undefined
    return read?.kind === 'unsupported' ? [{ message: `is a regular expression that ${read.problem}`, path }] : []
  })
  const inner = [...RELATIONS.map(key => below(selector, key)), ...items(below(selector, 'containsDescendants'))]
  return [...own, ...inner.flatMap(flowProblems)]
}

const matcherProblems = (matcher: Place): PatternProblem[] =>
  matcher.value === undefined
    ? []
    : [
        ...labelProblems(matcher),
        ...RELATIONS.flatMap(relation => labelProblems(below(matcher, relation))),
        ...flowProblems(below(matcher, 'flow')),
      ]

const patternProblems = (action: unknown): PatternProblem[] => {
  const params = below({ value: action, path: [] }, 'params')
  return [
    ...MATCHER_PARAMS.map(param => below(params, param)),
    ...PLACE_PARAMS.map(param => below(below(params, param), 'matcher')),
  ].flatMap(matcherProblems)
}

/** Made when it is needed: the schema that most executions are checked with stays the only one of its form, and fast. */
const checkedExecution = once(() => {
  const [, least, most] = Execution.entries.actions.pipe
  const checkedAction = v.pipe(
    Action,
    v.rawCheck(({ dataset, addIssue }) => {
      for (const { message, path } of patternProblems(dataset.value)) {
        const [first, ...others] = path
        addIssue({ message, path: first && [first, ...others] })
      }
    }),
  )
  return closedObject({ ...Execution.entries, actions: v.pipe(v.array(checkedAction), least, most) })
})

const PATTERN_KEYS: ReadonlySet<string> = new Set(['textMatches', 'flow', 'matcher', ...RELATIONS])

/** Also true of a place and of params that only look like a matcher: then all are read. */
const mayHavePatterns = (action: unknown): boolean => {
  const params = isObject(action) ? action.params : undefined
  if (!isObject(params)) return false
  for (const param in params) {
    const holder = params[param]
    if (isObject(holder)) for (const key in holder) if (PATTERN_KEYS.has(key)) return true
  }
  return false
}

/** Most executions have no pattern, and nothing more to be checked than their shape. */
export const schemaFor = (payload: unknown): v.GenericSchema<unknown, Execution> =>
  isObject(payload) && Array.isArray(payload.actions) && payload.actions.some(mayHavePatterns)
    ? checkedExecution()
    : Execution
