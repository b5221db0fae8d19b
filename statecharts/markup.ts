/** Text and elements of xml, the one way they are written here. */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeXml = (text: string) => text.replaceAll(/[&<>"]/g, letter => ENTITIES[letter] ?? letter)

export type Attributes = Readonly<Record<string, string | number | undefined>>

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')

/** `content` is markup already. */
export const element = (name: string, attributes: Attributes, content = '') =>
  content === '' ? `<${name}${attributesOf(attributes)}/>` : `<${name}${attributesOf(attributes)}>${content}</${name}>`

export const lines = (...parts: readonly (string | readonly string[])[]) =>
  parts
    .flat()
    .filter(part => part !== '')
    .join('\n')
