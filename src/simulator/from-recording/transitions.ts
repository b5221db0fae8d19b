/** Turns the steps between the screens of a recording into reactions of the nodes that they touched. */

import { contains, type FoundNode, walk } from '../../contracts/device/ui-tree.ts'
import type { Action } from '../../contracts/executions/action.ts'
import { isFocusedField, withAncestors } from '../../device/screen/match.ts'
import { findFirst } from '../../device/screen/search.ts'
import { isEditable, type WrittenNode } from '../scenario/node.ts'
import { foundIn, type MomentScreen, nodeFor, plainNode, type RecordedNode } from './moment-screens.ts'

/** Why a step cannot be shown. */
export class UnsupportedStep extends Error {}

export interface ScreenDraft extends MomentScreen {
  name: string
  app: string
  more: Map<RecordedNode, Partial<WrittenNode>>
  onKey: Record<string, { goTo: string } | { openApp: string }>
}

export type NextScreen = { goTo: string } | { openApp: string }

const KEYS: Partial<Record<string, string>> = { back: 'BACK', enter: 'ENTER', delete: 'DEL' }

const describe = ({ more }: ScreenDraft, node: RecordedNode, facts: Partial<WrittenNode>) =>
  more.set(node, { ...more.get(node), ...facts })

/** Finds the node that takes a touch meant for another. */
const receiverOf = (found: FoundNode, isLong: boolean): RecordedNode => {
  const takes = ({ node }: FoundNode) => (isLong ? node.longClickable : node.clickable)
  const receiver = ([...withAncestors(found)].find(takes) ?? found).node as RecordedNode
  receiver.enabled = true
  if (isLong) receiver.longClickable = true
  else receiver.clickable = true
  return receiver
}

const linkTap = (draft: ScreenDraft, act: Extract<Action, { type: 'click' }>, lead: NextScreen) => {
  const { matcher, coordinate, clickType } = act.params
  const found = matcher
    ? findFirst({ rotation: 0, roots: [draft.root] }, matcher)
    : [...walk([draft.root])].findLast(({ node }) => coordinate !== undefined && contains(node.bounds, coordinate))
  if (!found) throw new UnsupportedStep('nothing that was seen is at the point that it taps')
  const isLong = clickType === 'long_click'
  describe(draft, receiverOf(found, isLong), isLong ? { onLongPress: lead } : { onTap: lead })
}

type EnterText = Extract<Action, { type: 'enter_text' }>

const fieldOf = (root: RecordedNode, matcher: EnterText['params']['matcher']): RecordedNode | undefined => {
  const focused = [...walk([root])].find(({ node }) => isFocusedField(node))?.node as RecordedNode | undefined
  const found = matcher ? foundIn({ root }, matcher) : focused
  if (!found) return undefined
  for (const { node } of walk([found])) if (isEditable(node.className)) return node as RecordedNode
  return found
}

const linkTyping = (draft: ScreenDraft, next: ScreenDraft, act: EnterText, lead: NextScreen, id: string) => {
  const { matcher, submit } = act.params
  const field = fieldOf(draft.root, matcher)
  if (!field) {
    throw new UnsupportedStep(matcher ? 'no screen shows the field' : 'no screen shows which field has the focus')
  }
  field.className = isEditable(field.className) ? field.className : 'android.widget.EditText'
  field.enabled = true
  const later = 'goTo' in lead && next !== draft ? fieldOf(next.root, matcher) : undefined
  const isEditableLater = later !== undefined && isEditable(later.className) && !later.password
  if (isEditableLater && next.more.get(later)?.id === undefined) describe(next, later, { id })
  const keptAs = isEditableLater ? next.more.get(later)?.id : undefined
  const reaction = { ...(keptAs === undefined ? {} : { set: { [keptAs]: { text: '{text}' } } }), ...lead }
  describe(draft, field, submit ? { onKey: { ENTER: reaction } } : { onText: reaction })
}

const BELOW_PIXELS = 20
const ROW_PIXELS = 160

const listIn = ({ root }: ScreenDraft, act: Action): RecordedNode | undefined => {
  const named = 'params' in act && act.params && 'container' in act.params ? act.params.container : undefined
  const from = named ? foundIn({ root }, named) : root
  const start = act.type === 'swipe' ? act.params.start : undefined
  const lists = [...walk(from ? [from] : [])].filter(
    ({ node }) => node.scrollable && (!start || contains(node.bounds, start)),
  )
  const list = (start ? lists.at(-1) : lists[0])?.node as RecordedNode | undefined
  return list
}

/** In the upper half, below everything: made-up nodes stand in the lower one. */
const addList = ({ root, name }: ScreenDraft, step: string, notes: string[]): RecordedNode => {
  const { left, top, right, bottom } = root.bounds
  const bounds = { left, top, right, bottom: top + Math.floor((bottom - top) / 2) }
  const list = plainNode(root.packageName, bounds, { className: 'android.widget.ListView', scrollable: true })
  root.children.unshift(list)
  notes.push(`${name}: no full snapshot shows the list that step "${step}" scrolled; one was added`)
  return list
}

const isDownward = (act: Action): boolean => {
  if (act.type === 'swipe') {
    const { start, end, direction } = act.params
    return start && end ? start.y > end.y : direction === 'up'
  }
  return 'params' in act && act.params !== undefined && 'direction' in act.params && act.params.direction === 'down'
}

/** Something below its lower edge, so that it scrolls at all. */
const addBelow = (draft: ScreenDraft, list: RecordedNode, node?: RecordedNode): RecordedNode => {
  const { left, right, bottom } = list.bounds
  const bounds = { left, right, top: bottom + BELOW_PIXELS, bottom: bottom + BELOW_PIXELS + ROW_PIXELS }
  const row = node ? { ...node, bounds } : plainNode(list.packageName, bounds)
  list.children.push(row)
  describe(draft, row, { clip: true })
  return row
}

type Scrolling = Extract<Action, { type: 'scroll' | 'scroll_until' | 'scroll_and_click' | 'swipe' }>

const linkScroll = (draft: ScreenDraft, next: ScreenDraft, act: Scrolling, lead: NextScreen, notes: string[]) => {
  const target = act.type === 'scroll_until' || act.type === 'scroll_and_click' ? act.params.matcher : undefined
  const clicks = (act.type === 'scroll_until' || act.type === 'scroll_and_click') && act.params.clickAfter
  const clickType = act.type === 'scroll_and_click' ? act.params.clickType : 'default'
  if (target && foundIn(draft, target)) {
    if (clicks) linkTap(draft, { id: act.id, type: 'click', params: { matcher: target, clickType } }, lead)
    return
  }
  if (next === draft && !target) return
  if (!isDownward(act)) throw new UnsupportedStep('only scrolling down can be shown of screens that were seen')
  const list = listIn(draft, act) ?? addList(draft, act.id, notes)
  if (target && (clicks || !foundIn(next, target) || next === draft)) {
    const row = addBelow(draft, list, nodeFor(target, list.packageName, list.bounds))
    if (clicks) describe(draft, row, { onTap: lead })
    notes.push(
      `${draft.name}: the row that step "${act.id}" scrolled to was not seen there; it was added below the list`,
    )
    return
  }
  addBelow(draft, list)
  describe(draft, list, { onScroll: lead })
}

/** Says on the screen of a step what leads to the next one. */
export const linkScreens = (
  draft: ScreenDraft,
  next: ScreenDraft,
  act: Action,
  lead: () => NextScreen,
  notes: string[],
): void => {
  const hasStayed = next === draft
  switch (act.type) {
    case 'click':
      if (!hasStayed) linkTap(draft, act, lead())
      break
    case 'enter_text':
      if (!hasStayed) linkTyping(draft, next, act, lead(), `typed-${next.name}`)
      break
    case 'press_key': {
      const key = KEYS[act.params.key]
      if (key === undefined) throw new UnsupportedStep(`the key ${act.params.key} leaves the app`)
      draft.onKey[key] = lead()
      break
    }
    case 'scroll':
    case 'scroll_until':
    case 'scroll_and_click':
    case 'swipe':
      linkScroll(draft, next, act, hasStayed ? { goTo: draft.name } : lead(), notes)
      break
    case 'open_app':
      if (hasStayed) break
      lead()
      if (next.app === act.params.applicationId && next.app !== draft.app) break
      throw new UnsupportedStep('it opens an app in the middle of the recording that had been in front before')
    default:
      throw new UnsupportedStep(`${act.type} in the middle of a recording cannot be shown`)
  }
}
