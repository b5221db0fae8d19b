/** Reads hierarchy XML, ours and uiautomator's, into a tree: strict about XML, tolerant of what devices put around and into it. */

import { type Bounds, NO_FLAGS, type UiNode, type UiTree } from '../../contracts/device/ui-tree.ts'
import { PIECE, type Sliced, withoutPauses } from '../../runtime/yielding.ts'

type TextKey = 'text' | 'resourceId' | 'className' | 'packageName' | 'contentDesc'
type FlagKey = Exclude<
  keyof UiNode,
  TextKey | 'hint' | 'hintText' | 'drawingOrder' | 'css' | 'pageElement' | 'bounds' | 'children'
>

export const TEXT_ATTRIBUTES: readonly (readonly [attribute: string, key: TextKey])[] = [
  ['text', 'text'],
  ['resource-id', 'resourceId'],
  ['class', 'className'],
  ['package', 'packageName'],
  ['content-desc', 'contentDesc'],
]

export const FLAG_ATTRIBUTES: readonly (readonly [attribute: string, key: FlagKey])[] = [
  ['checkable', 'checkable'],
  ['checked', 'checked'],
  ['clickable', 'clickable'],
  ['enabled', 'enabled'],
  ['focusable', 'focusable'],
  ['focused', 'focused'],
  ['scrollable', 'scrollable'],
  ['long-clickable', 'longClickable'],
  ['password', 'password'],
  ['selected', 'selected'],
]

/** XML that cannot be read; `at` is an offset into the text, as near to the trouble as is known. */
export class Malformed extends Error {
  readonly at: number

  constructor(problem: string, at: number) {
    super(problem)
    this.name = 'Malformed'
    this.at = at
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const LAST_CODE_POINT = 0x10ffff

/** The second alternative catches a `&` that begins no reference. */
const REFERENCE = /&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|([a-z]{2,4}));|&/g

export const decodeReferences = (value: string, at: number): string =>
  value.includes('&')
    ? value.replace(REFERENCE, (found, hex?: string, decimal?: string, name?: string) => {
        const known = name === undefined ? undefined : NAMED[name]
        if (known !== undefined) return known
        const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16)
        // Some devices write a character beyond U+FFFF as two references, one per surrogate: joined, they are right again.
        if (code >= 0 && code <= LAST_CODE_POINT) return String.fromCodePoint(code)
        throw new Malformed(`"${found}" is not a valid entity or character reference`, at)
      })
    : value

export const HIERARCHY_LIMITS = { chars: 16 * 1_024 * 1_024, nodes: 100_000, depth: 1_000 } as const

export type ParsedHierarchy = { ok: true; tree: UiTree } | { ok: false; problem: string; at: number }

interface Growing extends UiNode {
  children: UiNode[]
}

interface Tag {
  attributes: Map<string, string>
  end: number
  isLeaf: boolean
}

const TEXTS = new Map<string, TextKey>(TEXT_ATTRIBUTES)
const FLAGS = new Map<string, FlagKey>(FLAG_ATTRIBUTES)

const OPEN = '<hierarchy'
const ATTRIBUTE = /[ \t\r\n]+([\w:.-]+)[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')/y
const TAG_END = /[ \t\r\n]*(\/?)>/y
const NEXT = /[ \t\r\n]*<(node(?=[\s/>])|\/node[ \t\r\n]*>|\/hierarchy[ \t\r\n]*>)/y
const BOUNDS = /^\[(-?\d{1,9}),(-?\d{1,9})\]\[(-?\d{1,9}),(-?\d{1,9})\]$/
const ROTATION = /^[0-3]$/
const DRAWING_ORDER = /^[1-9]\d{0,8}$/

const readTag = (xml: string, from: number): Tag => {
  const attributes = new Map<string, string>()
  let at = from
  for (;;) {
    ATTRIBUTE.lastIndex = at
    const found = ATTRIBUTE.exec(xml)
    if (!found) break
    const [, name = '', double, single] = found
    if (attributes.has(name)) throw new Malformed(`attribute ${name} is given twice`, at)
    attributes.set(name, decodeReferences(double ?? single ?? '', at))
    at = ATTRIBUTE.lastIndex
  }
  TAG_END.lastIndex = at
  const end = TAG_END.exec(xml)
  if (!end) throw new Malformed('a tag is malformed or truncated', at)
  return { attributes, end: TAG_END.lastIndex, isLeaf: end[1] === '/' }
}

const readBounds = (value: string | undefined, at: number): Bounds => {
  const found = BOUNDS.exec(value ?? '')
  if (!found) throw new Malformed(`a node has the bounds ${value ?? 'none'}`, at)
  const [left = 0, top = 0, right = 0, bottom = 0] = found.slice(1).map(Number)
  return { left, top, right, bottom }
}

const readNode = (attributes: Map<string, string>, at: number): Growing => {
  const node: Growing = {
    text: '',
    resourceId: '',
    className: '',
    packageName: '',
    contentDesc: '',
    ...NO_FLAGS,
    bounds: readBounds(attributes.get('bounds'), at),
    children: [],
  }
  for (const [name, value] of attributes) {
    const text = TEXTS.get(name)
    const flag = FLAGS.get(name)
    if (text) node[text] = value
    if (flag) node[flag] = value === 'true'
  }
  const order = attributes.get('drawing-order') ?? ''
  if (DRAWING_ORDER.test(order)) node.drawingOrder = Number(order)
  // The text of an empty field is its hint; newer versions say the hint as well.
  const hint = attributes.get('hint') ?? ''
  if (node.text !== '' && hint === node.text) node.hint = node.text
  else if (hint !== '') node.hintText = hint
  return node
}

/** Is told of each node with all of its attributes, those included that the tree has no place for. */
type NodeListener = (node: UiNode, attributes: ReadonlyMap<string, string>) => void

const readTree = function* (xml: string, onNode?: NodeListener): Sliced<UiTree> {
  const start = xml.indexOf(OPEN)
  if (start < 0) throw new Malformed('there is no hierarchy', 0)
  const head = readTag(xml, start + OPEN.length)
  const rotation = head.attributes.get('rotation') ?? '0'
  if (!ROTATION.test(rotation)) throw new Malformed(`the rotation is ${rotation}`, start)
  const roots: UiNode[] = []
  const tree: UiTree = { rotation: Number(rotation), roots }
  if (head.isLeaf) return tree
  const open: { children: UiNode[] }[] = []
  let at = head.end
  for (let nodes = 0; ; ) {
    NEXT.lastIndex = at
    const found = NEXT.exec(xml)
    if (!found) throw new Malformed('the hierarchy is truncated, or has elements other than nodes', at)
    const [, kind = ''] = found
    at = NEXT.lastIndex
    if (kind === 'node') {
      nodes += 1
      if (nodes % PIECE === 0) yield
      if (nodes > HIERARCHY_LIMITS.nodes) throw new Malformed(`there are more than ${HIERARCHY_LIMITS.nodes} nodes`, at)
      const tag = readTag(xml, at)
      const node = readNode(tag.attributes, at)
      const around = open.at(-1)?.children ?? roots
      around.push(node)
      onNode?.(node, tag.attributes)
      if (!tag.isLeaf) open.push(node)
      if (open.length > HIERARCHY_LIMITS.depth) throw new Malformed('the nodes are nested too deeply', at)
      at = tag.end
    } else if (kind.startsWith('/node')) {
      if (!open.pop()) throw new Malformed('a node has an end tag without a start tag', at)
    } else {
      if (open.length > 0) throw new Malformed('the hierarchy ends within a node', at)
      return tree
    }
  }
}

/** Whatever is before the hierarchy (an XML header, warnings) and after it (the message of the dump) is passed over. */
export const parsingHierarchy = function* (xml: string, onNode?: NodeListener): Sliced<ParsedHierarchy> {
  if (xml.length > HIERARCHY_LIMITS.chars) {
    return { ok: false, problem: `it is longer than ${HIERARCHY_LIMITS.chars} characters`, at: 0 }
  }
  try {
    return { ok: true, tree: yield* readTree(xml, onNode) }
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, problem: error.message, at: error.at }
    throw error
  }
}

export const parseHierarchy = (xml: string, onNode?: NodeListener): ParsedHierarchy =>
  withoutPauses(parsingHierarchy(xml, onNode))
