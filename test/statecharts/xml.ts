/** A strict reader for the small xml that is generated here: throws on anything that is not well-formed. */

export interface Node {
  name: string
  attributes: ReadonlyMap<string, string>
  children: readonly Node[]
  /** The text directly inside, decoded. */
  text: string
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

const decode = (text: string) => {
  if (text.includes('<')) throw new Error(`a bare < in ${text}`)
  return text.replaceAll(/&([^;\s]*);?/g, (whole, name: string) => {
    const letter = ENTITIES[name]
    if (letter === undefined || !whole.endsWith(';')) throw new Error(`not an entity: ${whole}`)
    return letter
  })
}

const attributesOf = (text: string) => {
  const rest = text.replaceAll(/\s+[a-zA-Z-]+="[^"]*"/g, '')
  if (rest.trim() !== '') throw new Error(`not an attribute: ${rest}`)
  const pairs = [...text.matchAll(/([a-zA-Z-]+)="([^"]*)"/g)]
  const attributes = new Map(pairs.map(([, name = '', value = '']) => [name, decode(value)]))
  if (attributes.size !== pairs.length) throw new Error(`an attribute twice: ${text}`)
  return attributes
}

interface Open {
  name: string
  attributes: ReadonlyMap<string, string>
  children: Node[]
  text: string
}

export const parseXml = (xml: string): Node => {
  const top: Open = { name: '', attributes: new Map(), children: [], text: '' }
  const stack = [top]
  const inner = () => {
    const last = stack.at(-1)
    if (!last) throw new Error('closed once too often')
    return last
  }
  let at = 0
  for (const { 0: whole, 1: close, 2: name = '', 3: attributes = '', 4: single, index } of xml.matchAll(
    /<(\/?)([a-z]+)((?:\s+[a-zA-Z-]+="[^"]*")*)\s*(\/?)>/g,
  )) {
    inner().text += decode(xml.slice(at, index))
    at = index + whole.length
    if (close) {
      const node = inner()
      if (node.name !== name) throw new Error(`</${name}> closes <${node.name}>`)
      stack.pop()
      inner().children.push(node)
    } else {
      const node = { name, attributes: attributesOf(attributes), children: [], text: '' }
      if (single) inner().children.push(node)
      else stack.push(node)
    }
  }
  top.text += decode(xml.slice(at))
  const [root, second] = top.children
  if (stack.length !== 1 || !root || second || top.text.trim() !== '') throw new Error('not one root element')
  return root
}

export const allOf = (node: Node): readonly Node[] => [node, ...node.children.flatMap(allOf)]

export const classesOf = (node: Node) => (node.attributes.get('class') ?? '').split(' ')

export const textOf = (node: Node): string => node.text + node.children.map(textOf).join('')
