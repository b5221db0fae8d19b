/** What a shell and Android's `input` make of a command line, as far as typing goes: a model to decode with, written from their documented behaviour. */

/** Commands between `&&`, as words. Anything unquoted that means something to a shell is an error here. */
export const shellWords = (line: string): string[][] => {
  const commands: string[][] = [[]]
  let word: string | undefined
  let at = 0
  const finish = () => {
    if (word !== undefined) commands.at(-1)?.push(word)
    word = undefined
  }
  while (at < line.length) {
    const character = line.charAt(at)
    if (character === ' ') {
      finish()
      at += 1
    } else if (character === "'") {
      const end = line.indexOf("'", at + 1)
      if (end < 0) throw new Error('a quote is open')
      word = (word ?? '') + line.slice(at + 1, end)
      at = end + 1
    } else if (character === '\\') {
      word = (word ?? '') + line.charAt(at + 1)
      at += 2
    } else if (line.startsWith('&&', at)) {
      finish()
      commands.push([])
      at += 2
    } else if (/[\w@%+=:,./-]/.test(character)) {
      word = (word ?? '') + character
      at += 1
    } else {
      throw new Error(`"${character}" is not quoted`)
    }
  }
  finish()
  return commands
}

/** `input text` looks at its argument once, from the left: `%` then `s` becomes a blank, and a `%` always opens anew. */
export const typedBy = (argument: string): string => {
  const kept: string[] = []
  let isEscape = false
  for (const character of argument) {
    if (isEscape && character === 's') {
      kept[kept.length - 1] = ' '
      isEscape = false
    } else {
      if (!/[\x20-\x7e]/.test(character)) throw new Error(`no key types ${JSON.stringify(character)}`)
      kept.push(character)
      isEscape = character === '%'
    }
  }
  return kept.join('')
}

export interface Field {
  text: string
  cursor: number
}

/** MOVE_END goes to the end of the line, PAGE_DOWN to the last line. */
const press = (field: Field, key: string): Field => {
  const { text, cursor } = field
  const lineEnd = text.indexOf('\n', cursor)
  if (key === 'KEYCODE_MOVE_END') return { text, cursor: lineEnd < 0 ? text.length : lineEnd }
  if (key === 'KEYCODE_PAGE_DOWN') return { text, cursor: Math.max(cursor, text.lastIndexOf('\n') + 1) }
  if (key === 'KEYCODE_DEL')
    return { text: text.slice(0, Math.max(0, cursor - 1)) + text.slice(cursor), cursor: Math.max(0, cursor - 1) }
  if (key === 'KEYCODE_FORWARD_DEL') return { text: text.slice(0, cursor) + text.slice(cursor + 1), cursor }
  if (key === 'KEYCODE_ENTER') return { text: `${text.slice(0, cursor)}\n${text.slice(cursor)}`, cursor: cursor + 1 }
  throw new Error(`unknown key ${key}`)
}

/** What a field holds after a command line; a tap puts the cursor somewhere of the field's choosing. */
export const playInput = (line: string, given: Field): Field => {
  let field = given
  for (const [tool, command, ...words] of shellWords(line)) {
    if (tool !== 'input') throw new Error(`${tool} is not input`)
    if (command === 'text') {
      const [argument, ...more] = words
      if (argument === undefined || more.length > 0) throw new Error('input text takes one word')
      const typed = typedBy(argument)
      const { text, cursor } = field
      field = { text: text.slice(0, cursor) + typed + text.slice(cursor), cursor: cursor + typed.length }
    } else if (command === 'keyevent') {
      field = words.reduce(press, field)
    } else if (command !== 'tap') {
      throw new Error(`input knows no ${command}`)
    }
  }
  return field
}
