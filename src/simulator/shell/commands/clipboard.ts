/** `cmd clipboard`: `get` and `set`, where the phone has them; the words of those that lack them are Android's. */
import { type Command, fail, USAGE_CODE } from '../command.ts'

export const clipboard: Command = async context => {
  const [verb = '', text] = context.args
  const held = context.phone.clipboard
  if (!held) return fail(context, 'No shell command implementation.', USAGE_CODE)
  if (verb === 'get') return context.out(`${held.get()}\n`)
  if (verb !== 'set' || text === undefined) {
    await context.out(verb === 'set' ? 'Error: Argument expected after "set"\n' : `Unknown command: ${verb}\n`)
    return USAGE_CODE
  }
  held.set(text)
  return 0
}
