/** The dialog in front: its text, and its answers. */

import { answerDialog } from '../mobile/system-windows.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { SessionCommand } from './command.ts'

export const ALERT_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'GET',
    path: '/alert/text',
    summary: 'The title and the text of the dialog in front.',
    async run(session) {
      const dialog = (await session.look()).dialog()
      if (dialog) return dialog.text
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
