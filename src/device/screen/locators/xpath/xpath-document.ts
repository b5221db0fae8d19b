/** The page source of a screen as nodes that the package `xpath` walks: made of the tree itself, not of XML text. */
import type { UiNode, UiTree } from '../../../../contracts/device/ui-tree.ts'
import { ROOT_TAG, rootAttributes, type SourceScreen, sourceAttributes, tagOf } from '../source-node.ts'

const ELEMENT = 1
const ATTRIBUTE = 2
const DOCUMENT = 9

const PRECEDING = 2
const FOLLOWING = 4

/** Its place in the document tells its order: the package would walk all siblings instead. */
abstract class Placed {
  readonly order: number
  constructor(order: number) {
    this.order = order
  }

  compareDocumentPosition(other: Placed): number {
    return other.order < this.order ? PRECEDING : FOLLOWING
  }
}

export class XPathAttribute extends Placed {
  readonly nodeType = ATTRIBUTE
  readonly namespaceURI = null
  readonly name: string
  readonly nodeName: string
  readonly localName: string
  readonly value: string
  readonly nodeValue: string
  readonly ownerElement: XPathElement

  constructor(name: string, value: string, ownerElement: XPathElement, order: number) {
    super(order)
    this.name = name
    this.nodeName = name
    this.localName = name
    this.value = value
    this.nodeValue = value
    this.ownerElement = ownerElement
  }
}

class AttributeList extends Array<XPathAttribute> {
  item(index: number): XPathAttribute | null {
    return this[index] ?? null
  }
}

type ReadAttributes = () => readonly (readonly [string, string])[]

/** So many attributes fit between two elements in the order of the document. */
const ORDERS_PER_ELEMENT = 64

export class XPathElement extends Placed {
  readonly nodeType = ELEMENT
  readonly namespaceURI = null
  readonly nodeName: string
  readonly localName: string
  readonly ownerDocument: XPathDocument
  readonly parentNode: XPathElement | XPathDocument
  readonly childNodes: XPathElement[] = []
  nextSibling: XPathElement | null = null
  readonly previousSibling: XPathElement | null
  /** Its position among the nodes of the tree, depth first; undefined for the element around them all. */
  readonly at: number | undefined
  readonly #read: ReadAttributes
  #attributes: AttributeList | undefined

  constructor(tag: string, parent: XPathElement | XPathDocument, at: number | undefined, read: ReadAttributes) {
    super(at === undefined ? ORDERS_PER_ELEMENT : (at + 2) * ORDERS_PER_ELEMENT)
    this.nodeName = tag
    this.localName = tag
    this.ownerDocument = parent instanceof XPathDocument ? parent : parent.ownerDocument
    this.parentNode = parent
    this.previousSibling = parent.childNodes.at(-1) ?? null
    if (this.previousSibling) this.previousSibling.nextSibling = this
    parent.childNodes.push(this)
    this.at = at
    this.#read = read
  }

  get firstChild(): XPathElement | null {
    return this.childNodes[0] ?? null
  }

  get attributes(): AttributeList {
    if (!this.#attributes) {
      this.#attributes = new AttributeList()
      for (const [name, value] of this.#read()) {
        const order = this.order + this.#attributes.length + 1
        this.#attributes.push(new XPathAttribute(name, value, this, order))
      }
    }
    return this.#attributes
  }
}

export class XPathDocument extends Placed {
  readonly nodeType = DOCUMENT
  readonly nodeName = '#document'
  readonly namespaceURI = null
  readonly parentNode = null
  readonly nextSibling = null
  readonly previousSibling = null
  readonly childNodes: XPathElement[] = []
  readonly ownerDocument = null

  constructor() {
    super(0)
  }

  get firstChild(): XPathElement | null {
    return this.childNodes[0] ?? null
  }

  get documentElement(): XPathElement | null {
    return this.firstChild
  }
}

/** All elements by the positions of their nodes, depth first. */
export interface XPathScreen {
  document: XPathDocument
  elements: readonly XPathElement[]
}

export const xpathScreen = (tree: UiTree, screen: SourceScreen): XPathScreen => {
  const document = new XPathDocument()
  const root = new XPathElement(ROOT_TAG, document, undefined, () => rootAttributes(tree, screen))
  const elements: XPathElement[] = []
  const open: { node: UiNode; index: number; parent: XPathElement }[] = tree.roots
    .map((node, index) => ({ node, index, parent: root }))
    .reverse()
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, index, parent } = next
    const element = new XPathElement(tagOf(node.className), parent, elements.length, () =>
      sourceAttributes(node, index),
    )
    elements.push(element)
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at]
      if (child) open.push({ node: child, index: at, parent: element })
    }
  }
  return { document, elements }
}
