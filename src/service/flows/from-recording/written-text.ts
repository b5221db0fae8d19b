/** Texts of recorded actions as flows write them: placeholders of recipes become variables. */

const PLACEHOLDER = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g
const SPECIAL = /[\\^$.|?*+()[\]{}]/g

/** Each part of the text between two variables is written by `write`. */
const withVariables = (text: string, variables: readonly string[], write: (part: string) => string): string => {
  let written = ''
  let from = 0
  for (const found of text.matchAll(PLACEHOLDER)) {
    const [whole, name = ''] = found
    if (!variables.includes(name)) continue
    written += `${write(text.slice(from, found.index))}\${${name}}`
    from = found.index + whole.length
  }
  return written + write(text.slice(from))
}

/** A text that is typed or opened: nothing in it but the variables is evaluated. */
export const writtenText = (text: string, variables: readonly string[]): string =>
  withVariables(text, variables, part => part.replaceAll('${', '\\${'))

/** A pattern that matches this text alone. */
export const writtenPattern = (text: string, variables: readonly string[]): string =>
  withVariables(text, variables, part => part.replace(SPECIAL, '\\$&'))
