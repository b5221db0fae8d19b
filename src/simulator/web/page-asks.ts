/** A simulated page answers the fixed program of svc from its own model. It runs no scripts, and has no frames. */

import type { UiNode } from '../../contracts/device/ui-tree.ts'
import type { PageAsk } from '../../device/pages/page-program.ts'
import { cssSelector, InvalidSelector } from './css-selector.ts'
import { outerHtml } from './outer-html.ts'
import { all, DP_PER_INCH, documentOf, type Element, innerText, ownText, type ShownPage } from './page.ts'
import type { PageHandles } from './page-handles.ts'
import { InvalidXPath, xPath } from './xpath.ts'

export interface AskedPage extends ShownPage {
  url: string
  /** Others for each document that the view shows. */
  handles: PageHandles
}

/** The page does these beside telling of itself; missing where it can do nothing. */
export interface PageHands {
  navigate(url: string): boolean
  back(): void
  forward(): void
  reload(page: AskedPage): void
  clear(node: UiNode): boolean
}

class Problem extends Error {
  readonly error: string
  constructor(error: string, message: string) {
    super(message)
    this.error = error
  }
}

const LOCATORS: Readonly<Record<string, (value: string) => (element: Element) => boolean>> = {
  'css selector': cssSelector,
  'tag name': value => element => element.tag === value.toLowerCase(),
  'class name':
    value =>
    ({ attributes }) =>
      (attributes.get('class') ?? '').split(/\s+/).includes(value),
  id:
    value =>
    ({ attributes }) =>
      attributes.get('id') === value,
  name:
    value =>
    ({ attributes }) =>
      attributes.get('name') === value,
  'link text': value => element => element.tag === 'a' && innerText(element).trim() === value.trim(),
  'partial link text': value => element => element.tag === 'a' && innerText(element).includes(value),
}

const found = (ask: PageAsk, html: Element, root: Element): Element[] => {
  const { by = '', value = '' } = ask
  try {
    if (by === 'xpath') return xPath<Element>(value, { own: ownText, whole: innerText })(root, root === html)
    const fits = LOCATORS[by]?.(value)
    const inside = root === html ? all([root]) : all(root.children)
    return fits ? inside.filter(fits) : []
  } catch (error) {
    if (error instanceof InvalidSelector || error instanceof InvalidXPath)
      throw new Problem('invalid selector', error.message)
    throw error
  }
}

const STYLES: ReadonlyMap<string, string> = new Map([
  ['display', 'block'],
  ['visibility', 'visible'],
])

const isTextField = ({ placed }: Element) => placed.current.editable

const propertyOf = (element: Element, name: string, url: string): unknown => {
  const { attributes, placed, tag } = element
  const known: Readonly<Record<string, () => unknown>> = {
    value: () => placed.current.text,
    checked: () => placed.current.checked,
    disabled: () => !placed.current.enabled,
    className: () => attributes.get('class') ?? '',
    tagName: () => tag.toUpperCase(),
    innerText: () => innerText(element),
    textContent: () => innerText(element),
    href: () => new URL(attributes.get('href') ?? '', url).href,
  }
  return (Object.hasOwn(known, name) ? known[name]?.() : undefined) ?? attributes.get(name) ?? null
}

export const answerAsk = (ask: PageAsk, page: AskedPage, hands?: PageHands): unknown => {
  const html = documentOf(page.view)
  const { handles } = page
  const ratio = page.density / DP_PER_INCH
  const origin = page.view.bounds
  const boxOf = ({ placed }: Element) => {
    const { left, top, right, bottom } = placed.node.bounds
    return [left - origin.left, top - origin.top, right - origin.left, bottom - origin.top].map(px => px / ratio)
  }
  const elementOf = (handle: string): Element => {
    const element = handles.isOfThis(handle) ? all([html]).find(each => handles.of(each) === handle) : undefined
    if (element) return element
    throw new Problem(
      'stale',
      handles.isOfThis(handle) ? 'it was removed from the page' : 'the page shows another document',
    )
  }
  const askedElement = (): Element => elementOf(ask.element ?? '')
  const active = () => all([html]).find(({ placed }) => placed.node.focused && placed !== page.view) ?? html
  const attribute = (element: Element): string | null => {
    const { attributes, placed } = element
    const flags: Readonly<Record<string, boolean>> = {
      disabled: !placed.current.enabled,
      checked: placed.current.checked,
    }
    const name = ask.value ?? ''
    if (Object.hasOwn(flags, name)) return flags[name] ? 'true' : null
    return name === 'value' && isTextField(element) ? placed.current.text : (attributes.get(name) ?? null)
  }
  const operations: Readonly<Record<string, () => unknown>> = {
    state: () => ({
      title: page.title,
      url: page.url,
      readyState: 'complete',
      document: handles.token,
      isHidden: false,
    }),
    source: () => outerHtml(html, page.title),
    find: () => ({
      found: found(ask, html, ask.element === undefined ? html : askedElement())
        .slice(0, ask.most)
        .map(handles.of),
      isLoading: false,
    }),
    active: () => handles.of(active()),
    frame: () => {
      throw new Problem('no such frame', 'the page has 0 frames')
    },
    text: () => innerText(askedElement()),
    tag: () => askedElement().tag,
    attribute: () => attribute(askedElement()),
    property: () => propertyOf(askedElement(), ask.value ?? '', page.url),
    style: () => STYLES.get(ask.value ?? '') ?? '',
    rect: () => {
      const [left = 0, top = 0, right = 0, bottom = 0] = boxOf(askedElement())
      return { x: left, y: top, width: right - left, height: bottom - top }
    },
    displayed: () => askedElement() !== undefined,
    enabled: () => askedElement().placed.current.enabled,
    selected: () => askedElement().placed.current.checked || askedElement().placed.current.selected,
    field: () => ({
      kind: isTextField(askedElement()) ? 'text' : 'other',
      isDisplayed: true,
      isEnabled: askedElement().placed.current.enabled,
      isReadOnly: false,
    }),
    place: () => {
      const element = askedElement()
      const { current } = element.placed
      const [width, height] = [(origin.right - origin.left) / ratio, (origin.bottom - origin.top) / ratio]
      return {
        ...{ title: page.title, isHidden: false, isFull: false, view: { left: 0, top: 0, width, height } },
        elements: [
          {
            ...{ parent: -1, box: boxOf(element), kind: current.editable ? 'field' : element.tag, css: [] },
            ...{ id: element.attributes.get('id') ?? '', text: ownText(element), label: '', hint: '' },
            flags: ['clickable', 'focusable', ...(all([element]).includes(active()) ? ['focused'] : [])],
          },
        ],
      }
    },
    clear: () => {
      const element = askedElement()
      if (!isTextField(element) || !element.placed.current.enabled)
        throw new Problem('invalid state', `the element is a ${element.tag} that takes no text`)
      return hands?.clear(element.placed.node) ?? false
    },
    choose: () => {
      throw new Problem('invalid state', 'the element is no option of a list')
    },
    back: () => {
      hands?.back()
      return true
    },
    forward: () => {
      hands?.forward()
      return true
    },
    script: () => {
      throw new Problem('no scripts', 'a simulated page runs no scripts')
    },
  }
  try {
    const operation = operations[ask.operation]
    if (!operation) throw new Problem('page', `a simulated page does not know ${ask.operation}`)
    return { value: operation() }
  } catch (error) {
    if (error instanceof Problem) return { error: error.error, message: error.message }
    throw error
  }
}
