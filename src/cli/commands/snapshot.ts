/** `svc snapshot`: what is on the screen. */
import { PLAN_FLAGS } from '../../executions/plan.ts'
import { snapshotExecution } from '../../executions/synthetic.ts'
import type { Command } from '../command.ts'
import { runDeviceCommand } from '../device-command.ts'
import { timeoutOf } from '../timeout.ts'

export const snapshot: Command = {
  path: ['snapshot'],
  summary: 'read what is on the screen, as XML',
  details: 'The hierarchy is in envelope.stepResults[0].data.text.',
  flags: PLAN_FLAGS,
  examples: ['svc snapshot', "svc snapshot --device emulator-5554 | jq -r '.envelope.stepResults[0].data.text'"],
  async run(call) {
    const timed = await timeoutOf(call)
    if (!timed.ok) return { ok: false, output: timed.error }
    const options = { origin: 'cli', now: call.clock.now(), ...timed.value } as const
    return runDeviceCommand('snapshot', snapshotExecution(options), call)
  },
}
