/** The texts of a JSON value, and which of them are words of svc itself: known by their place in a shape of svc, never by a key alone. */

/**
 * `word` is a word of svc, `text` may be anything. Of an object that is named `known` every key is one of svc, and every
 * value may be anything. A key of a shape that stands here is one of svc; `*` stands for each item of a list.
 */
export type Words = 'word' | 'text' | 'known' | { readonly [key: string]: Words }

/** Says of a text at a place whether it stays as it is; `changed` is what would take its place. */
export interface Place {
  isWord(text: string, changed: string): boolean
  /** Undefined where nothing is a word. */
  at(key: string | number): Place | undefined
  isKey(key: string): boolean
}

const NOTHING: Place = { isWord: () => false, at: () => undefined, isKey: () => false }

export const wordsAt = (words: Words): Place => {
  if (words === 'word') return { ...NOTHING, isWord: () => true }
  if (words === 'text') return NOTHING
  if (words === 'known') {
    const known: Place = { isWord: () => false, at: () => known, isKey: () => true }
    return known
  }
  const places = new Map(Object.entries(words).map(([key, inner]) => [key, wordsAt(inner)]))
  return {
    isWord: () => false,
    at: key => places.get(typeof key === 'number' ? '*' : key),
    isKey: key => places.has(key),
  }
}

/** Changes every text, keys of objects included, and returns the same object where nothing has changed. */
export const mapTexts = (json: unknown, change: (text: string) => string, place: Place = NOTHING): unknown => {
  if (typeof json === 'string') {
    const changed = change(json)
    return changed === json || place.isWord(json, changed) ? json : changed
  }
  if (Array.isArray(json)) {
    const changed = json.map((each, at) => mapTexts(each, change, place.at(at)))
    return changed.some((each, at) => each !== json[at]) ? changed : json
  }
  if (typeof json !== 'object' || json === null) return json
  const entries = Object.entries(json)
  const changed = entries.map(
    ([key, value]) => [place.isKey(key) ? key : change(key), mapTexts(value, change, place.at(key))] as const,
  )
  const isSame = changed.every(([key, value], at) => key === entries[at]?.[0] && value === entries[at]?.[1])
  return isSame ? json : Object.fromEntries(changed)
}
