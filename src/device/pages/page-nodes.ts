/** The elements of a page as nodes of the screen, in the web view that shows it. */

import { type Bounds, intersection, labelOf, NO_FLAGS, type UiNode, walk } from '../../contracts/device/ui-tree.ts'
import { PIECE, type Sliced } from '../../runtime/yielding.ts'
import type { PageAnswer, PageElement } from './page-answer.ts'

interface ShownPage {
  view: UiNode
  /** Where the page is on the screen; its web view may be cut off there. */
  bounds: Bounds
  page: PageAnswer
  css: readonly string[]
}

interface Growing extends UiNode {
  children: Growing[]
}

/** Classes that Android gives to elements of pages; what has none is a plain view. */
const CLASSES: Readonly<Record<string, string>> = {
  field: 'android.widget.EditText',
  button: 'android.widget.Button',
  submit: 'android.widget.Button',
  reset: 'android.widget.Button',
  checkbox: 'android.widget.CheckBox',
  radio: 'android.widget.RadioButton',
  switch: 'android.widget.Switch',
  select: 'android.widget.Spinner',
  img: 'android.widget.Image',
  image: 'android.widget.Image',
  range: 'android.widget.SeekBar',
}
const PLAIN_CLASS = 'android.view.View'

const toPixels = ({ bounds, page: { view } }: ShownPage) => {
  const across = (bounds.right - bounds.left) / view.width
  const down = (bounds.bottom - bounds.top) / view.height
  return ([left, top, right, bottom]: PageElement['box']): Bounds => ({
    left: Math.round(bounds.left + (left - view.left) * across),
    top: Math.round(bounds.top + (top - view.top) * down),
    right: Math.round(bounds.left + (right - view.left) * across),
    bottom: Math.round(bounds.top + (bottom - view.top) * down),
  })
}

const nodeOf = (element: PageElement, bounds: Bounds, { view, css }: ShownPage): Growing => {
  const { kind, id, text, label, hint } = element
  const has = (flag: string) => element.flags.includes(flag)
  return {
    ...NO_FLAGS,
    text: text || hint,
    resourceId: id,
    className: Object.hasOwn(CLASSES, kind) ? (CLASSES[kind] ?? PLAIN_CLASS) : PLAIN_CLASS,
    packageName: view.packageName,
    contentDesc: label,
    clickable: has('clickable'),
    enabled: !has('disabled'),
    focusable: has('focusable'),
    focused: has('focused'),
    checkable: has('checkable'),
    checked: has('checked'),
    selected: has('selected'),
    password: has('password'),
    ...(hint === '' ? {} : text === '' ? { hint } : { hintText: hint }),
    css: element.css.flatMap(index => css[index] ?? []),
    bounds,
    children: [],
  }
}

/** How far the edges of two readings of one element may be apart. */
const EDGE_PX = 4
const EDGES = ['left', 'top', 'right', 'bottom'] as const

const isSamePlace = (a: Bounds, b: Bounds): boolean => EDGES.every(edge => Math.abs(a[edge] - b[edge]) <= EDGE_PX)

/** One of them says nothing, or both say the same. */
const saysSame = (element: UiNode, native: UiNode): boolean => {
  const [label, other] = [labelOf(element).trim(), labelOf(native).trim()]
  return label === '' || other === '' || label === other || native.text === element.text
}

/** Adds to the element what the accessibility tree knows of it. */
const takeOver = (element: Growing, native: UiNode): void => {
  element.text ||= native.text
  element.resourceId ||= native.resourceId
  element.contentDesc ||= native.contentDesc
  for (const flag of [
    'clickable',
    'longClickable',
    'focusable',
    'focused',
    'checkable',
    'checked',
    'scrollable',
  ] as const)
    element[flag] ||= native[flag]
}

/** By their upper left corners, in squares so large that a neighbour is at most one further. */
const placesOf = (elements: readonly Growing[]) => {
  const key = (x: number, y: number) => `${x},${y}`
  const square = (px: number) => Math.floor(px / EDGE_PX)
  const places = new Map<string, Growing[]>()
  for (const element of elements) {
    const at = key(square(element.bounds.left), square(element.bounds.top))
    places.set(at, [...(places.get(at) ?? []), element])
  }
  return ({ left, top }: Bounds): Growing[] =>
    [-1, 0, 1].flatMap(x => [-1, 0, 1].flatMap(y => places.get(key(square(left) + x, square(top) + y)) ?? []))
}

/** Nodes of the accessibility tree that are no element of the page; those inside of the others move up. */
const withoutElements = function* (view: UiNode, elements: readonly Growing[]): Sliced<UiNode[]> {
  const near = placesOf(elements)
  const dropped = new Set<UiNode>()
  let seen = 0
  for (const { node } of walk(view.children)) {
    seen += 1
    if (seen % PIECE === 0) yield
    const element = near(node.bounds).find(each => isSamePlace(each.bounds, node.bounds) && saysSame(each, node))
    if (!element) continue
    takeOver(element, node)
    dropped.add(node)
  }
  const kept = (nodes: readonly UiNode[]): UiNode[] =>
    nodes.flatMap(node => {
      const children = kept(node.children)
      if (dropped.has(node)) return children
      return children.length === node.children.length && children.every((child, at) => child === node.children[at])
        ? [node]
        : [{ ...node, children }]
    })
  return kept(view.children)
}

/** The children of the web view with the page in it: each element once, though two readings show it. */
export const withPage = function* (shownPage: ShownPage): Sliced<UiNode[]> {
  const pixels = toPixels(shownPage)
  const nodes: (Growing | undefined)[] = []
  const roots: Growing[] = []
  const around = (index: number): Growing | undefined => {
    let at = index
    while (at >= 0 && !nodes[at]) at = shownPage.page.elements[at]?.parent ?? -1
    return nodes[at]
  }
  for (const [index, element] of shownPage.page.elements.entries()) {
    if (index % PIECE === 0) yield
    const bounds = intersection(pixels(element.box), shownPage.view.bounds)
    const node = bounds && nodeOf(element, bounds, shownPage)
    nodes.push(node)
    if (node) (around(element.parent)?.children ?? roots).push(node)
  }
  const elements = nodes.flatMap(node => node ?? [])
  return [...(yield* withoutElements(shownPage.view, elements)), ...roots]
}
