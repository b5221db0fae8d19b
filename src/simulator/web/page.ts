/** The page that a web view of a simulated phone shows, and the answer of that page to the expression of svc. */

import type { PageAnswer, PageElement } from '../../device/pages/page-answer.ts'
import type { WebQuery } from '../../device/screen/patterns/flow-words.ts'
import type { PlacedNode } from '../ui/layout.ts'
import { cssSelector, InvalidSelector, type StyledElement } from './css-selector.ts'

export interface Element extends StyledElement {
  placed: PlacedNode
  children: Element[]
}

export const DP_PER_INCH = 160

const tagOf = ({ current }: PlacedNode): string => {
  if (current.editable || current.checkable) return 'input'
  return current.className.endsWith('.Button') ? 'button' : 'div'
}

const attributesOf = ({ source: { element }, current }: PlacedNode): Map<string, string> => {
  const types = { password: current.password, checkbox: current.checkable }
  const type = Object.entries(types).find(([, isSo]) => isSo)?.[0]
  const written = {
    ...(type === undefined ? {} : { type }),
    ...(current.hint === '' ? {} : { placeholder: current.hint }),
    ...(current.contentDesc === '' ? {} : { 'aria-label': current.contentDesc }),
    ...element?.attributes,
    ...(element?.id === undefined ? {} : { id: element.id }),
    ...(element?.class === undefined ? {} : { class: element.class }),
  }
  return new Map(Object.entries(written))
}

const elementsOf = (nodes: readonly PlacedNode[], parent: Element | undefined): Element[] =>
  nodes.map(placed => {
    const element: Element = {
      tag: placed.source.element?.tag ?? tagOf(placed),
      attributes: attributesOf(placed),
      parent,
      placed,
      children: [],
    }
    element.children = elementsOf(placed.children, element)
    return element
  })

/** Each before those inside of it. */
export const all = (elements: readonly Element[]): Element[] => elements.flatMap(each => [each, ...all(each.children)])

export const ownText = ({ placed: { current } }: Element): string =>
  current.password ? '•'.repeat([...current.text].length) : current.text

export const innerText = (element: Element): string =>
  [ownText(element), ...element.children.map(innerText)].filter(text => text !== '').join(' ')

const NAMES = ['id', 'aria-label', 'name', 'title', 'for', 'data-testid'] as const

/** The part of the answer about one element, without its place. */
const saidOf = (element: Element, css: number[]) => {
  const { tag, attributes, placed } = element
  const { current } = placed
  const attribute = (name: string) => attributes.get(name) ?? ''
  return {
    kind: current.editable ? 'field' : tag === 'input' ? attribute('type') : attribute('role') || tag,
    id: NAMES.map(attribute).find(value => value !== '') ?? '',
    text: css.length > 0 && !current.editable ? innerText(element) : ownText(element),
    label: attribute('aria-label') || attribute('alt') || attribute('title'),
    hint: attribute('placeholder'),
    css,
  }
}

const flagsOf = ({ tag, placed: { current, node } }: Element): string[] =>
  Object.entries({
    clickable: current.clickable || ['a', 'button', 'input', 'select', 'textarea', 'label'].includes(tag),
    disabled: !current.enabled,
    focusable: current.focusable,
    focused: node.focused,
    checkable: current.checkable,
    checked: current.checked,
    selected: current.selected,
    password: current.password,
  }).flatMap(([flag, isSo]) => (isSo ? [flag] : []))

/** A browser has these around everything. */
export const documentOf = (view: PlacedNode): Element => {
  const bare = { attributes: new Map<string, string>(), placed: view }
  const html: Element = { ...bare, tag: 'html', parent: undefined, children: [] }
  const body: Element = { ...bare, tag: 'body', parent: html, children: [] }
  html.children = [body]
  body.children = elementsOf(view.children, body)
  return html
}

export interface ShownPage {
  view: PlacedNode
  title: string
  density: number
}

export const answerOf = (
  { view, title, density }: ShownPage,
  query: WebQuery,
): PageAnswer | { bad: number; reason: string } => {
  const selectors: ReturnType<typeof cssSelector>[] = []
  for (const [bad, css] of query.css.entries()) {
    try {
      selectors.push(cssSelector(css))
    } catch (error) {
      if (error instanceof InvalidSelector) return { bad, reason: error.message }
      throw error
    }
  }
  const ratio = density / DP_PER_INCH
  const origin = view.bounds
  const px = (value: number) => value / ratio
  const elements: PageElement[] = []
  const indexes = new Map<Element, number>()
  const html = documentOf(view)
  const frame = html.children[0]
  for (const element of all([html])) {
    const css = selectors.flatMap((matches, index) => (matches(element) ? [index] : []))
    const isFrame = element === html || element === frame
    const entry = isFrame
      ? { ...saidOf(element, css), text: css.length > 0 ? innerText(html) : '' }
      : saidOf(element, css)
    if (css.length === 0 && (!query.all || `${entry.id}${entry.text}${entry.label}${entry.hint}` === '')) continue
    const { left, top, right, bottom } = element.placed.node.bounds
    let parent = element.parent as Element | undefined
    while (parent && !indexes.has(parent)) parent = parent.parent as Element | undefined
    indexes.set(element, elements.length)
    elements.push({
      ...entry,
      parent: parent ? (indexes.get(parent) ?? -1) : -1,
      box: [px(left - origin.left), px(top - origin.top), px(right - origin.left), px(bottom - origin.top)],
      flags: isFrame ? [] : flagsOf(element),
    })
  }
  const viewport = { left: 0, top: 0, width: px(origin.right - origin.left), height: px(origin.bottom - origin.top) }
  return { title, isHidden: false, isFull: false, view: viewport, elements }
}
