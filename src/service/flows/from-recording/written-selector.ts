/** The matcher of a recorded action as the selector of a flow. */
import { type Matcher, RELATIONS } from '../../../contracts/executions/matcher.ts'
import { writtenPattern, writtenText } from './written-text.ts'

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
