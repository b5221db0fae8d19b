/** Turns the steps between the screens of a recording into reactions of the nodes that they touched. */
import type { Action } from '../../contracts/action.ts'
import { type FoundNode, findFirst, walk, withAncestors } from '../../operator/engine/match.ts'
import { contains } from '../../operator/engine/ui-tree.ts'
import { isEditable, type WrittenNode } from '../scenario/node.ts'
import { type FilmNode, foundIn, nodeFor, type Picture, plainNode } from './pictures.ts'

/** Why a step cannot be shown. */
export class Unfilmable extends Error {}

export interface Shot extends Picture {
  name: string
  app: string
  more: Map<FilmNode, Partial<WrittenNode>>
  onKey: Record<string, { goTo: string } | { openApp: string }>
}

export type Lead = { goTo: string } | { openApp: string }

const KEYS: Partial<Record<string, string>> = { back: 'BACK', enter: 'ENTER', delete: 'DEL' }

const say = ({ more }: Shot, node: FilmNode, said: Partial<WrittenNode>) =>
  more.set(node, { ...more.get(node), ...said })

/** Finds the node that takes a touch meant for another. */
const receiverOf = (found: FoundNode, isLong: boolean): FilmNode => {
  const takes = ({ node }: FoundNode) => (isLong ? node.longClickable : node.clickable)
  const receiver = ([...withAncestors(found)].find(takes) ?? found).node as FilmNode
  receiver.enabled = true
  if (isLong) receiver.longClickable = true
  else receiver.clickable = true
  return receiver
}

const touched = (shot: Shot, act: Extract<Action, { type: 'click' }>, lead: Lead) => {
  const { matcher, coordinate, clickType } = act.params
  const found = matcher
    ? findFirst({ rotation: 0, roots: [shot.root] }, matcher)
    : [...walk([shot.root])].findLast(({ node }) => coordinate !== undefined && contains(node.bounds, coordinate))
  if (!found) throw new Unfilmable('nothing that was seen is at the point that it taps')
  const isLong = clickType === 'long_click'
  say(shot, receiverOf(found, isLong), isLong ? { onLongPress: lead } : { onTap: lead })
}

const fieldOf = (root: FilmNode, matcher: Extract<Action, { type: 'enter_text' }>['params']['matcher']) => {
  const found = foundIn({ root }, matcher)
  if (!found) return undefined
  for (const { node } of walk([found])) if (isEditable(node.className)) return node as FilmNode
  return found
}

const typed = (shot: Shot, next: Shot, act: Extract<Action, { type: 'enter_text' }>, lead: Lead, id: string) => {
  const { matcher, submit } = act.params
  const field = fieldOf(shot.root, matcher)
  if (!field) throw new Unfilmable('no screen shows the field')
  field.className = isEditable(field.className) ? field.className : 'android.widget.EditText'
  field.enabled = true
  const later = 'goTo' in lead && next !== shot ? fieldOf(next.root, matcher) : undefined
  const isKept = later !== undefined && isEditable(later.className) && !later.password
  if (isKept && next.more.get(later)?.id === undefined) say(next, later, { id })
  const keptAs = isKept ? next.more.get(later)?.id : undefined
  const reaction = { ...(keptAs === undefined ? {} : { set: { [keptAs]: { text: '{text}' } } }), ...lead }
  say(shot, field, submit ? { onKey: { ENTER: reaction } } : { onText: reaction })
}

const BELOW_PIXELS = 20
const ROW_PIXELS = 160

const listIn = ({ root }: Shot, act: Action): FilmNode | undefined => {
  const named = 'params' in act && act.params && 'container' in act.params ? act.params.container : undefined
  const from = named ? foundIn({ root }, named) : root
  const start = act.type === 'swipe' ? act.params.start : undefined
  const lists = [...walk(from ? [from] : [])].filter(
    ({ node }) => node.scrollable && (!start || contains(node.bounds, start)),
  )
  const list = (start ? lists.at(-1) : lists[0])?.node as FilmNode | undefined
  return list
}

/** In the upper half, below everything: made-up nodes stand in the lower one. */
const addList = ({ root, name }: Shot, step: string, notes: string[]): FilmNode => {
  const { left, top, right, bottom } = root.bounds
  const bounds = { left, top, right, bottom: top + Math.floor((bottom - top) / 2) }
  const list = plainNode(root.packageName, bounds, { className: 'android.widget.ListView', scrollable: true })
  root.children.unshift(list)
  notes.push(`${name}: no snapshot shows the list that step "${step}" scrolled; one was added`)
  return list
}

const isDownward = (act: Action): boolean => {
  if (act.type === 'swipe') return act.params.start.y > act.params.end.y
  return 'params' in act && act.params !== undefined && 'direction' in act.params && act.params.direction === 'down'
}

/** Something below its lower edge, so that it scrolls at all. */
const addBelow = (shot: Shot, list: FilmNode, node?: FilmNode): FilmNode => {
  const { left, right, bottom } = list.bounds
  const bounds = { left, right, top: bottom + BELOW_PIXELS, bottom: bottom + BELOW_PIXELS + ROW_PIXELS }
  const row = node ? { ...node, bounds } : plainNode(list.packageName, bounds)
  list.children.push(row)
  say(shot, row, { clip: true })
  return row
}

type Scrolling = Extract<Action, { type: 'scroll' | 'scroll_until' | 'scroll_and_click' | 'swipe' }>

const scrolled = (shot: Shot, next: Shot, act: Scrolling, lead: Lead, notes: string[]) => {
  const target = act.type === 'scroll_until' || act.type === 'scroll_and_click' ? act.params.matcher : undefined
  const clicks = (act.type === 'scroll_until' || act.type === 'scroll_and_click') && act.params.clickAfter
  const clickType = act.type === 'scroll_and_click' ? act.params.clickType : 'default'
  if (target && foundIn(shot, target)) {
    if (clicks) touched(shot, { id: act.id, type: 'click', params: { matcher: target, clickType } }, lead)
    return
  }
  if (next === shot && !target) return
  if (!isDownward(act)) throw new Unfilmable('only scrolling down can be shown of screens that were seen')
  const list = listIn(shot, act) ?? addList(shot, act.id, notes)
  if (target && (clicks || !foundIn(next, target) || next === shot)) {
    const row = addBelow(shot, list, nodeFor(target, list.packageName, list.bounds))
    if (clicks) say(shot, row, { onTap: lead })
    notes.push(
      `${shot.name}: the row that step "${act.id}" scrolled to was not seen there; it was added below the list`,
    )
    return
  }
  addBelow(shot, list)
  say(shot, list, { onScroll: lead })
}

/** Says on the screen of a step what leads to the next one. */
export const link = (shot: Shot, next: Shot, act: Action, lead: () => Lead, notes: string[]): void => {
  const hasStayed = next === shot
  switch (act.type) {
    case 'click':
      if (!hasStayed) touched(shot, act, lead())
      break
    case 'enter_text':
      if (!hasStayed) typed(shot, next, act, lead(), `typed-${next.name}`)
      break
    case 'press_key': {
      const key = KEYS[act.params.key]
      if (key === undefined) throw new Unfilmable(`the key ${act.params.key} leaves the app`)
      shot.onKey[key] = lead()
      break
    }
    case 'scroll':
    case 'scroll_until':
    case 'scroll_and_click':
    case 'swipe':
      scrolled(shot, next, act, hasStayed ? { goTo: shot.name } : lead(), notes)
      break
    case 'open_app':
      if (hasStayed) break
      lead()
      if (next.app === act.params.applicationId && next.app !== shot.app) break
      throw new Unfilmable('it opens an app in the middle of the recording that had been in front before')
    default:
      throw new Unfilmable(`${act.type} in the middle of a recording cannot be shown`)
  }
}
