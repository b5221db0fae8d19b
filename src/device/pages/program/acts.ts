/** Part of the program that is evaluated in pages: bringing an element into view for a touch, changes, and scripts. */
export const ACTS = `
  /** The part of the first box of the element that is in view. */
  function boxInView(element) {
    var box = call(element, 'getClientRects')[0]
    if (!box) return null
    var left = Math.max(0, box.left), top = Math.max(0, box.top)
    var right = Math.min(win.innerWidth, box.right), bottom = Math.min(win.innerHeight, box.bottom)
    return right > left && bottom > top ? { left: left, top: top, right: right, bottom: bottom } : null
  }
  /** The element that a touch in the middle of the box would reach instead; null where it reaches the element. */
  function coverOf(element, box) {
    var x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2
    var top = get(element, 'getRootNode') ? call(element, 'getRootNode') : doc
    var root = get(top, 'elementFromPoint') ? top : doc
    var hit = call(root, 'elementFromPoint', x, y)
    if (!hit || !(hit === element || call(element, 'contains', hit))) return hit || get(doc, 'documentElement')
    for (var at = around.length - 1; at >= 0; at--) {
      var outer = around[at].frame
      var seen = call(outer.ownerDocument, 'elementFromPoint',
        x + around[around.length - 1].left - (at > 0 ? around[at - 1].left : 0),
        y + around[around.length - 1].top - (at > 0 ? around[at - 1].top : 0))
      if (seen !== outer) return seen || get(outer.ownerDocument, 'documentElement')
    }
    return null
  }
  function named(element) {
    return '<' + tagOf(element) + (get(element, 'id') ? ' id="' + get(element, 'id') + '"' : '') +
      (call(element, 'getAttribute', 'class') ? ' class="' + call(element, 'getAttribute', 'class') + '"' : '') + '>'
  }
  /** Where to touch the element, in the words of the expression that reads whole pages. */
  OPERATIONS.place = ofElement(function (element) {
    if (tagOf(element) === 'option') throw problem('option', 'an option is chosen, not touched')
    if (!isDisplayed(element)) throw problem('not interactable', 'the element is not displayed')
    var box = boxInView(element)
    var cover = box ? coverOf(element, box) : null
    if (!box || cover) {
      call(element, 'scrollIntoView', { behavior: 'instant', block: 'center', inline: 'nearest' })
      // The frames have moved with it.
      around = []
      win = window
      doc = document
      enterFrames()
      box = boxInView(element)
      cover = box ? coverOf(element, box) : null
    }
    if (!box) throw problem('not interactable', 'the element has no place in view')
    if (cover) throw problem('intercepted', 'a touch on ' + named(element) + ' would reach ' + named(cover))
    var view = window.visualViewport || { offsetLeft: 0, offsetTop: 0, width: innerWidth, height: innerHeight }
    var shift = around.length > 0 ? around[around.length - 1] : { left: 0, top: 0 }
    var flags = ['clickable', 'focusable']
    if (isActive(element)) flags.push('focused')
    return {
      title: String(get(document, 'title')),
      isHidden: get(document, 'visibilityState') === 'hidden',
      isFull: false,
      view: { left: view.offsetLeft, top: view.offsetTop, width: view.width, height: view.height },
      elements: [{
        parent: -1,
        box: [box.left + shift.left, box.top + shift.top, box.right + shift.left, box.bottom + shift.top],
        kind: isTextField(element) ? 'field' : tagOf(element) === 'input' ? element.type : tagOf(element),
        id: get(element, 'id') || '',
        text: tagOf(element) === 'input' && element.type === 'password' ? ''
          : String(element.value === undefined ? element.innerText || '' : element.value).slice(0, TEXT_CHARS_MAX),
        label: '',
        hint: '',
        css: [],
        flags: flags
      }]
    }
  })

  function tell(element, names) {
    names.forEach(function (name) { element.dispatchEvent(new Event(name, { bubbles: true })) })
  }
  /** Frameworks put a property of their own in front of the one that the browser has. */
  function setValue(element, value) {
    var own = element.ownerDocument.defaultView
    var kind = tagOf(element) === 'textarea' ? own.HTMLTextAreaElement : own.HTMLInputElement
    Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(element, value)
  }
  OPERATIONS.clear = ofElement(function (element) {
    if (!isTextField(element)) throw problem('invalid state', 'the element is a ' + tagOf(element) + ', and only fields of text are cleared')
    if (!isEnabled(element) || element.readOnly === true) throw problem('invalid state', 'the field takes no text')
    if (!isDisplayed(element)) throw problem('not interactable', 'the element is not displayed')
    var isForm = tagOf(element) !== 'input' && tagOf(element) !== 'textarea'
    if ((isForm ? element.innerHTML : element.value) === '') return true
    element.focus()
    if (isForm) element.innerHTML = ''
    else setValue(element, '')
    tell(element, ['input', 'change'])
    element.blur()
    return true
  })
  OPERATIONS.choose = ofElement(function (element) {
    var list = tagOf(element) === 'option' ? element.closest('select') : null
    if (!list) throw problem('invalid state', 'the element is no option of a list')
    if (!isEnabled(list) || element.disabled) throw problem('not interactable', 'the option cannot be chosen')
    list.focus()
    if (!list.multiple && element.selected) return true
    element.selected = list.multiple ? !element.selected : true
    tell(list, ['input', 'change'])
    return true
  })
  OPERATIONS.back = function () { history.back(); return true }
  OPERATIONS.forward = function () { history.forward(); return true }

  function revived(value) {
    if (Array.isArray(value)) return value.map(revived)
    if (value === null || typeof value !== 'object') return value
    if (typeof value[ELEMENT] === 'string') return elementOf(value[ELEMENT])
    var copy = {}
    Object.keys(value).forEach(function (key) { copy[key] = revived(value[key]) })
    return copy
  }
  function failureOf(error) {
    if (isProblem(error)) return { error: error.svcProblem, message: error.message }
    var said
    try {
      said = String(error && error.message !== undefined ? (error.name ? error.name + ': ' : '') + error.message : error)
    } catch (other) { said = 'the value that was thrown cannot be written as a text' }
    return { error: 'javascript error', message: said.slice(0, TEXT_CHARS_MAX) }
  }
  function isPromise(value) {
    return value !== null && (typeof value === 'object' || typeof value === 'function') && typeof value.then === 'function'
  }
  function sent(value) {
    try { return { value: cloned(value, []) } } catch (error) {
      var failure = failureOf(error)
      if (isProblem(error)) failure.message = 'the script ran, but ' + failure.message
      return failure
    }
  }
  /** Whatever promise it is, or looks like one. The engine ends an evaluation in time, but no promise. */
  function inTime(result) {
    return new Promise(function (resolve) {
      var timer = setTimeout(function () { resolve({ error: 'timeout' }) }, ask.timeoutMs)
      new Promise(function (settle) { settle(result) }).then(sent, failureOf).then(function (answer) {
        clearTimeout(timer)
        resolve(answer)
      })
    })
  }
  /** Answers, or resolves to, what the program answers. */
  function runScript() {
    var args = revived(ask.args)
    var body = new win.Function(ask.script)
    if (!ask.isAsync) {
      var result = body.apply(win, args)
      return isPromise(result) ? inTime(result) : sent(result)
    }
    return inTime(new Promise(function (resolve, reject) {
      var returned = body.apply(win, args.concat([resolve]))
      if (isPromise(returned)) new Promise(function (settle) { settle(returned) }).then(undefined, reject)
    }))
  }`
