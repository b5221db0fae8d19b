/** `svc snapshot`: what is on the screen. */
import { executionTimeout } from '../../executions/flat/numbers.ts'
import { PLAN_FLAGS } from '../../executions/plan.ts'
import { snapshotExecution } from '../../executions/synthetic.ts'
import type { Command } from '../command.ts'
import { runDeviceCommand } from '../device-command.ts'

export const snapshot: Command = {
  path: ['snapshot'],
  summary: 'read what is on the screen, as XML',
  details: 'The hierarchy is in envelope.stepResults[0].data.text.',
  flags: PLAN_FLAGS,
  examples: ['svc snapshot', "svc snapshot --device emulator-5554 | jq -r '.envelope.stepResults[0].data.text'"],
  async run(call) {
    const timeoutMs = executionTimeout(call)
    if (!timeoutMs.ok) return { ok: false, output: timeoutMs.error }
    const timed = timeoutMs.value === undefined ? {} : { timeoutMs: timeoutMs.value }
    return runDeviceCommand(snapshotExecution({ origin: 'cli', now: call.clock.now(), ...timed }), call)
  },
}
