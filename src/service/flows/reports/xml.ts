/** Writes XML: every text is escaped, and characters that XML cannot hold are replaced. */

/** Outside of the Char production of XML 1.0, with lone surrogates; also U+FFFE and U+FFFF. */
const ILLEGAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const REPLACEMENT = '\ufffd'

export const legalText = (text: string): string => text.replace(ILLEGAL, REPLACEMENT)

/** A reader turns line breaks and tabs of attributes into blanks, and carriage returns of a text into line feeds. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
  '\r': '&#13;',
}

const escapedIn = (pattern: RegExp, text: string) =>
  legalText(text).replace(pattern, character => ESCAPES[character] ?? character)

export type Attributes = Readonly<Record<string, string | number | undefined>>

export interface Element {
  readonly name: string
  readonly attributes: Attributes
  readonly content: string | readonly Element[]
}

export const element = (name: string, attributes: Attributes = {}, content: Element['content'] = []): Element => ({
  name,
  attributes,
  content,
})

const attributesText = (attributes: Attributes): string =>
  Object.entries(attributes)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [` ${name}="${escapedIn(/[&<>"\n\t\r]/g, String(value))}"`],
    )
    .join('')

const linesOf = ({ name, attributes, content }: Element, margin: string): string[] => {
  const head = `${margin}<${name}${attributesText(attributes)}`
  if (content.length === 0) return [`${head}/>`]
  if (typeof content === 'string') return [`${head}>${escapedIn(/[&<>\r]/g, content)}</${name}>`]
  return [`${head}>`, ...content.flatMap(child => linesOf(child, `${margin}  `)), `${margin}</${name}>`]
}

export const xmlDocument = (root: Element): string =>
  `${['<?xml version="1.0" encoding="UTF-8"?>', ...linesOf(root, '')].join('\n')}\n`
