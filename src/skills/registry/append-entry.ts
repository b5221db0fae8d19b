/** Adds an entry to the text of a registry and leaves every other byte of it as its user wrote it. */
import type { RegistryEntry } from '../../contracts/registry.ts'

const STEP = '  '

interface SkillsArray {
  /** The index of the opening bracket. */
  open: number
  /** The index of the closing bracket. */
  close: number
  /** The index at which the last element begins; undefined for an empty array. */
  last: number | undefined
}

const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

const BRACKET = /["{}[\],:]/g

/** The array that `JSON.parse` finds as `skills`: of keys that are there twice, the last one. The text is valid JSON. */
const skillsArray = (text: string): SkillsArray | undefined => {
  const token = new RegExp(BRACKET)
  let found: SkillsArray | undefined
  let open: SkillsArray | undefined
  let key: string | undefined
  let isKeyNext = true
  let depth = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const at = match.index
    switch (match[0]) {
      case '"': {
        const end = endOfString(text, at)
        if (depth === 1 && isKeyNext) key = JSON.parse(text.slice(at, end + 1))
        token.lastIndex = end + 1
        break
      }
      case ':':
        if (depth === 1) isKeyNext = false
        break
      case ',':
        if (depth === 1) isKeyNext = true
        break
      case '{':
      case '[':
        if (depth === 1 && key === 'skills' && match[0] === '[') open = { open: at, close: at, last: undefined }
        if (depth === 2 && open !== undefined) open.last = at
        depth += 1
        break
      default:
        depth -= 1
        if (depth === 1 && open !== undefined) {
          found = { ...open, close: at }
          open = undefined
        }
    }
  }
  return found
}

/** The white space that a line begins with, up to an offset; undefined when other things stand before it. */
const indentBefore = (text: string, at: number): string | undefined => {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const before = text.slice(lineStart, at)
  return lineStart > 0 && /^[ \t]*$/.test(before) ? before : undefined
}

const indentOfLine = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? ''

/** Undefined when the text has no `skills` array. */
export const appendEntry = (text: string, entry: RegistryEntry): string | undefined => {
  const array = skillsArray(text)
  if (array === undefined) return undefined
  const newLine = text.includes('\r\n') ? '\r\n' : '\n'
  const outer = indentOfLine(text, array.open)
  const step = outer.includes('\t') ? '\t' : STEP
  const indent = (array.last === undefined ? undefined : indentBefore(text, array.last)) ?? outer + step
  const lines = JSON.stringify(entry, null, indent.includes('\t') ? '\t' : STEP)
    .split('\n')
    .map(line => newLine + indent + line)
    .join('')
  if (array.last === undefined) {
    return text.slice(0, array.open + 1) + lines + newLine + outer + text.slice(array.close)
  }
  const end = text.slice(0, array.close).trimEnd().length
  return `${text.slice(0, end)},${lines}${text.slice(end)}`
}
