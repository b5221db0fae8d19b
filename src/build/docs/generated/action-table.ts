/** The actions of an execution with their params, their data and their failures, from the schemas of the contract. */

import { CARDS } from '../../../contracts/actions/cards.ts'
import { ACTION_TYPES, Action } from '../../../contracts/executions/action.ts'
import { toSchema } from '../../../contracts/json/to-json-schema.ts'
import { code, markdownTable } from './table.ts'

interface Shape {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  default?: unknown
  anyOf?: readonly Shape[]
  oneOf?: readonly Shape[]
  items?: Shape
  minItems?: number
  maxItems?: number
}

const RETRIES = ['retry', 'scrollRetry', 'clickRetry']

const isMatcher = ({ properties = {} }: Shape) => Object.hasOwn(properties, 'textEquals')
const isPoint = ({ properties = {} }: Shape) => Object.keys(properties).join() === 'x,y'

const rangeOf = ({ minimum, maximum, minLength, maxLength }: Shape): string => {
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    return `, ${minimum}-${maximum}`
  if (minLength !== undefined || maxLength !== undefined) return `, ${minLength ?? 0}-${maxLength ?? '...'} characters`
  return ''
}

const unitOf = ({ properties = {} }: Shape) => properties.unit?.const

/** Points of which the unit tells the range. */
const isUnitPoint = ({ oneOf = [] }: Shape) => oneOf.length > 0 && oneOf.every(unitOf)
const isPlace = ({ properties = {} }: Shape) => Object.keys(properties).join() === 'matcher,coordinate'

const kindOf = (shape: Shape): string => {
  if (isUnitPoint(shape)) {
    const units = (shape.oneOf ?? []).map(each => code(String(unitOf(each))))
    const isOptional = shape.oneOf?.some(({ required = [] }) => !required.includes('unit'))
    return `\`{x, y, unit}\`, unit ${units.join(' or ')}${isOptional ? ', which may be left out' : ''}`
  }
  if (isPlace(shape)) return 'an object with `matcher` or `coordinate`'
  if (isMatcher(shape)) return 'a matcher'
  if (isPoint(shape)) return '`{x, y}`'
  if (shape.enum) return `one of ${shape.enum.map(each => code(String(each))).join(', ')}`
  if (shape.items) return `array of ${shape.minItems ?? 0}-${shape.maxItems ?? '...'} of ${kindOf(shape.items)}`
  if (shape.anyOf !== undefined) return 'see above'
  return `${shape.type ?? 'text'}${rangeOf(shape)}`
}

const defaultOf = ({ default: value }: Shape) => (value === undefined ? '' : `, default ${code(String(value))}`)

const paramLines = (params: Shape | undefined): string[][] =>
  Object.entries(params?.properties ?? {})
    .filter(([name]) => !RETRIES.includes(name))
    .map(([name, shape]) => [
      code(name),
      `${kindOf(shape)}${defaultOf(shape)}`,
      params?.required?.includes(name) ? 'yes' : '',
    ])

const SHAPES = new Map(
  Action.options.map((option): [string, Shape] => {
    const shape = toSchema(option) as Shape
    return [String(option.entries.type.literal), shape.properties?.params ?? {}]
  }),
)

const list = (names: readonly string[]) => names.map(code).join(', ') || 'none'

export const actionReference = (): string =>
  ACTION_TYPES.map(type => {
    const params = paramLines(SHAPES.get(type))
    const { data, failures, notes } = CARDS[type]
    const retries = RETRIES.filter(name => Object.hasOwn(SHAPES.get(type)?.properties ?? {}, name))
    return [
      `### ${type}`,
      params.length === 0 ? 'It takes no params.' : markdownTable(['param', 'value', 'required'], params),
      retries.length === 0 ? '' : `It also takes ${list(retries)}: see [retries](#retries).`,
      `Data of the step: ${list(data)}${notes ? `; at times ${list(notes)}` : ''}. Failures: ${list(failures)}.`,
    ]
      .filter(Boolean)
      .join('\n\n')
  }).join('\n\n')
