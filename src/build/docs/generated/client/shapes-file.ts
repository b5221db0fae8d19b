/** `src/surfaces/library/generated/shapes.ts`: the public shapes, the requests and the actions as plain TypeScript, for those who use the library. */

import { CARDS } from '../../../../contracts/actions/cards.ts'
import { Action, type ActionType } from '../../../../contracts/executions/action.ts'
import { SCHEMAS } from '../../../../contracts/json/public-shapes.ts'
import { OPERATIONS } from '../../../../contracts/operations/all.ts'
import type { Operation } from '../../../../contracts/operations/operation.ts'
import { ROUTES, type RouteId } from '../../../../contracts/operations/routes.ts'
import { declaredText, hasTwoSides, type Naming, type Schema, type Side, typeText } from './type-text.ts'

const HEADER = `/** The shapes that svc takes and answers. Generated from its contract by the build: edits are lost. */
`

const asSchema = (value: unknown) => value as Schema

const NAMES: ReadonlyMap<Schema, string> = new Map(
  Object.entries(SCHEMAS).map(([name, schema]) => [asSchema(schema), name]),
)

/** Names that are used by what was written so far, with the side that each stands for. */
const createNaming = () => {
  const wanted = new Map<string, { schema: Schema; side: Side }>()
  const naming: Naming = {
    nameOfEntries: (entries, side) => {
      const same = [...NAMES.keys()].find(schema => schema.entries === entries)
      return same && naming.nameOf(same, side)
    },
    nameOf(schema, side) {
      const plain = NAMES.get(schema)
      if (plain === undefined) return undefined
      const name = side === 'input' && hasTwoSides(schema) ? `${plain}Input` : plain
      if (!wanted.has(name)) wanted.set(name, { schema, side })
      return name
    },
  }
  return { naming, wanted }
}

const declaration = (name: string, text: string): string =>
  text.startsWith('{') && text.endsWith('\n}') && !text.includes('\n} ') && text !== '{}'
    ? `export interface ${name} ${text}`
    : `export type ${name} = ${text}`

const isSchema = (answers: Operation['answers']): boolean => typeof answers === 'object' && 'kind' in answers

const answerText = (answers: Operation['answers'], naming: Naming): string | undefined => {
  if (answers === 'any') return '{ [key: string]: unknown }'
  if (isSchema(answers)) return typeText(asSchema(answers), 'output', naming)
  if (!('type' in answers)) return undefined
  return answers.type === 'text/html' ? 'string' : 'Uint8Array'
}

const ANY_NAME: Naming = { nameOf: () => 'Any', nameOfEntries: () => 'Any' }

/** Pages for people, streams and the protocols inside of HTTP have no answer that a call could return. */
const isCallable = (id: RouteId): boolean => {
  const { answers, takesAnyQuery, isBodyOfProtocol }: Operation = OPERATIONS[id]
  return !takesAnyQuery && !isBodyOfProtocol && answerText(answers, ANY_NAME) !== undefined
}

export const CALLABLE = (Object.keys(ROUTES) as RouteId[]).filter(isCallable)

const inputText = (id: RouteId, naming: Naming): string => {
  const { body, query }: Operation = OPERATIONS[id]
  const [, path] = ROUTES[id]
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => `${name}: string`)
  const parts = [
    ...(named.length === 0 ? [] : [`{ ${named.join('; ')} }`]),
    ...[body, query].flatMap(schema => (schema ? [typeText(asSchema(schema), 'input', naming)] : [])),
  ]
  return parts.length === 0 ? '{}' : parts.map(part => (part.includes(' | ') ? `(${part})` : part)).join(' & ')
}

const requestsText = (naming: Naming): string => {
  const lines = CALLABLE.map(id => {
    const { summary, answers }: Operation = OPERATIONS[id]
    const [method, path] = ROUTES[id]
    const input = inputText(id, naming).replaceAll('\n', '\n    ')
    const answer = (answerText(answers, naming) ?? '').replaceAll('\n', '\n    ')
    return `  /** ${summary} (\`${method} ${path}\`) */\n  '${id}': {\n    input: ${input}\n    answer: ${answer}\n  }`
  })
  return `/** Every request: what it takes, and what it answers. */\nexport interface Requests {\n${lines.join('\n')}\n}`
}

const pascal = (type: string) => type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
export const methodName = (type: string) => type.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const keysText = (keys: readonly string[]) => keys.map(key => `'${key}'`).join(' | ')

const dataText = (type: ActionType): string => {
  const { data, notes = [] } = CARDS[type]
  const always = data.length === 0 ? '{}' : `Record<${keysText(data)}, string>`
  return notes.length === 0 ? always : `${always} & Partial<Record<${keysText(notes)}, string>>`
}

const methodsText = (naming: Naming): { params: string; methods: string } => {
  const params: string[] = []
  const methods = Action.options.map(option => {
    const type = option.entries.type.literal
    const { params: paramsSchema } = option.entries as { params: unknown }
    const schema = asSchema(paramsSchema)
    const isOptional = schema.type === 'exact_optional'
    const text = typeText(schema, 'input', naming)
    const name = `${pascal(type)}Params`
    params.push(`/** The params of the action \`${type}\`. */\n${declaration(name, text)}`)
    const { failures } = CARDS[type]
    const failing = failures.length === 0 ? '' : ` Fails with ${failures.join(', ')}.`
    return (
      `  /** The action \`${type}\`.${failing} */\n` +
      `  ${methodName(type)}(params${isOptional ? '?' : ''}: ${name}, options?: Options): Promise<Answer<${dataText(type)}>>`
    )
  })
  return {
    params: params.join('\n\n'),
    methods:
      '/** Each action of an execution as a method, for any type of options and of an answer. */\n' +
      `export interface ActionMethods<Options> {\n${methods.join('\n')}\n}`,
  }
}

const ANSWER = `/** The answer of a call that acted: its receipt has the id, and \`observed\` is there where the caller asked for it. */
export interface Answer<Data> {
  executionId: string
  data: Data
  observed?: ObservedScreen
}

/** The screen after an execution: what has changed on it, in compact lines. */
export interface ObservedScreen {
  screen?: number
  text: string
}`

export const shapesFile = (): string => {
  const { naming, wanted } = createNaming()
  const { params, methods } = methodsText(naming)
  const parts = [
    ANSWER,
    typeText(asSchema(SCHEMAS.Action), 'input', naming) && '',
    requestsText(naming),
    params,
    methods,
  ]
  for (const schema of [SCHEMAS.TransitionRecord, SCHEMAS.GapData, SCHEMAS.LogLine, SCHEMAS.LogGap, SCHEMAS.LogsQuery])
    typeText(asSchema(schema), 'output', naming)
  const declared: string[] = []
  // A declaration may name others, which are added to the map while it is walked.
  for (const [name, { schema, side }] of wanted) declared.push(declaration(name, declaredText(schema, side, naming)))
  return `${HEADER}\n${[...parts.filter(Boolean), ...declared.sort()].join('\n\n')}\n`
}
