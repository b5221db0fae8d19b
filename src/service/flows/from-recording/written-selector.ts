/**
 * Texts and matchers of recorded actions as flows write them: placeholders of recipes become variables, a matcher
 * becomes a selector.
 */

import { type Matcher, RELATIONS } from '../../../contracts/executions/matcher.ts'

const PLACEHOLDER = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g
const SPECIAL = /[\\^$.|?*+()[\]{}]/g

/** Each part of the text between two variables is written by `write`. */
const withVariables = (text: string, variables: readonly string[], write: (part: string) => string): string => {
  let written = ''
  let from = 0
  for (const found of text.matchAll(PLACEHOLDER)) {
    const [whole, name = ''] = found
    if (!variables.includes(name)) continue
    written += `${write(text.slice(from, found.index))}\${${name}}`
    from = found.index + whole.length
  }
  return written + write(text.slice(from))
}

/** A text that is typed or opened: nothing in it but the variables is evaluated. */
export const writtenText = (text: string, variables: readonly string[]): string =>
  withVariables(text, variables, part => part.replaceAll('${', '\\${'))

/** A pattern that matches this text alone. */
const writtenPattern = (text: string, variables: readonly string[]): string =>
  withVariables(text, variables, part => part.replace(SPECIAL, '\\$&'))

export type WrittenSelector = Readonly<Record<string, unknown>>

const FLAGS = ['enabled', 'checked', 'selected', 'focused'] as const

const anywhere = (pattern: string) => `.*${pattern}.*`

/** Flows have one text, which is what a node says or its description. */
const textOf = (matcher: Matcher, variables: readonly string[]): string | undefined => {
  const { textEquals, textContains, textMatches, contentDescEquals, contentDescContains } = matcher
  const whole = textEquals ?? contentDescEquals
  if (whole !== undefined) return writtenPattern(whole, variables)
  if (textMatches !== undefined) return writtenText(textMatches, variables)
  const part = textContains ?? contentDescContains
  return part === undefined ? undefined : anywhere(writtenPattern(part, variables))
}

/** The keys that no selector of a flow says. */
const leftOut = ({ role, textEquals, textContains, textMatches, ...matcher }: Matcher): string[] => {
  const descriptions = [matcher.contentDescEquals, matcher.contentDescContains].filter(text => text !== undefined)
  const texts = [textEquals, textContains, textMatches].filter(text => text !== undefined)
  return [...(role === undefined ? [] : ['role']), ...(texts.length + descriptions.length > 1 ? ['a second text'] : [])]
}

export type SelectorWriting =
  | { readonly ok: true; readonly selector: WrittenSelector; readonly leftOut: readonly string[] }
  | { readonly ok: false }

/** A matcher with nothing but keys that flows lack cannot be written. */
export const writtenSelector = (matcher: Matcher, variables: readonly string[]): SelectorWriting => {
  if (matcher.flow) return { ok: true, selector: { ...matcher.flow }, leftOut: [] }
  const { resourceId, index } = matcher
  const text = textOf(matcher, variables)
  const ownKeys = {
    ...(resourceId === undefined ? {} : { id: writtenPattern(resourceId, variables) }),
    ...(text === undefined ? {} : { text }),
    ...Object.fromEntries(FLAGS.flatMap(flag => (matcher[flag] === undefined ? [] : [[flag, matcher[flag]]]))),
  }
  const missing = leftOut(matcher)
  const relations: Record<string, WrittenSelector> = {}
  for (const relation of RELATIONS) {
    const other = matcher[relation]
    if (other === undefined) continue
    const written = writtenSelector(other, variables)
    if (!written.ok) return written
    relations[relation] = written.selector
    missing.push(...written.leftOut)
  }
  const keys = { ...ownKeys, ...relations }
  if (Object.keys(keys).length === 0) return { ok: false }
  return { ok: true, selector: { ...keys, ...(index === undefined ? {} : { index }) }, leftOut: missing }
}

/** A text alone stands without its key. */
export const shortSelector = (selector: WrittenSelector): unknown => {
  const [only, ...others] = Object.keys(selector)
  return only === 'text' && others.length === 0 ? selector.text : selector
}
