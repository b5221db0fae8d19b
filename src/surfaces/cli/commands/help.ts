/** `svc help`: the same texts as --help, and those of topics. */
import type { Command } from '../command.ts'
import { helpFor, helpWithTopics } from '../help/find-help.ts'

export const help: Command = {
  path: ['help'],
  text: 'unchanged',
  summary: 'show the help of a command, or explain a topic',
  args: [{ name: 'command or topic', summary: 'the command, such as executions show, or a topic', rest: true }],
  hasNoResult: true,
  examples: ['svc help', 'svc help click', 'svc help executions show', 'svc help selectors'],
  async run({ args, commands, io }) {
    const known = (await commands()).filter(({ internal }) => !internal)
    await io.print(args.length === 0 ? helpWithTopics(known) : await helpFor(known, args))
    return { ok: true }
  },
}
