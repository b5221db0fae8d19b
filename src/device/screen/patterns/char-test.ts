/** Tests of one character of a text, as both kinds of patterns make them; in any case, for most of them. */

/** Given one code point. */
export type CharTest = (char: string) => boolean

export const folded = (text: string): string => text.toUpperCase().toLowerCase()

export const casesOf = (char: string): string[] => [char, char.toLowerCase(), char.toUpperCase()]

const pointOf = (char: string): number => char.codePointAt(0) ?? -1

export const literalTest = (char: string, isAnyCase: boolean): CharTest => {
  if (!isAnyCase) return other => other === char
  const wanted = folded(char)
  return other => folded(other) === wanted
}

export const rangeTest = (from: string, to: string, isAnyCase: boolean): CharTest => {
  const [first, last] = [pointOf(from), pointOf(to)]
  const isWithin = (char: string) => pointOf(char) >= first && pointOf(char) <= last
  return isAnyCase ? char => casesOf(char).some(isWithin) : isWithin
}
