/** The commands that act on the phone beside its screen: its shell and its clipboard. */
import type { ResultEnvelope } from '../../../contracts/executions/execution-result.ts'
import type { Command } from '../command.ts'
import { commandOf, type FlatCommand } from '../flat/command.ts'
import { getClipboard, setClipboard, shell } from '../flat/phone.ts'

/** In the order of the help. */
export const PHONE_COMMANDS: readonly FlatCommand[] = [shell, getClipboard, setClipboard]

const hasFailed = (output: unknown): boolean => {
  const [step] = (output as { envelope?: ResultEnvelope }).envelope?.stepResults ?? []
  const code = step?.data.exit_code
  return code !== undefined && code !== '0'
}

/** Its execution has succeeded whatever the command on the device ends with; the process says both. */
const ending = (command: Command): Command => ({
  ...command,
  async run(call) {
    const result = await command.run(call)
    return result.ok && hasFailed(result.output) ? { ...result, exits: 1 } : result
  },
})

export const PHONE: readonly Command[] = PHONE_COMMANDS.map(flat =>
  flat === shell ? ending(commandOf(flat)) : commandOf(flat),
)
