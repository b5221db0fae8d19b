/** The place of a syntax error, which the error itself does not tell. */
import { Script } from 'node:vm'

const STRICT = '"use strict";'
const FILE = 'source'

/** The problem is JSON with line and column; empty where the source can be compiled. Compiling runs nothing. */
export const syntaxProblem = (source: string): string => {
  try {
    new Script(STRICT + source, { filename: FILE })
    return ''
  } catch (error) {
    // Above the stack stand the place, the line of the source, and a mark below the column.
    const [place = '', , mark = ''] = String((error as Error).stack).split('\n')
    const line = Number(place.slice(FILE.length + 1))
    if (!Number.isInteger(line) || line < 1) return '{}'
    const column = mark.indexOf('^') + 1 - (line === 1 ? STRICT.length : 0)
    return JSON.stringify({ line, ...(column > 0 ? { column } : {}) })
  }
}
