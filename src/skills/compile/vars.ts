/** Section Compile artifact rules: `--vars`, a JSON object whose values go into the recipe as strings. */
import { parseJsonText } from '../../executions/parse-json.ts'
import { isObject } from '../json.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Vars } from './placeholders.ts'

export type ParsedVars = { ok: true; vars: Vars } | Refusal

const HINT = 'Give an object of strings, such as --vars \'{"NAME": "value"}\'.'

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : typeof value

const wrong = (said: string): Refusal => refuse('COMPILE_VARS_PARSE_FAILED', `--vars: ${said}`, { hint: HINT })

const SCALARS = ['string', 'number', 'boolean']

export const parseVars = (text = '{}'): ParsedVars => {
  const parsed = parseJsonText(text, { what: '--vars', code: 'COMPILE_VARS_PARSE_FAILED' })
  if (!parsed.ok) return parsed
  if (!isObject(parsed.value)) return wrong(`a JSON object is needed, not ${kindOf(parsed.value)}`)
  const entries = Object.entries(parsed.value)
  const odd = entries.find(([, value]) => !SCALARS.includes(typeof value))
  if (odd) return wrong(`${JSON.stringify(odd[0])} is ${kindOf(odd[1])}; a string, a number or a boolean is needed`)
  return { ok: true, vars: Object.fromEntries(entries.map(([name, value]) => [name, String(value)])) }
}
