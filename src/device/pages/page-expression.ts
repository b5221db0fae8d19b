/**
 * The one expression that is evaluated in pages. It is fixed: a caller's selectors are its argument, as JSON, and never
 * become code. Pages may be shown by an old browser engine, so it is written without newer syntax.
 */
import type { WebQuery } from '../screen/patterns/flow-words.ts'
import { asLiteral } from './program/as-literal.ts'
import { UNTYPED } from './program/fields.ts'
import { PROTOTYPES } from './program/prototypes.ts'

/** A page with more of them is not read; its answer would be too large. */
export const ELEMENTS_MAX = 10_000

const CLICKABLE =
  'a[href],button,input,label,option,select,summary,textarea,[onclick],[role=button],[role=checkbox],[role=link],' +
  '[role=menuitem],[role=option],[role=radio],[role=switch],[role=tab],[contenteditable=true]'

/**
 * Elements with their nearest listed ancestor (`parent`) and the visible part of their box in CSS pixels (`box`), in the
 * order of the document. Own shadow trees and frames of the same origin are read too.
 */
const SOURCE = `(function (query) {${PROTOTYPES}
  for (var index = 0; index < query.css.length; index++) {
    try { call(document, 'createDocumentFragment').querySelector(query.css[index]) }
    catch (error) { return { bad: index, reason: String(error.message).slice(0, 300) } }
  }
  var view = window.visualViewport || { offsetLeft: 0, offsetTop: 0, width: innerWidth, height: innerHeight }
  var screen = [view.offsetLeft, view.offsetTop, view.offsetLeft + view.width, view.offsetTop + view.height]
  var elements = []
  var isFull = false
  function common(a, b) {
    var c = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]
    return c[2] > c[0] && c[3] > c[1] ? c : null
  }
  function attribute(element, name) { return call(element, 'getAttribute', name) || '' }
  function isField(element, tag) {
    if (tag === 'input') return !/^(?:${UNTYPED})$/.test(element.type)
    return tag === 'textarea' || get(element, 'isContentEditable') === true
  }
  function shortened(text) { return String(text).replace(/\\s+/g, ' ').trim() }
  function textOf(element, tag, isMatch) {
    if (tag === 'input' && element.type === 'password') return new Array(element.value.length + 1).join('\\u2022')
    if (tag === 'input' && /^(?:checkbox|radio|file|image)$/.test(element.type)) return ''
    if (tag === 'input' || tag === 'textarea') return String(element.value)
    if (tag === 'select') return Array.prototype.map.call(element.selectedOptions, function (one) { return one.text }).join(', ')
    if (isMatch && get(element, 'innerText') !== undefined) return shortened(get(element, 'innerText'))
    return shortened(Array.prototype.map.call(get(element, 'childNodes'), function (one) {
      return one.nodeType === 3 ? one.nodeValue : ''
    }).join(''))
  }
  function add(element, tag, style, parent, box, matches) {
    var field = isField(element, tag)
    var one = {
      parent: parent,
      box: box,
      kind: field ? 'field' : tag === 'input' ? element.type : attribute(element, 'role') || tag,
      id: get(element, 'id') || attribute(element, 'aria-label') || attribute(element, 'name') || attribute(element, 'title') ||
        attribute(element, 'for') || attribute(element, 'data-testid'),
      text: textOf(element, tag, matches.length > 0),
      label: attribute(element, 'aria-label') || attribute(element, 'alt') || attribute(element, 'title'),
      hint: attribute(element, 'placeholder'),
      css: matches,
      flags: []
    }
    if (matches.length === 0 && (!query.all || one.id + one.text + one.label + one.hint === '')) return parent
    function flag(name, isSo) { if (isSo) one.flags.push(name) }
    flag('clickable', call(element, 'matches', '${CLICKABLE}') || style.cursor === 'pointer')
    flag('disabled', call(element, 'matches', ':disabled') || attribute(element, 'aria-disabled') === 'true')
    flag('focusable', get(element, 'tabIndex') >= 0)
    flag('focused', get(get(element, 'getRootNode') ? call(element, 'getRootNode') : document, 'activeElement') === element)
    flag('checkable', element.type === 'checkbox' || element.type === 'radio' || call(element, 'hasAttribute', 'aria-checked'))
    flag('checked', element.checked === true || attribute(element, 'aria-checked') === 'true')
    flag('selected', element.selected === true || attribute(element, 'aria-selected') === 'true')
    flag('password', element.type === 'password')
    if (elements.length >= query.most) { isFull = true; return parent }
    return elements.push(one) - 1
  }
  function visit(element, parent, clip, left, top) {
    if (isFull) return
    var style = getComputedStyle(element)
    if (style.display === 'none') return
    var tag = get(element, 'localName')
    var rect = call(element, 'getBoundingClientRect')
    var box = [rect.left + left, rect.top + top, rect.right + left, rect.bottom + top]
    var around = style.position === 'fixed' ? screen : clip
    var seen = common(box, around)
    var own = parent
    if (seen && style.visibility === 'visible') {
      var matches = []
      query.css.forEach(function (css, index) { if (call(element, 'matches', css)) matches.push(index) })
      own = add(element, tag, style, parent, seen, matches)
    }
    var cuts = style.display !== 'contents' && style.display !== 'inline' && tag !== 'html' && tag !== 'body' &&
      (style.overflowX !== 'visible' || style.overflowY !== 'visible')
    var inner = cuts ? seen : around
    if (!inner) return
    var frame = null
    try { frame = tag === 'iframe' && element.contentDocument } catch (error) {}
    if (frame && get(frame, 'documentElement')) {
      if (seen) visit(get(frame, 'documentElement'), own, seen, box[0] + element.clientLeft, box[1] + element.clientTop)
      return
    }
    var slotted = tag === 'slot' && element.assignedNodes ? element.assignedNodes() : []
    var children = slotted.length > 0 ? slotted : get(get(element, 'shadowRoot') || element, 'children')
    Array.prototype.slice.call(children).forEach(function (child) {
      if (get(child, 'nodeType') === 1) visit(child, own, inner, left, top)
    })
  }
  visit(get(document, 'documentElement'), -1, screen, 0, 0)
  return {
    title: String(get(document, 'title')),
    isHidden: get(document, 'visibilityState') === 'hidden',
    isFull: isFull,
    view: { left: screen[0], top: screen[1], width: view.width, height: view.height },
    elements: isFull ? [] : elements
  }
})`

export const pageExpression = (query: WebQuery): string => `${SOURCE}(${asLiteral({ ...query, most: ELEMENTS_MAX })})`

/** The argument of the expression; undefined for any other one. For those who answer in the place of a page. */
export const queryIn = (expression: string): WebQuery | undefined =>
  expression.startsWith(`${SOURCE}(`)
    ? (JSON.parse(expression.slice(SOURCE.length + 1, -1)) as WebQuery & { most: number })
    : undefined
