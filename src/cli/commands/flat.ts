/** The flat commands: `svc open`, `svc click` and the others that stand for one action each. */
import { FLAT_COMMANDS, flatPayload } from '../../executions/flat.ts'
import { PLAN_FLAGS } from '../../executions/plan.ts'
import type { Command } from '../command.ts'
import { runDeviceCommand } from '../device-command.ts'

const commandOf = (flat: (typeof FLAT_COMMANDS)[number]): Command => {
  const { path, shape, summary, details, args = [], flags = [], examples } = flat
  return {
    path,
    shape,
    summary,
    ...(details === undefined ? {} : { details }),
    args,
    flags: [...flags, ...PLAN_FLAGS],
    examples,
    async run(call) {
      const drafted = flatPayload(flat, call, { now: call.clock.now() })
      if (!drafted.ok) return { ok: false, output: drafted.error }
      return runDeviceCommand('flat', drafted.payload, call)
    },
  }
}

export const FLAT: readonly Command[] = FLAT_COMMANDS.map(commandOf)
