/** How values of callers appear in messages: quoted, on one line, and never longer than a few words. */
const SHOWN_CHARS = 60
const CLAUSE_CHARS = 200

/** A pair that is cut in two would leave a lone surrogate in the message. */
const cut = (text: string, chars: number) => text.slice(0, chars).replace(/\p{Cs}$/u, '')

export const quoted = (text: string): string =>
  text.length > SHOWN_CHARS ? `${JSON.stringify(cut(text, SHOWN_CHARS))}...` : JSON.stringify(text)

export const clipped = (text: string): string => (text.length > CLAUSE_CHARS ? `${cut(text, CLAUSE_CHARS)}...` : text)

const KINDS: Record<string, (value: unknown) => string> = {
  string: value => quoted(String(value)),
  number: value => (Number.isFinite(value) ? String(value) : 'not a finite number'),
  boolean: String,
  undefined: () => 'missing',
  object: value => {
    if (value === null) return 'null'
    if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
    return 'an object'
  },
}

export const shownValue = (value: unknown): string => KINDS[typeof value]?.(value) ?? `a ${typeof value}`

/** `"a", "b" and 7 more`. */
export const listed = (names: readonly string[], most: number): string => {
  const rest = names.length - most
  return names.slice(0, most).map(quoted).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
