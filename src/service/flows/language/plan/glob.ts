/** The patterns of a workspace: `*` and `?` within one name, `**` over folders, `[...]`, `{a,b}`, and `!` in front. */

/** Braces multiply: a pattern may stand for so many. */
const ALTERNATIVES_MAX = 256
const PATTERN_CHARS_MAX = 1_000

/** `any` is a run of characters, `name` one without a slash. */
type Token = 'any' | 'name' | ((character: string) => boolean)

export interface Glob {
  readonly isNegated: boolean
  readonly matches: (path: string) => boolean
  /** How many folders deep a match can be; undefined for any depth. */
  readonly depth: number | undefined
}

const alternativesOf = (pattern: string): readonly string[] => {
  const open = pattern.indexOf('{')
  const close = pattern.indexOf('}', open)
  if (open === -1 || close === -1) return [pattern]
  const rest = alternativesOf(pattern.slice(close + 1))
  const words = pattern.slice(open + 1, close).split(',')
  if (words.length * rest.length > ALTERNATIVES_MAX) return Array(ALTERNATIVES_MAX + 1).fill(pattern)
  return words.flatMap(word => rest.map(end => pattern.slice(0, open) + word + end))
}

/** `[a-z]` or `[!a]`. */
const classOf = (inside: string): ((character: string) => boolean) => {
  const isNegated = inside.startsWith('!') || inside.startsWith('^')
  const members = isNegated ? inside.slice(1) : inside
  const ranges: (readonly [string, string])[] = []
  for (let at = 0; at < members.length; at++) {
    const [first, last] = [members.charAt(at), members.charAt(at + 2)]
    const isRange = members.charAt(at + 1) === '-' && last !== ''
    ranges.push([first, isRange ? last : first])
    if (isRange) at += 2
  }
  return character =>
    character !== '/' && isNegated !== ranges.some(([first, last]) => first <= character && character <= last)
}

const tokensOf = (pattern: string): readonly Token[] => {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at)
    const end = character === '[' ? pattern.indexOf(']', at + 2) : -1
    if (character === '*') {
      const isDouble = pattern.charAt(at + 1) === '*'
      tokens.push(isDouble ? 'any' : 'name')
      if (isDouble) at += 1
    } else if (character === '?') tokens.push(one => one !== '/')
    else if (end !== -1) {
      tokens.push(classOf(pattern.slice(at + 1, end)))
      at = end
    } else {
      if (character === '\\' && at + 1 < pattern.length) at += 1
      const exact = pattern.charAt(at)
      tokens.push(one => one === exact)
    }
  }
  return tokens
}

/** All positions in the pattern at once, so that no pattern takes long. */
const fits = (tokens: readonly Token[], path: string): boolean => {
  const passRuns = (positions: Set<number>) => {
    for (const position of positions) if (typeof tokens[position] === 'string') positions.add(position + 1)
    return positions
  }
  let positions = passRuns(new Set([0]))
  for (const character of path) {
    const next = new Set<number>()
    for (const position of positions) {
      const token = tokens[position]
      if (token === 'any' || (token === 'name' && character !== '/')) next.add(position)
      else if (typeof token === 'function' && token(character)) next.add(position + 1)
    }
    positions = passRuns(next)
  }
  return positions.has(tokens.length)
}

/** Paths are relative to the folder of the workspace, with `/` between names; undefined for a pattern beyond its bounds. */
export const globOf = (written: string): Glob | undefined => {
  if (written.length > PATTERN_CHARS_MAX) return undefined
  const isNegated = written.startsWith('!')
  const pattern = (isNegated ? written.slice(1) : written).trim().replace(/^(?:\.?\/)+/, '')
  const alternatives = alternativesOf(pattern)
  if (alternatives.length > ALTERNATIVES_MAX) return undefined
  const compiled = alternatives.map(tokensOf)
  const depths = alternatives.map(one => (one.includes('**') ? Number.POSITIVE_INFINITY : one.split('/').length - 1))
  const depth = Math.max(...depths)
  return {
    isNegated,
    matches: path => compiled.some(tokens => fits(tokens, path)),
    depth: Number.isFinite(depth) ? depth : undefined,
  }
}
