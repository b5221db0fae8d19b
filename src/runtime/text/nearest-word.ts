/** The known word that a mistyped one probably stands for: keys, types, commands, flags, names in a scenario. */

/** Longer words are not typing mistakes, and comparing them costs. */
const WORD_CHARS_MAX = 100
const FRAGMENT_CHARS_MIN = 2

/** Differences of case, `_` and `-` are none. */
const folded = (word: string) => word.toLowerCase().replace(/[_\s-]/g, '')

/** How many letters are added, dropped, replaced, or swapped with a neighbour. */
export const distance = (a: string, b: string): number => {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

/** The known word that was mistyped, if any: at most every third letter is another one, and no more than `most`. */
export const mistyped = (
  word: string,
  known: readonly string[],
  most = Number.POSITIVE_INFINITY,
): string | undefined => {
  if (word.length > WORD_CHARS_MAX) return undefined
  const wanted = folded(word)
  if (wanted === '') return undefined
  const ranked = known
    .map(candidate => ({ candidate, far: distance(wanted, folded(candidate)) }))
    .sort((a, b) => a.far - b.far)[0]
  return ranked !== undefined && ranked.far <= Math.min(most, Math.max(1, Math.floor(wanted.length / 3)))
    ? ranked.candidate
    : undefined
}

/** The known name that was probably meant; a fragment such as `desc` stands for the first name that holds it. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const suggestion = mistyped(word, known)
  const wanted = folded(word)
  if (suggestion !== undefined || word.length > WORD_CHARS_MAX || wanted.length < FRAGMENT_CHARS_MIN) return suggestion
  return known.find(candidate => folded(candidate).startsWith(wanted)) ?? known.find(c => folded(c).includes(wanted))
}

/** Begins with a blank, to stand behind a sentence; empty where no known word is near. */
export const didYouMean = (word: string, known: readonly string[]): string => {
  const suggestion = nearest(word, known)
  return suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
}
