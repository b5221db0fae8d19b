/** Writes XML: every text is escaped, and characters that XML cannot hold are replaced. */
import { withReferences, writableXml } from '../../../runtime/text/xml-text.ts'

const escapedIn = (pattern: RegExp, text: string) => withReferences(writableXml(text), pattern)

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
