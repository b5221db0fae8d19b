/** The words of actions: nodes, places and values as a person would say them. */
import type { AnyParams as Params } from './card.ts'

const LABEL_CHARS = 48

/** Lists of receipts do not read which one. */
export const A_NODE = 'a node'

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

export const cut = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  return characters.length > LABEL_CHARS ? `${characters.slice(0, LABEL_CHARS - 1).join('')}…` : line
}

export const quoted = (text: string) => `“${cut(text)}”`

/** In full, and quoted as in JSON. */
export const asLiteral = (text: string | undefined) => (text === undefined ? '' : JSON.stringify(text))

export const asParams = (value: unknown): Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Params) : {}

const flowWords = ({ text, id, index, ...others }: Params): string => {
  const place = typeof index === 'number' ? `[${index}]` : ''
  if (asText(text) !== '') return `${quoted(asText(text))}${place}`
  if (asText(id) !== '') return `#${cut(asText(id).slice(asText(id).indexOf('/') + 1))}${place}`
  const other = Object.values(others).find(
    value => typeof value === 'object' && value !== null && !Array.isArray(value),
  )
  return other === undefined ? 'a node' : join('the node near', flowWords(asParams(other)))
}

const elementWords = ({ text, contentDesc, hint, resourceId, className }: Params): string => {
  const label = asText(text) || asText(contentDesc) || asText(hint)
  if (label !== '') return quoted(label)
  const id = asText(resourceId)
  return id === ''
    ? `the ${cut(asText(className).split('.').at(-1) ?? 'node')}`
    : `#${cut(id.slice(id.indexOf('/') + 1))}`
}

export const pageElementWords = ({ label }: Params, otherwise: string): string =>
  join(asText(label) === '' ? otherwise : quoted(asText(label)), 'of the page')

/** The node that a matcher means, by the words on it where it has some. */
export const matcherWords = (value: unknown): string => {
  const matcher = asParams(value)
  const label = ['textEquals', 'textContains', 'textMatches', 'contentDescEquals', 'contentDescContains'].find(key =>
    asText(matcher[key]),
  )
  if (label !== undefined) return quoted(asText(matcher[label]))
  if (matcher.flow !== undefined) return flowWords(asParams(matcher.flow))
  if (matcher.element !== undefined) return elementWords(asParams(matcher.element))
  if (matcher.pageElement !== undefined) return pageElementWords(asParams(matcher.pageElement), 'an element')
  const id = asText(matcher.resourceId)
  if (id !== '') return `#${cut(id.slice(id.indexOf('/') + 1))}`
  const role = asText(matcher.role)
  if (role !== '') return `the ${cut(role)}`
  return cut(asText(matcher.ref))
}

export const pointWords = (value: unknown): string => {
  const { x, y } = asParams(value)
  return typeof x === 'number' && typeof y === 'number' ? `${x},${y}` : ''
}

export const placeWords = (value: unknown): string => {
  const { matcher, coordinate } = asParams(value)
  return matcherWords(matcher) || pointWords(coordinate)
}

export const touchWords = ({ matcher, coordinate, point }: Params): string => {
  const at = asParams(point).unit === 'percent' ? `${asParams(point).x}%,${asParams(point).y}%` : ''
  return matcherWords(matcher) || pointWords(coordinate) || at
}

export const join = (...words: readonly (string | undefined)[]) => words.filter(Boolean).join(' ')

export const swipeDirection = ({ start, end, direction }: Params): string => {
  if (direction !== undefined) return asText(direction)
  const [from, to] = [asParams(start), asParams(end)]
  const [x, y] = [Number(to.x) - Number(from.x), Number(to.y) - Number(from.y)]
  if (Number.isNaN(x + y) || (x === 0 && y === 0)) return ''
  if (Math.abs(x) > Math.abs(y)) return x > 0 ? 'right' : 'left'
  return y > 0 ? 'down' : 'up'
}

export const seconds = (ms: unknown): string => (typeof ms === 'number' ? `${Number((ms / 1_000).toFixed(1))} s` : '')

/** Folders of the host are nobody's business. */
export const lastPart = (path: unknown): string => cut(asText(path).replace(/\/+$/, '').split('/').at(-1) ?? '')
export const ofApp = (applicationId: unknown): string => join(asText(applicationId) && 'of', cut(asText(applicationId)))
/** Its arguments may hold what a list does not show to whoever passes by, and so may an assignment in front of it. */
export const programIn = (command: string): string => cut(/^\s*([\w./-]+)(?=\s|$)/.exec(command)?.[1] ?? '')
