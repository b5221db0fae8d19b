/** The executions that an argument or a flag names: by id, or counted back from the newest one of this home. */

import type { ErrorObject } from '../../../contracts/failures/error.ts'
import type { FailureCode } from '../../../contracts/failures/failures.ts'
import { isRelative, namedExecution as named, relativeExecutions } from '../../../service/executions/last-execution.ts'
import { type CommandContext, CommandError } from '../command.ts'

const failed = ({ code, message, ...more }: ErrorObject) => new CommandError(code as FailureCode, message, more)

const deviceIn = (call: CommandContext): string | undefined => call.text('device')?.trim() || undefined

/** Oldest first. */
export const namedExecutions = async (text: string, call: CommandContext): Promise<readonly string[]> => {
  if (!isRelative(text)) return [text]
  const found = relativeExecutions((await call.services()).journalToRead(), text, deviceIn(call))
  if (!found.ok) throw failed(found.error)
  return found.ids
}

export const namedExecution = async (text: string, call: CommandContext): Promise<string> => {
  if (!isRelative(text)) return text
  const found = named((await call.services()).journalToRead(), text, deviceIn(call))
  if (!found.ok) throw failed(found.error)
  return found.executionId
}
