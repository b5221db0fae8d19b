/** `cmd statusbar`: opens and closes the notification shade. */
import type { Command } from '../command.ts'
import { fail } from '../say.ts'

/** Verbs without a visible effect here: accepted and ignored. */
const SILENT = ['add-tile', 'remove-tile', 'click-tile', 'check-support', 'disable-for-setup', 'send-disable-flag']
const UNKNOWN_CODE = 255

export const statusBar: Command = context => {
  const [verb = ''] = context.args
  if (verb === 'expand-notifications' || verb === 'expand-settings') context.phone.setShade(true)
  else if (verb === 'collapse') context.phone.setShade(false)
  else if (!SILENT.includes(verb)) return fail(context, `Unknown command: ${verb}`, UNKNOWN_CODE)
  return 0
}
