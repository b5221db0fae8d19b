/** Section Record, parameters: the values seen become placeholders, and what was typed into password fields always does. */

import { TEMPLATE_PLACEHOLDERS } from '../../../contracts/actions/overlay-template.ts'
import type { Action } from '../../../contracts/executions/action.ts'
import { isObject } from '../../../contracts/json/json.ts'
import type { Refusal } from '../refusal.ts'
import { type FlowStep, recordFailed } from './flow.ts'
import { fieldNameAt, isSecretAt } from './secret-fields.ts'

export interface GivenParam {
  name: string
  /** The value as it was seen in the recorded steps. */
  value: string
}

export interface Input extends GivenParam {
  /** The name of the placeholder in the recipes. */
  variable: string
  /** Typed into a password field: its value is written nowhere. */
  secret: boolean
}

export interface ParameterizedFlow {
  ok: true
  steps: readonly FlowStep[]
  inputs: readonly Input[]
  /** A text with each value seen replaced by what `write` makes of its input. */
  replace(text: string, write: (input: Input) => string): string
  notes: readonly string[]
}

/** Parameters that a value may be a part of; a resource id must be the whole value. */
const TEXT_KEYS = ['text', 'textEquals', 'textContains', 'contentDescEquals', 'contentDescContains', 'uri']
const RESERVED = ['COMMAND_ID', 'TASK_ID']
const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g
const SHOWN_MAX = 10
const SHOWN_CHARS = 60

const variableOf = (name: string) => name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** A secret is found inside a word too, unless it is so short that it would be found everywhere. */
const SECRET_PART_CHARS = 4

/** Matches the values as whole words, the longest first, in a single pass. */
const patternOf = (inputs: readonly Input[]): RegExp => {
  const alternatives = [...inputs]
    .sort((a, b) => b.value.length - a.value.length)
    .map(({ value, secret }) =>
      secret && value.length >= SECRET_PART_CHARS
        ? escaped(value)
        : `(?<![\\p{L}\\p{N}_])${escaped(value)}(?![\\p{L}\\p{N}_])`,
    )
  return new RegExp(alternatives.join('|'), 'gu')
}

/** True when a secret is left in the texts to be written. */
export const hasSecret = (texts: unknown, inputs: readonly Input[]): boolean => {
  const json = JSON.stringify(texts)
  return inputs.some(
    ({ secret, value }) =>
      secret && value.length >= SECRET_PART_CHARS && json.includes(JSON.stringify(value).slice(1, -1)),
  )
}

const replaced = (text: string, inputs: readonly Input[], write: (input: Input) => string): string => {
  if (inputs.length === 0) return text
  const whole = inputs.find(({ value }) => value === text)
  if (whole) return write(whole)
  return text.replace(patternOf(inputs), found => {
    const input = inputs.find(({ value }) => value === found)
    return input ? write(input) : found
  })
}

type Visit = (text: string, key: string) => string

const mapped = (value: unknown, visit: Visit, key = ''): unknown => {
  if (typeof value === 'string') return visit(value, key)
  if (Array.isArray(value)) return value.map(item => mapped(item, visit, key))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, mapped(child, visit, name)]))
}

const paramsMapped = (action: Action, visit: Visit): Action =>
  action.params === undefined ? action : ({ ...action, params: mapped(action.params, visit) } as Action)

interface Seen {
  step: string
  key: string
  text: string
}

const textsOf = (steps: readonly FlowStep[]): Seen[] => {
  const seen: Seen[] = []
  for (const { action } of steps) {
    paramsMapped(action, (text, key) => {
      if (TEXT_KEYS.includes(key) || key === 'resourceId') seen.push({ step: action.id, key, text })
      return text
    })
  }
  return seen
}

/** Names a secret after its field. */
const secretName = (text: string, taken: readonly string[]): string => {
  const base = /^[A-Za-z][\w-]{0,40}$/.test(text.replace(/\s+/g, '-'))
    ? text.replace(/\s+/g, '-').toLowerCase()
    : 'password'
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`
    if (!taken.includes(name)) return name
  }
}

const secretsIn = (steps: readonly FlowStep[], params: readonly GivenParam[]): Input[] => {
  const secrets: Input[] = []
  for (const [place, { action }] of steps.entries()) {
    if (action.type !== 'enter_text' || !isSecretAt(place, steps)) continue
    const { text: value } = action.params
    if (secrets.some(secret => secret.value === value)) continue
    const names = [...params, ...secrets].map(({ name }) => name)
    const name = params.find(param => param.value === value)?.name ?? secretName(fieldNameAt(place, steps), names)
    secrets.push({ name, value, variable: variableOf(name), secret: true })
  }
  return secrets
}

const quotedText = ({ step, key, text }: Seen) => `"${text.slice(0, SHOWN_CHARS)}" (${key} of step "${step}")`

const nowhere = ({ name, value }: GivenParam, seen: readonly Seen[]): Refusal => {
  const looked = seen.slice(0, SHOWN_MAX).map(quotedText)
  const more = seen.length > looked.length ? `, and ${seen.length - looked.length} more` : ''
  const where =
    looked.length === 0
      ? 'The recorded steps have no texts and no matchers.'
      : `Looked at: ${looked.join(', ')}${more}.`
  return recordFailed(
    `--param ${name}: the value "${value}" is in no text and no matcher of the recorded steps. ${where}`,
    { param: name, lookedAt: seen },
    'Give the value exactly as it was typed or matched, upper and lower case included.',
  )
}

const clash = (inputs: readonly Input[]): Refusal | undefined => {
  for (const [index, input] of inputs.entries()) {
    const { name, variable, value } = input
    const earlier = inputs.slice(0, index).find(other => other.variable === variable || other.value === value)
    if (earlier) {
      const conflict = earlier.value === value ? 'stand for the same value' : 'differ too little'
      return recordFailed(`The parameters ${earlier.name} and ${name} ${conflict}.`, { params: [earlier.name, name] })
    }
    if (RESERVED.includes(variable)) return recordFailed(`A parameter cannot be called ${name}: recipes use that name.`)
  }
  return undefined
}

/** A text that a recipe would take for a placeholder of its own. */
const foreignPlaceholder = (steps: readonly FlowStep[]): Refusal | undefined => {
  const known: readonly string[] = TEMPLATE_PLACEHOLDERS
  for (const { step, text } of textsOf(steps)) {
    const name = [...text.matchAll(PLACEHOLDER)].map(([, each = '']) => each).find(each => !known.includes(each))
    if (name !== undefined) {
      return recordFailed(`A text of step "${step}" contains "{{${name}}}", which recipes read as a placeholder.`, {
        step,
      })
    }
  }
  return undefined
}

/** `params` are the parameters that the caller asks for. */
export const extractInputs = (
  steps: readonly FlowStep[],
  params: readonly GivenParam[],
): ParameterizedFlow | Refusal => {
  const secrets = secretsIn(steps, params)
  const plain = params
    .filter(param => !secrets.some(({ name, value }) => name === param.name && value === param.value))
    .map(param => ({ ...param, variable: variableOf(param.name), secret: false }))
  const inputs = [...plain, ...secrets]
  const wrong = clash(inputs) ?? foreignPlaceholder(steps)
  if (wrong) return wrong
  const seen = textsOf(steps)
  const used = new Set<Input>()
  const visit: Visit = (text, key) => {
    const write = (input: Input) => {
      used.add(input)
      return `{{${input.variable}}}`
    }
    if (key === 'resourceId') {
      const whole = inputs.find(({ value }) => value === text)
      return whole ? write(whole) : text
    }
    return TEXT_KEYS.includes(key) ? replaced(text, inputs, write) : text
  }
  const parameterized = steps.map(step => ({ ...step, action: paramsMapped(step.action, visit) }))
  const unused = plain.find(input => !used.has(input))
  // The notes may quote the texts on the screen, but never the text of a password field.
  const tellable = seen.filter(({ text }) => !secrets.some(({ value }) => text.includes(value)))
  if (unused) return nowhere(unused, tellable)
  const notes = secrets.map(({ name }) => `what was typed into a password field is the required parameter --${name}`)
  const unknown = steps.filter(({ action }, place) => action.type === 'enter_text' && !isSecretAt(place, steps))
  const isBlind = steps.every(({ screen }) => screen === undefined)
  if (isBlind && unknown.length > 0) {
    notes.push(
      'no snapshot shows the fields that were typed into: what was typed is written into the recipe, unless it is a parameter',
    )
  }
  return { ok: true, steps: parameterized, inputs, replace: (text, write) => replaced(text, inputs, write), notes }
}
