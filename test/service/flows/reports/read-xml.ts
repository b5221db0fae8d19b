/** A strict reader of XML documents without DTD: whatever the specification calls ill-formed throws. */

export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  /** Its own text, without that of its children. */
  text: string
}

const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
const NAME = /[A-Za-z_][\w.-]*/y
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export const readXml = (document: string): XmlElement => {
  if (!CHARACTERS.test(document)) throw new Error('a character that XML cannot hold')
  let at = 0
  const fail = (why: string): never => {
    throw new Error(`${why} at ${at}: ${JSON.stringify(document.slice(at, at + 40))}`)
  }
  const take = (text: string) => {
    if (!document.startsWith(text, at)) fail(`expected ${text}`)
    at += text.length
  }
  const skipBlanks = () => {
    while (/[ \t\r\n]/.test(document[at] ?? '')) at += 1
  }
  const takeName = (): string => {
    NAME.lastIndex = at
    const [name = fail('expected a name')] = NAME.exec(document) ?? []
    at += name.length
    return name
  }
  const decode = (raw: string): string =>
    raw.replace(/&([^;]*);?/g, (whole, entity: string) => {
      if (!whole.endsWith(';')) return fail('a bare ampersand')
      if (!entity.startsWith('#')) return ENTITIES[entity] ?? fail(`an unknown entity ${entity}`)
      const character = String.fromCodePoint(Number(entity.replace('#x', '0x').replace('#', '')))
      return CHARACTERS.test(character) ? character : fail('a reference to a character that XML cannot hold')
    })
  const takeAttributes = (): Record<string, string> => {
    const attributes: Record<string, string> = {}
    for (;;) {
      const before = at
      skipBlanks()
      if (/[/>?]/.test(document[at] ?? '')) return attributes
      if (at === before) fail('expected a blank before an attribute')
      const name = takeName()
      take('="')
      const end = document.indexOf('"', at)
      const raw = document.slice(at, end)
      if (end < 0 || raw.includes('<')) fail('an attribute that does not end')
      if (name in attributes) fail(`the attribute ${name} twice`)
      attributes[name] = decode(raw.replace(/[\t\n\r]/g, ' '))
      at = end + 1
    }
  }
  const takeElement = (): XmlElement => {
    take('<')
    const found: XmlElement = { name: takeName(), attributes: takeAttributes(), children: [], text: '' }
    if (document.startsWith('/>', at)) {
      at += 2
      return found
    }
    take('>')
    while (!document.startsWith('</', at)) {
      if (at >= document.length) fail('the document ends too early')
      if (document[at] === '<') found.children.push(takeElement())
      else {
        const end = document.indexOf('<', at)
        const raw = document.slice(at, end < 0 ? undefined : end)
        if (raw.includes(']]>')) fail('the end of CDATA in a text')
        found.text += decode(raw.replace(/\r\n?/g, '\n'))
        at += raw.length
      }
    }
    take(`</${found.name}>`)
    return found
  }
  take('<?xml version="1.0" encoding="UTF-8"?>')
  skipBlanks()
  const root = takeElement()
  skipBlanks()
  if (at !== document.length) fail('text after the root')
  return root
}

export const elementsOf = (root: XmlElement, name: string): XmlElement[] => [
  ...(root.name === name ? [root] : []),
  ...root.children.flatMap(child => elementsOf(child, name)),
]

export const childOf = (parent: XmlElement | undefined, name: string): XmlElement | undefined =>
  parent?.children.find(child => child.name === name)
