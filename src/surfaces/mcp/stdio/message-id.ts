/** The id of a JSON-RPC message that is too long to be kept, read while it passes. */
import type { RequestId } from '@modelcontextprotocol/server'

export interface MessageIdReader {
  write(bytes: Uint8Array): void
  /** Null for a message that has no id, or none that can be read. */
  id(): RequestId | null
}

const TOKEN_CHARS_MAX = 1_000
const NO_TOKEN = ''

export const idIn = (value: unknown): RequestId | null =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)) ? value : null

const idOf = (token: string): RequestId | null => {
  try {
    return idIn(JSON.parse(Buffer.from(token, 'latin1').toString()))
  } catch {
    return null
  }
}

/** Follows the brackets and strings of the text, and keeps the keys and the short values of its outermost object. */
export const createMessageIdReader = (): MessageIdReader => {
  let depth = 0
  let isInString = false
  let isEscaped = false
  let token = NO_TOKEN
  let key = NO_TOKEN
  let id: RequestId | null = null

  const keep = (char: string) => {
    if (depth === 1 && token.length < TOKEN_CHARS_MAX) token += char
  }
  const endOfMember = () => {
    if (key === '"id"') id = idOf(token)
    key = NO_TOKEN
    token = NO_TOKEN
  }
  const inString = (char: string) => {
    if (isEscaped) isEscaped = false
    else if (char === '\\') isEscaped = true
    else if (char === '"') isInString = false
    keep(char)
  }
  const structural = (char: string) => {
    if (char === '{' || char === '[') {
      keep(char)
      depth += 1
    } else if (char === '}' || char === ']') {
      if (depth === 1) endOfMember()
      depth -= 1
    } else if (depth === 1 && char === ':') {
      key = token.trim()
      token = NO_TOKEN
    } else if (depth === 1 && char === ',') endOfMember()
    else {
      isInString = char === '"'
      keep(char)
    }
  }

  return {
    write(bytes) {
      for (const byte of bytes) {
        const char = String.fromCharCode(byte)
        if (isInString) inString(char)
        else structural(char)
      }
    },
    id: () => id,
  }
}
