/** Part of the programs that are evaluated in pages: reading and calling what elements with the same name would hide. */
export const PROTOTYPES = `
  /** Elements that have a name of the document or of a form in a page hide it: it is taken from the prototypes. */
  function get(object, name) {
    for (var at = Object.getPrototypeOf(object); at; at = Object.getPrototypeOf(at)) {
      var found = Object.getOwnPropertyDescriptor(at, name)
      if (found) return found.get ? found.get.call(object) : found.value
    }
    return object[name]
  }
  function call(object, name) { return get(object, name).apply(object, Array.prototype.slice.call(arguments, 2)) }`
