/** Finds the end of a JSON object that arrives in pieces, in one pass: braces are counted, strings are skipped. */

const OUTSIDE = /["{}]/g
const INSIDE = /["\\]/g

/** The first piece begins with the brace that opens the object. */
export const createJsonExtent = () => {
  let depth = 0
  let inString = false
  /** The piece before ended with a backslash in a string. */
  let isEscaped = false

  return {
    /** Takes the next piece and returns where the object ends in it (behind its last brace), undefined while it is open. */
    push(text: string): number | undefined {
      let at = 0
      if (isEscaped && text !== '') {
        isEscaped = false
        at = 1
      }
      while (at < text.length) {
        const pattern = inString ? INSIDE : OUTSIDE
        pattern.lastIndex = at
        const found = pattern.exec(text)
        if (!found) return undefined
        const [sign] = found
        at = found.index + 1
        if (sign === '"') inString = !inString
        else if (sign === '\\') {
          isEscaped = at >= text.length
          at += 1
        } else depth += sign === '{' ? 1 : -1
        if (depth === 0) return at
      }
      return undefined
    },
  }
}

export type JsonExtent = ReturnType<typeof createJsonExtent>
