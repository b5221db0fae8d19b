/** The dialog in front, by the ids that Android gives the buttons of its permission dialogs and alerts. */

import { isOnScreen, labelOf, type UiNode, type UiTree, walk } from '../../contracts/device/ui-tree.ts'

type Answer = 'accept' | 'dismiss'

/** The part of a resource id behind the package, which differs between makers. In the order of preference. */
const BUTTONS: readonly (readonly [id: string, answer: Answer | undefined])[] = [
  ['permission_allow_foreground_only_button', 'accept'],
  ['permission_allow_button', 'accept'],
  ['permission_allow_one_time_button', 'accept'],
  ['permission_allow_all_button', 'accept'],
  ['permission_allow_always_button', 'accept'],
  ['permission_deny_button', 'dismiss'],
  ['permission_deny_and_dont_ask_again_button', 'dismiss'],
  ['permission_no_upgrade_button', 'dismiss'],
  ['permission_no_upgrade_and_dont_ask_again_button', 'dismiss'],
  ['button1', 'accept'],
  ['button2', 'dismiss'],
  ['button3', undefined],
  ['aerr_wait', 'accept'],
  ['aerr_restart', 'accept'],
  ['aerr_close', 'dismiss'],
  ['aerr_app_info', undefined],
]
const TITLES = ['permission_message', 'alertTitle', 'alert_title', 'message']

export interface DialogButton {
  node: UiNode
  label: string
  answer: Answer | undefined
  /** The lower, the sooner it is taken for its answer. */
  rank: number
}

export interface Dialog {
  /** Its title, or else what it says; empty for one that says nothing. */
  title: string
  /** All that it says, a line for each part. */
  text: string
  buttons: readonly DialogButton[]
}

const nameOf = ({ resourceId }: UiNode): string => resourceId.slice(resourceId.indexOf(':id/') + 4)

const isNamed = ({ resourceId }: UiNode): boolean => resourceId.includes(':id/')

const buttonOf = (node: UiNode): DialogButton[] => {
  const rank = BUTTONS.findIndex(([id]) => id === nameOf(node))
  const label = labelOf(node)
  return rank < 0 || !node.clickable || !node.enabled || label === ''
    ? []
    : [{ node, label, answer: BUTTONS[rank]?.[1], rank }]
}

export const dialogIn = ({ roots }: UiTree): Dialog | undefined => {
  const named = [...walk(roots)].map(({ node }) => node).filter(node => isNamed(node) && isOnScreen(node))
  const buttons = named.flatMap(buttonOf)
  if (buttons.length === 0) return undefined
  const texts = TITLES.flatMap(id => named.filter(node => nameOf(node) === id).map(labelOf)).filter(Boolean)
  return { title: texts[0] ?? '', text: texts.join('\n'), buttons }
}

/** `accept` and `dismiss` by what the buttons mean, anything else by the label: as written, else in any case. */
export const buttonFor = ({ buttons }: Dialog, answer: string): DialogButton | undefined => {
  const wanted = answer.trim()
  const exact = buttons.find(({ label }) => label === wanted)
  if (exact) return exact
  const folded = wanted.toLowerCase()
  const byAnswer = buttons.filter(button => button.answer === folded).sort((a, b) => a.rank - b.rank)[0]
  return byAnswer ?? buttons.find(({ label }) => label.toLowerCase() === folded)
}
