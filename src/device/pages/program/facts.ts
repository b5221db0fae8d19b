/** Part of the program that is evaluated in pages: what is read of an element, and of the page. */
import { UNTYPED } from './fields.ts'

export const FACTS = `
  var ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
  var DEPTH_MAX = 50
  var VALUES_MAX = 100000
  var BOOLEAN = new RegExp('^(?:allowfullscreen|async|autofocus|autoplay|checked|controls|default|defer|disabled|' +
    'formnovalidate|hidden|ismap|loop|multiple|muted|novalidate|open|readonly|required|reversed|selected)$')
  function tagOf(element) { return String(get(element, 'tagName')).toLowerCase() }
  function parentOf(node) {
    var parent = get(node, 'parentNode')
    var kind = parent ? get(parent, 'nodeType') : 0
    return kind === 11 ? parent.host || null : kind === 1 ? parent : null
  }
  function hasSize(element) {
    return Array.prototype.some.call(call(element, 'getClientRects'), function (box) { return box.width > 0 && box.height > 0 })
  }
  /** An element without a size of its own shows what is in it, unless that is cut off. */
  function showsSomething(element) {
    if (hasSize(element)) return true
    if (win.getComputedStyle(element).overflow === 'hidden') return false
    return Array.prototype.some.call(get(element, 'childNodes'), function (child) {
      return get(child, 'nodeType') === 3 ? trimmed(child.nodeValue) !== '' && call(element, 'getClientRects').length > 0
        : get(child, 'nodeType') === 1 && win.getComputedStyle(child).display !== 'none' && showsSomething(child)
    })
  }
  function isDisplayed(element) {
    var tag = tagOf(element)
    if (tag === 'body' || tag === 'html') return true
    if (tag === 'option' || tag === 'optgroup') {
      var list = element.closest('select')
      return list !== null && isDisplayed(list)
    }
    if (tag === 'input' && element.type === 'hidden') return false
    if (win.getComputedStyle(element).visibility !== 'visible') return false
    // Older engines do not have it. It knows of closed details and other content that is skipped.
    if (typeof element.checkVisibility === 'function' && !element.checkVisibility()) return false
    for (var one = element; one; one = parentOf(one)) {
      var style = win.getComputedStyle(one)
      if (style.display === 'none' || style.opacity === '0') return false
    }
    return showsSomething(element)
  }
  function isEnabled(element) { return !call(element, 'matches', ':disabled') }
  function shownText(element) {
    if (!isDisplayed(element)) return ''
    return trimmed(get(element, 'innerText') === undefined ? get(element, 'textContent') : get(element, 'innerText'))
  }
  function attribute(element) {
    var name = String(ask.value)
    if (BOOLEAN.test(name.toLowerCase())) return call(element, 'hasAttribute', name) ? 'true' : null
    return call(element, 'getAttribute', name)
  }
  function rect(element) {
    var box = call(element, 'getBoundingClientRect')
    return { x: box.left + win.pageXOffset, y: box.top + win.pageYOffset, width: box.width, height: box.height }
  }
  function isTextField(element) {
    if (tagOf(element) === 'input') return !/^(?:${UNTYPED})$/.test(element.type)
    return tagOf(element) === 'textarea' || get(element, 'isContentEditable') === true
  }
  /** True where keys reach the element, or one in it: nothing of a page has the focus while another view has it. */
  function isActive(element) {
    var root = get(element, 'getRootNode') ? call(element, 'getRootNode') : doc
    var active = get(root, 'activeElement')
    return call(get(element, 'ownerDocument'), 'hasFocus') && active !== null && call(element, 'contains', active)
  }
  function field(element) {
    return {
      kind: tagOf(element) === 'option' ? 'option' : tagOf(element) === 'input' && element.type === 'file' ? 'file'
        : isTextField(element) ? 'text' : 'other',
      isDisplayed: isDisplayed(element),
      isEnabled: isEnabled(element),
      isReadOnly: element.readOnly === true
    }
  }

  var valuesLeft = VALUES_MAX
  var elementsLeft = ask.handles
  function isElement(value) { return value.nodeType === 1 && typeof value.getBoundingClientRect === 'function' }
  function isList(value) {
    var kind = Object.prototype.toString.call(value)
    return Array.isArray(value) || /^\\[object (?:Arguments|FileList|HTMLAllCollection|HTMLCollection|HTMLFormControlsCollection|HTMLOptionsCollection|NodeList)\\]$/.test(kind)
  }
  function unsendable(what) { return problem('javascript error', 'the result has ' + what + ', which cannot be sent') }
  /** A value as JSON, with handles in the place of elements. */
  function cloned(value, path) {
    if (--valuesLeft < 0) throw unsendable('more than ' + VALUES_MAX + ' values')
    if (value === undefined || value === null) return null
    if (typeof value === 'boolean' || typeof value === 'string') return value
    if (typeof value === 'number') return isFinite(value) ? value : null
    if (typeof value === 'function') return {}
    if (typeof value !== 'object') throw unsendable('a ' + typeof value)
    if (isElement(value)) {
      if (--elementsLeft < 0) throw unsendable('more than ' + ask.handles + ' elements')
      if (value.ownerDocument.defaultView !== null && value.ownerDocument !== doc) throw unsendable('an element of another frame')
      if (!isThere(value)) throw problem('stale result', 'the result has an element that is not in the page, which cannot be sent')
      var named = {}
      named[ELEMENT] = handleOf(value)
      return named
    }
    if (value.nodeType !== undefined && value.nodeName !== undefined) throw unsendable('a node that is no element')
    if (value.window === value) throw unsendable('a window')
    if (path.indexOf(value) >= 0) throw unsendable('itself in it')
    if (path.length >= DEPTH_MAX) throw unsendable('more than ' + DEPTH_MAX + ' levels')
    var inner = path.concat([value])
    if (isList(value)) return Array.prototype.map.call(value, function (one) { return cloned(one, inner) })
    if (typeof value.toJSON === 'function') return cloned(value.toJSON(), inner)
    var copy = {}
    Object.keys(value).forEach(function (key) { copy[key] = cloned(value[key], inner) })
    return copy
  }

  function state() {
    return {
      title: String(get(document, 'title')),
      url: String(window.location.href),
      readyState: get(document, 'readyState'),
      document: store().token,
      isHidden: get(document, 'visibilityState') === 'hidden'
    }
  }
  function ofElement(read) { return function () { return read(current(ask.element)) } }
  function property(element) {
    var value
    // Getters of prototypes throw for what is no instance.
    try { value = ask.value === '__proto__' ? null : element[ask.value] } catch (error) { return null }
    try { return cloned(value, []) } catch (error) {
      if (isProblem(error) && error.svcProblem === 'stale result') throw problem('stale', 'it was removed from the page')
      if (!isProblem(error) || error.svcProblem !== 'javascript error') throw error
      throw problem('unsendable', 'the property ' + ask.value + ': ' + error.message)
    }
  }
  var OPERATIONS = {
    state: state,
    source: function () { var html = get(doc, 'documentElement'); return html ? html.outerHTML : '' },
    find: find,
    active: function () { return handleOf(get(doc, 'activeElement') || get(doc, 'body') || get(doc, 'documentElement')) },
    frame: frame,
    text: ofElement(shownText),
    tag: ofElement(tagOf),
    attribute: ofElement(attribute),
    property: ofElement(property),
    style: ofElement(function (element) { return win.getComputedStyle(element).getPropertyValue(ask.value) }),
    rect: ofElement(rect),
    displayed: ofElement(isDisplayed),
    enabled: ofElement(isEnabled),
    selected: ofElement(function (element) { return element.checked === true || element.selected === true }),
    field: ofElement(field)
  }`
