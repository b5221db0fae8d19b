/** `trap`: for a command line that outlives its host. */
import type { Command } from '../command.ts'
import { fail } from '../say.ts'

/** Ignoring the hang-up is all that this shell can be told; the other signals never come here. */
export const trap: Command = context => {
  const [action, ...signals] = context.args
  if (action !== '') return fail(context, "trap: this shell takes only: trap '' SIGNAL...")
  if (signals.some(name => /^(?:SIG)?HUP$/.test(name))) context.scope.ignoresHangup = true
  return 0
}
