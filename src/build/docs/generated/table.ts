/** Markdown tables of the generated parts. */

/** A bar would end the cell, also within backticks. */
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')

export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows.map(cells => cells.map(cell))]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n')

export const code = (text: string): string => `\`${text}\``

/** Flags with their values, variables and codes, values in angles, paths of the home, and objects: they are written as code. */
const NAMES = new RegExp(
  [
    String.raw`(?<![\w-])--[a-z][a-z-]*(?:(?: <[^>]+>)+| (?:json|pretty|text)\b)?`,
    String.raw`\b[A-Z]+(?:_[A-Z]+)+(?:=\w+)?\b`,
    String.raw`(?:any:)?<[a-z][\w ]*>(?:[@.:=]<[a-z]\w*>)*`,
    String.raw`~\/[\w./-]*\w`,
    String.raw`\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}`,
  ].join('|'),
  'g',
)

/** Outside of backticks, `<id>` would be read as HTML, and `*` as emphasis. */
export const prose = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .flatMap((part, at) => (at % 2 === 1 ? [part] : [part.replace(NAMES, '`$&`')]))
    .join('')
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[<*]/g, '\\$&')))
    .join('')

/** Programs and fields keep their small letter at the beginning of a sentence. */
const LOWER_CASE = /^((svc|adb|npm|git|path|args|xstate)\b|[a-z]+([A-Z]|\.\w))/

export const sentence = (text: string): string => {
  const escaped = prose(text)
  return LOWER_CASE.test(escaped) ? escaped : `${escaped.charAt(0).toUpperCase()}${escaped.slice(1)}`
}
