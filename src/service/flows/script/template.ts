/** The pieces of a text with `${...}` in it: what stands as it is, and the scripts whose values take their places. */

export type Piece = { readonly text: string } | { readonly script: string }

/** A slash after one of these signs or words begins a regular expression. */
const BEFORE_PATTERN =
  /(?<!\+)\+$|(?<!-)-$|[(,=:[!&|?{};*%~^<>]$|(?:^|[^\w$])(?:return|typeof|case|in|of|delete|void|do|else)$|^$/

/** Deeper templates count as not closed. */
const LEVELS_MAX = 100

/** The index behind the string, pattern or comment that begins at `from`, or behind one character; undefined without an end. */
const skip = (text: string, from: number, start: number, level: number): number | undefined => {
  const sign = text[from]
  const after = (end: number, length: number) => (end < 0 ? undefined : end + length)
  if (sign === '"' || sign === "'") return closed(text, from, sign)
  if (sign === '`') return templateEnd(text, from, level)
  if (text.startsWith('//', from)) return after(text.indexOf('\n', from), 1)
  if (text.startsWith('/*', from)) return after(text.indexOf('*/', from + 2), 2)
  if (sign === '/' && BEFORE_PATTERN.test(text.slice(Math.max(start, from - 12), from).trimEnd())) {
    return patternEnd(text, from) ?? from + 1
  }
  return from + 1
}

const closed = (text: string, from: number, sign: string): number | undefined => {
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === sign) return at + 1
  }
  return undefined
}

const patternEnd = (text: string, from: number): number | undefined => {
  let isInClass = false
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '[') isInClass = true
    else if (text[at] === ']') isInClass = false
    else if (text[at] === '/' && !isInClass) return at + 1
  }
  return undefined
}

const templateEnd = (text: string, from: number, level: number): number | undefined => {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '`') return at + 1
    else if (text.startsWith('${', at)) {
      const end = scriptEnd(text, at + 2, level + 1)
      if (end === undefined) return undefined
      at = end
    }
  }
  return undefined
}

/** The index of the brace that closes the script. */
const scriptEnd = (text: string, start: number, level = 0): number | undefined => {
  if (level > LEVELS_MAX) return undefined
  let depth = 0
  for (let at: number | undefined = start; at !== undefined && at < text.length; ) {
    if (text[at] === '}' && depth-- === 0) return at
    if (text[at] === '{') depth++
    at = skip(text, at, start, level)
  }
  return undefined
}

/**
 * A `\${` is taken literally, and so is a `${` that no brace closes. Where quotes do not match, the script ends at the next
 * brace; it will fail for its syntax, so the rest of the text is not looked at.
 */
export const splitTemplate = (text: string): Piece[] => {
  const pieces: Piece[] = []
  let literal = ''
  let at = 0
  for (let next = text.indexOf('${'); next >= 0; next = text.indexOf('${', at)) {
    if (text[next - 1] === '\\') {
      literal += `${text.slice(at, next - 1)}\${`
      at = next + 2
      continue
    }
    const matched = scriptEnd(text, next + 2)
    const end = matched ?? text.indexOf('}', next)
    if (end < 0) break
    literal += text.slice(at, next)
    if (literal !== '') pieces.push({ text: literal })
    literal = ''
    pieces.push({ script: text.slice(next + 2, end) })
    at = end + 1
    if (matched === undefined) break
  }
  literal += text.slice(at)
  if (literal !== '') pieces.push({ text: literal })
  return pieces
}

/** `NAME`, `output.name`, `output.user.name` */
const NAME_OF_VALUE = /^\s*((?!undefined\b)[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*$/

/** The name that stands alone in a script and has no value; undefined for other scripts. */
export const nameWithoutValue = (
  script: string,
  text: string | undefined,
  env: Readonly<Record<string, string>>,
): string | undefined => {
  const name = text === 'undefined' ? NAME_OF_VALUE.exec(script)?.[1] : undefined
  return name !== undefined && Object.hasOwn(env, name) ? undefined : name
}
