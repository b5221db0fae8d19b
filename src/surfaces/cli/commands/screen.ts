/** `svc snapshot`, `svc screenshot`: what is on the screen. Called most often, so they load little. */

import { screenshotExecution, snapshotExecution } from '../../../service/executions/actions/flat-actions.ts'
import { PLAN_FLAGS } from '../../../service/executions/plan.ts'
import { argumentOr, type Command, type CommandContext } from '../command.ts'
import { runDeviceCommand, withReadableScreens } from '../devices/device-command.ts'
import { EXECUTION_USES, SNAPSHOT_FLAGS, WAIT_FLAG } from '../executions/execution-command.ts'

/** Few calls have a `--timeout`, so the check of it is loaded for those only. */
const optionsFor = async (call: CommandContext) => {
  const timeoutMs = call.isOn('timeout') ? (await import('../flags/flag-values.ts')).executionTimeout(call) : undefined
  return { origin: 'cli', now: call.clock.now(), ...(timeoutMs === undefined ? {} : { timeoutMs }) } as const
}

const snapshot: Command = {
  path: ['snapshot'],
  text: 'execution',
  summary: 'read what is on the screen, as XML or in compact lines',
  details:
    'The text is in envelope.stepResults[0].data.text. Compact lines have the ref, role, label and state of each node that\n' +
    'says or does something; a ref stands for its node in --ref and {"ref": "@12.7"} while that screen stands.',
  flags: [...SNAPSHOT_FLAGS, WAIT_FLAG, ...PLAN_FLAGS],
  uses: EXECUTION_USES,
  examples: [
    'svc snapshot',
    "svc snapshot --compact | jq -r '.envelope.stepResults[0].data.text'",
    'svc snapshot --since 0199f2b4-6c1e-7a51-9d52-4f8a8c5b7e10',
  ],
  run: async call =>
    runDeviceCommand('snapshot', snapshotExecution(await optionsFor(call)), await withReadableScreens(call)),
}

const screenshot: Command = {
  path: ['screenshot'],
  text: 'execution',
  shape: 'svc screenshot [<path> | --path <path>]',
  summary: 'write a picture of the screen to a file',
  details:
    'A relative path is relative to the current directory; without a path the picture becomes a new file under\n' +
    '~/.svc/screenshots. The directory must exist, and a file that is not an image is not overwritten. The path is in\n' +
    'envelope.stepResults[0].data.path.',
  args: [{ name: 'path', summary: 'the file to write' }],
  flags: [{ name: 'path', value: 'file', summary: 'the file to write' }, WAIT_FLAG, ...PLAN_FLAGS],
  uses: EXECUTION_USES,
  examples: ['svc screenshot', 'svc screenshot login.png', 'svc screenshot --path /tmp/login.png'],
  async run(call) {
    const path = argumentOr(call, 'path', 'The path is given twice, as an argument and as --path.')
    const options = { ...(await optionsFor(call)), path }
    return runDeviceCommand('screenshot', screenshotExecution(options), call)
  },
}

export const screen: readonly Command[] = [snapshot, screenshot]
