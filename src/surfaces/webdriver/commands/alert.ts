/** The dialog in front: its text, and its answers. */

import { labelOf, type UiTree, walk } from '../../../contracts/device/ui-tree.ts'
import { dialogIn } from '../../../device/screen/dialog.ts'
import { answerDialog } from '../mobile/system-windows.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { SessionCommand } from './command.ts'

/** The resource ids of what Android's dialogs say, behind the package: the title before the text. */
const SAID = ['alertTitle', 'alert_title', 'permission_message', 'message']

/** Undefined where no dialog is in front. */
export const alertText = (tree: UiTree): string | undefined => {
  const dialog = dialogIn(tree)
  if (!dialog) return undefined
  const nodes = [...walk(tree.roots)].map(({ node }) => node)
  const texts = SAID.flatMap(id => nodes.filter(({ resourceId }) => resourceId.endsWith(`:id/${id}`)))
    .map(labelOf)
    .filter(Boolean)
  return texts.length === 0 ? dialog.title : texts.join('\n')
}

export const ALERT_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'GET',
    path: '/alert/text',
    summary: 'The title and the text of the dialog in front.',
    async run(session) {
      const text = alertText((await session.look()).tree)
      if (text !== undefined) return text
      throw new WebDriverError('no such alert', 'No dialog of the system or of an application is in front.')
    },
  },
  {
    method: 'POST',
    path: '/alert/accept',
    summary: 'Accepts the dialog in front.',
    run: session => answerDialog(session, 'accept'),
  },
  {
    method: 'POST',
    path: '/alert/dismiss',
    summary: 'Dismisses the dialog in front.',
    run: session => answerDialog(session, 'dismiss'),
  },
]
