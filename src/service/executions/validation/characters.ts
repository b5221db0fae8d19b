/** Characters that a payload may not hold, named with their position. */

const at = (text: string, index: number): string => `at character ${[...text.slice(0, index)].length + 1}`

const code = (character: string) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** With the `u` flag only surrogates without their other half are of category Cs. */
const FLAWS: readonly { pattern: RegExp; say: (found: string) => string }[] = [
  { pattern: /\0/u, say: () => 'NUL (U+0000)' },
  { pattern: /\p{Cs}/u, say: found => `a lone surrogate (${code(found)})` },
]
const CONTROL = { pattern: /[^\P{Cc}\n\t]/u, say: (found: string) => `the control character ${code(found)}` }

const firstOf = (flaws: typeof FLAWS, text: string): string | undefined => {
  for (const { pattern, say } of flaws) {
    const match = pattern.exec(text)
    if (match) return `${say(match[0])} ${at(text, match.index)}`
  }
  return undefined
}

/** NUL or a lone surrogate: neither would reach a device as it is. */
export const unprintableIn = (text: string): string | undefined => firstOf(FLAWS, text)

/** Also control characters other than line feed and tab, for texts where those are refused. */
export const controlIn = (text: string): string | undefined => firstOf([...FLAWS, CONTROL], text)
