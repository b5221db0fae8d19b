/** Words inside a text: runs of letters and digits, as the contract's search tokens are. Both are lower-cased by the caller. */

const ALPHANUMERIC = /[\p{L}\p{N}]/u
const NOT_ALPHANUMERIC = /[^\p{L}\p{N}]+/u

export const wordsOf = (text: string): string[] => text.split(NOT_ALPHANUMERIC).filter(word => word !== '')

/** A surrogate alone is neither letter nor digit: half a character on the other side is looked at whole. */
const isPart = (text: string, at: number, step: 1 | -1): boolean => {
  const unit = text.charCodeAt(at)
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
  const low = step < 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
  const point = text.codePointAt(low)
  return point !== undefined && ALPHANUMERIC.test(String.fromCodePoint(point))
}

/** Whether one of the words of `text` is `word`. Looking at the edges of what was found is cheaper than splitting. */
export const hasWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    const isStart = at === 0 || !isPart(text, at - 1, -1)
    if (isStart && (end === text.length || !isPart(text, end, 1))) return true
  }
  return false
}
