/** Reads the payload of `svc exec`: the argument itself, stdin, or a file. */
import { parseJsonText } from '../../../service/executions/parse-json.ts'
import { type CommandContext, CommandError } from '../command.ts'
import type { PayloadSource } from './payload-source.ts'

const sourceOf = async (given: string, call: CommandContext): Promise<PayloadSource> => {
  if (given.trimStart().startsWith('{')) return { what: 'the payload', text: given }
  const { readPayloadFile, readPayloadStdin } = await import('./payload-source.ts')
  return given === '-' ? readPayloadStdin(call) : readPayloadFile(given, call)
}

/** The JSON that was given, still to be validated. */
export const readPayload = async (given: string, call: CommandContext): Promise<unknown> => {
  const { what, text } = await sourceOf(given, call)
  const parsed = parseJsonText(text, { what })
  if (parsed.ok) return parsed.value
  const { code, message, ...extra } = parsed.error
  throw new CommandError('EXECUTION_VALIDATION_FAILED', message, extra)
}
