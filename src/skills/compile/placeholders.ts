/** Section Skills, compile: `{{VAR}}` inside the strings of a recipe, filled in once. */

import { TEMPLATE_PLACEHOLDERS } from '../../contracts/actions/overlay.ts'
import { isObject } from '../../contracts/json.ts'

export type Vars = Readonly<Record<string, string | number | boolean>>

export type Filled =
  | { ok: true; value: unknown }
  | { ok: false; problem: 'missing'; names: readonly string[] }
  | { ok: false; problem: 'large' }

/** Doubled pairs are literal braces of on-screen log templates, and no placeholders. */
const PLACEHOLDER = /\{\{\{\{|\}\}\}\}|\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g

/** The name, where a string is one placeholder and nothing else. */
export const wholePlaceholder = (text: string): string | undefined =>
  /^\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}$/.exec(text)?.[1]

/** The device fills these in; they stay, unless the caller has a variable of that name. */
const DEVICE_NAMES: ReadonlySet<string> = new Set(TEMPLATE_PLACEHOLDERS)

export const hasPlaceholder = (text: string): boolean =>
  [...text.matchAll(PLACEHOLDER)].some(([, name]) => name !== undefined && !DEVICE_NAMES.has(name))

/**
 * A string that is one placeholder becomes its value, of the value's own type; elsewhere values are text. They are put in
 * and not looked at again, so that a placeholder inside a value stays text. `charsMax` bounds what all values together
 * add: a megabyte of placeholders times a megabyte of value is not a payload.
 */
export const fillPlaceholders = (recipe: unknown, vars: Vars, charsMax: number): Filled => {
  const missing = new Set<string>()
  let left = charsMax

  const spend = (value: string): string => {
    left -= value.length
    return left < 0 ? '' : value
  }

  const fillText = (text: string): string =>
    text.replace(PLACEHOLDER, (found: string, name: string | undefined) => {
      if (name === undefined) return found
      const value = Object.hasOwn(vars, name) ? vars[name] : undefined
      if (value === undefined) {
        if (!DEVICE_NAMES.has(name)) missing.add(name)
        return found
      }
      return spend(String(value))
    })

  const fillValue = (text: string): unknown => {
    const name = wholePlaceholder(text)
    const value = name !== undefined && Object.hasOwn(vars, name) ? vars[name] : undefined
    if (value === undefined || typeof value === 'string') return fillText(text)
    spend(String(value))
    return value
  }

  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillValue(value)
    if (Array.isArray(value)) return value.map(fill)
    if (!isObject(value)) return value
    // fromEntries defines properties, so a key `__proto__` stays a key.
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [fillText(key), fill(child)]))
  }

  const value = fill(recipe)
  if (missing.size > 0) return { ok: false, problem: 'missing', names: [...missing] }
  return left < 0 ? { ok: false, problem: 'large' } : { ok: true, value }
}
