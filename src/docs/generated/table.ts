/** Markdown tables of the generated parts. */

/** A bar would end the cell, also within backticks. */
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')

export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows.map(cells => cells.map(cell))]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n')

export const code = (text: string): string => `\`${text}\``

/** `<id>` in a sentence would be read as HTML. */
export const sentence = (text: string): string => {
  const escaped = text.replace(/(?<!`)<([a-z][\w:-]*>)/gi, '\\<$1')
  return `${escaped.charAt(0).toUpperCase()}${escaped.slice(1)}`
}
