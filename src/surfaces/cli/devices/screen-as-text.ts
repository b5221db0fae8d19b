/** A command whose screens a person reads: its snapshots are compact, and what `last` stands for is said. */
import type { CommandContext } from '../command.ts'
import { namedExecution } from '../executions/parse-execution-ids.ts'

/** Says on stderr which execution was chosen. */
export const tellChosen = async (name: string, call: CommandContext): Promise<string> => {
  const executionId = await namedExecution(name, call)
  if (call.format === 'text' && executionId !== name) call.io.note(`${name} is execution ${executionId}.`)
  return executionId
}

export const withScreensAsText = async (call: CommandContext): Promise<CommandContext> => {
  if (call.isOn('full')) return call
  const since = call.text('since')
  const known = since === undefined ? undefined : await tellChosen(since, call)
  const isOn: CommandContext['isOn'] = flag => flag === 'compact' || call.isOn(flag)
  const text: CommandContext['text'] = flag => (flag === 'since' ? known : call.text(flag))
  return Object.create(call, { isOn: { value: isOn }, text: { value: text } })
}
