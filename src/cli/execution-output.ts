/** Section CLI: what a command prints of an execution. */
import type { ExecutionResult } from '../contracts/execution-result.ts'
import { defined } from '../contracts/json.ts'
import type { CommandResult } from './command.ts'

export const executionOutput = (result: ExecutionResult): CommandResult => {
  if (!result.ok) return { ok: false, output: result.error }
  const { envelope, deviceId, terminalSource, operatorPackage, observed } = result
  return {
    ok: envelope.status === 'success',
    output: {
      envelope,
      deviceId,
      terminalSource,
      isCanonicalTerminal: true,
      ...defined({ operatorPackage, observed }),
    },
  }
}
