/**
 * Part of the program that is evaluated in pages: elements by their handles, frames and finding. The handles of a document
 * are in one hidden property of its window, and are lost with it.
 */
export const ELEMENTS = `
  var KEY = '__svcElements'
  var TEXT_CHARS_MAX = 300
  /** Cut in the middle: the reason may be at the end. */
  function short(text) {
    if (text.length <= TEXT_CHARS_MAX) return text
    return text.slice(0, TEXT_CHARS_MAX / 2) + '...' + text.slice(text.length - TEXT_CHARS_MAX / 2)
  }
  /** A script may throw what looks like a problem. */
  var problems = []
  function problem(name, message) {
    var one = { svcProblem: name, message: short(String(message)) }
    problems.push(one)
    return one
  }
  function isProblem(error) { return problems.indexOf(error) >= 0 }
  function store() {
    var held = window[KEY]
    if (held) return held
    var token = Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2)
    held = { token: token, last: 0, first: 1, byId: {}, ids: new WeakMap() }
    Object.defineProperty(window, KEY, { value: held })
    return held
  }
  function isThere(element) { return get(element, 'isConnected') && get(get(element, 'ownerDocument'), 'defaultView') !== null }
  function handleOf(element) {
    var held = store()
    var id = held.ids.get(element)
    if (id === undefined || held.byId[id] === undefined) {
      id = ++held.last
      held.ids.set(element, id)
      held.byId[id] = element
      while (held.last - held.first >= ask.handles) delete held.byId[held.first++]
    }
    return held.token + ':' + id
  }
  function elementOf(handle) {
    var held = store()
    var colon = handle.indexOf(':')
    if (handle.slice(0, colon) !== held.token) throw problem('stale', 'the page shows another document')
    var element = held.byId[handle.slice(colon + 1)]
    if (element === undefined) throw problem('stale', 'the page remembers ' + ask.handles + ' elements, and not this one')
    if (!isThere(element)) throw problem('stale', 'it was removed from the page')
    return element
  }

  var win = window
  var doc = document
  /** The frames on the way, each with its place in the page. */
  var around = []
  function documentIn(frame) {
    var inner = null
    try { inner = frame.contentDocument } catch (error) {}
    if (!inner || !get(inner, 'defaultView')) throw problem('foreign frame', 'the frame shows a page of another origin')
    return inner
  }
  function enterFrames() {
    ask.frames.forEach(function (handle) {
      var frame
      try { frame = elementOf(handle) } catch (error) { throw problem('no such window', 'the frame is gone') }
      var box = frame.getBoundingClientRect()
      var outer = around.length > 0 ? around[around.length - 1] : { left: 0, top: 0 }
      around.push({ frame: frame, left: outer.left + box.left + frame.clientLeft, top: outer.top + box.top + frame.clientTop })
      doc = documentIn(frame)
      win = get(doc, 'defaultView')
    })
  }
  function current(handle) {
    var element = elementOf(handle)
    if (get(element, 'ownerDocument') !== doc) throw problem('no such element', 'the element is in another frame')
    return element
  }

  function trimmed(text) { return String(text).replace(/\\u00a0/g, ' ').trim() }
  function filtered(list, fits) { return Array.prototype.filter.call(list, fits) }
  function byXPath(root) {
    var found = call(doc, 'evaluate', ask.value, root, null, 7, null)
    var list = []
    for (var at = 0; at < found.snapshotLength; at++) {
      var node = found.snapshotItem(at)
      if (get(node, 'nodeType') !== 1) throw new Error('The result of the expression is no element, but a node of type ' + node.nodeType + '.')
      list.push(node)
    }
    return list
  }
  var LOCATORS = {
    'css selector': function (root) { return call(root, 'querySelectorAll', ask.value) },
    xpath: byXPath,
    'link text': function (root) {
      return filtered(call(root, 'querySelectorAll', 'a'), function (link) { return trimmed(link.innerText) === trimmed(ask.value) })
    },
    'partial link text': function (root) {
      return filtered(call(root, 'querySelectorAll', 'a'), function (link) { return trimmed(link.innerText).indexOf(ask.value) >= 0 })
    },
    'tag name': function (root) { return call(root, 'getElementsByTagName', ask.value) },
    'class name': function (root) {
      if (/\\s/.test(ask.value)) throw new Error('A class name has no blanks.')
      return call(root, 'getElementsByClassName', ask.value)
    },
    id: function (root) { return filtered(call(root, 'querySelectorAll', '[id]'), function (one) { return get(one, 'id') === ask.value }) },
    name: function (root) {
      return filtered(call(root, 'querySelectorAll', '[name]'), function (one) { return call(one, 'getAttribute', 'name') === ask.value })
    }
  }
  function find() {
    var root = ask.element ? current(ask.element) : doc
    var list
    try { list = LOCATORS[ask.by](root) } catch (error) { throw problem('invalid selector', error.message) }
    if (ask.most !== 1 && list.length > ask.most) throw problem('too many', list.length + ' elements match, and ' + ask.most + ' are answered at most')
    return { found: Array.prototype.slice.call(list, 0, ask.most).map(handleOf), isLoading: get(doc, 'readyState') === 'loading' }
  }
  function frame() {
    var one = null
    if (ask.element) {
      one = current(ask.element)
      if (!/^i?frame$/i.test(one.tagName)) throw problem('no such frame', 'the element is a ' + one.tagName.toLowerCase() + ', and no frame')
    } else {
      if (!(ask.index < win.length)) throw problem('no such frame', 'the page has ' + win.length + ' frames')
      try { one = win[ask.index].frameElement } catch (error) {}
      if (!one) throw problem('foreign frame', 'the frame shows a page of another origin')
    }
    documentIn(one)
    return handleOf(one)
  }`
