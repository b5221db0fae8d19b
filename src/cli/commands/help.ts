/** `svc help`: the same texts as --help. */
import { type Command, usage } from '../command.ts'
import { didYouMean } from '../flag-values.ts'
import { commandHelp, overview } from '../help.ts'

export const help: Command = {
  path: ['help'],
  text: 'unchanged',
  summary: 'show the help of a command',
  args: [{ name: 'command', summary: 'the command, such as executions show', rest: true }],
  examples: ['svc help', 'svc help click', 'svc help executions show'],
  async run({ args, commands, io }) {
    const known = (await commands()).filter(({ internal }) => !internal)
    const wanted = args.join(' ')
    const found = known.find(({ path }) => path.join(' ') === wanted)
    const isGroup = args.length === 1 && known.some(({ path }) => path[0] === wanted)
    if (!found && !isGroup && args.length > 0) {
      throw usage(
        `There is no command "${wanted}".${didYouMean(
          wanted,
          known.map(({ path }) => path.join(' ')),
        )}`,
        {
          hint: 'See: svc --help',
        },
      )
    }
    await io.print(found ? commandHelp(found) : overview(known, args[0]))
    return { ok: true }
  },
}
