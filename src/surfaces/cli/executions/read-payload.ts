/** Reads the payload of `svc exec`: the argument itself, stdin, or a file. */
import { parseJsonText } from '../../../service/executions/parse-json.ts'
import { type CommandContext, CommandError } from '../command.ts'
import type { PayloadSource } from './payload-source.ts'

const sourceOf = async (source: string, call: CommandContext): Promise<PayloadSource> => {
  if (source.trimStart().startsWith('{')) return { what: 'the payload', text: source }
  const { readPayloadFile, readPayloadStdin } = await import('./payload-source.ts')
  return source === '-' ? readPayloadStdin(call) : readPayloadFile(source, call)
}

/** The JSON that was given, still to be validated. */
export const readPayload = async (source: string, call: CommandContext): Promise<unknown> => {
  const { what, text } = await sourceOf(source, call)
  const parsed = parseJsonText(text, { what })
  if (parsed.ok) return parsed.value
  const { code, message, ...extra } = parsed.error
  throw new CommandError('EXECUTION_VALIDATION_FAILED', message, extra)
}
