/** `--timeout` of commands that hardly ever have one: how it is judged is loaded when it is there. */
import type { Result } from '../executions/flat/command.ts'
import type { Call } from './command.ts'

export const timeoutOf = async (call: Call): Promise<Result<{ timeoutMs?: number }>> => {
  if (call.text('timeout') === undefined) return { ok: true, value: {} }
  const { executionTimeout } = await import('../executions/flat/numbers.ts')
  const judged = executionTimeout(call)
  if (!judged.ok) return judged
  return { ok: true, value: judged.value === undefined ? {} : { timeoutMs: judged.value } }
}
