/** `did you mean ...?`: the known name that a mistyped one is closest to. */

/** How many letters must be changed, added, dropped or swapped with their neighbour. */
const distance = (from: string, to: string): number => {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const swapped =
        from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}

/** More than a third of the letters wrong is another word. */
const LETTERS_PER_ERROR = 3
const LONGEST = 100

export const nearest = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > LONGEST) return undefined
  const close = known
    .filter(word => word.length <= LONGEST)
    .map(word => ({ word, errors: distance(name.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, errors }) => errors <= Math.max(1, Math.max(name.length, word.length) / LETTERS_PER_ERROR))
    .sort((a, b) => a.errors - b.errors)
  return close[0]?.word
}

export const didYouMean = (name: string, known: readonly string[]): string => {
  const word = nearest(name, known)
  return word === undefined ? '' : `; did you mean \`${word}\`?`
}
