/** Shortens a text in its middle: the end of a selector says what is meant, and the end of a reason why. */

/** The beginning gets this share of what is left. */
const HEAD_SHARE = 2 / 3
const GAP = '...'

export const shortenedText = (text: string, charsMax: number): string => {
  if (text.length <= charsMax) return text
  const left = charsMax - GAP.length
  const head = Math.ceil(left * HEAD_SHARE)
  const cut = (part: string, most: number, fromEnd: boolean) => {
    let kept = ''
    for (const each of fromEnd ? [...part].toReversed() : part) {
      if (kept.length + each.length > most) break
      kept = fromEnd ? each + kept : kept + each
    }
    return kept
  }
  return `${cut(text.slice(0, charsMax), head, false)}${GAP}${cut(text.slice(-charsMax), left - head, true)}`
}

const SHOWN_CHARS_MAX = 200

/** For what a client has sent, in a message about it: selectors and names may be as long as a body. */
export const shortText = (text: string): string => shortenedText(text, SHOWN_CHARS_MAX)
