/** `svc snapshot`, `svc screenshot`: what is on the screen. Called most often, so they load little. */
import { PLAN_FLAGS } from '../../executions/plan.ts'
import { screenshotExecution, snapshotExecution } from '../../executions/synthetic.ts'
import { type Call, type Command, usage } from '../command.ts'
import { runDeviceCommand } from '../device-command.ts'

/** Few calls have a `--timeout`, so the check of it is loaded for those only. */
const optionsFor = async (call: Call) => {
  const timeoutMs = call.isOn('timeout') ? (await import('../flat/numbers.ts')).executionTimeout(call) : undefined
  return { origin: 'cli', now: call.clock.now(), ...(timeoutMs === undefined ? {} : { timeoutMs }) } as const
}

const snapshot: Command = {
  path: ['snapshot'],
  summary: 'read what is on the screen, as XML',
  details: 'The hierarchy is in envelope.stepResults[0].data.text.',
  flags: PLAN_FLAGS,
  examples: ['svc snapshot', "svc snapshot --device emulator-5554 | jq -r '.envelope.stepResults[0].data.text'"],
  run: async call => runDeviceCommand('snapshot', snapshotExecution(await optionsFor(call)), call),
}

const screenshot: Command = {
  path: ['screenshot'],
  shape: 'svc screenshot [<path> | --path <path>]',
  summary: 'write a picture of the screen to a file',
  details:
    'A relative path is relative to the current directory; without a path the picture becomes a new file under\n' +
    '~/.svc/screenshots. The directory must exist, and a file that is not an image is not overwritten. The path is in\n' +
    'envelope.stepResults[0].data.path.',
  args: [{ name: 'path', summary: 'the file to write' }],
  flags: [{ name: 'path', value: 'file', summary: 'the file to write' }, ...PLAN_FLAGS],
  examples: ['svc screenshot', 'svc screenshot login.png', 'svc screenshot --path /tmp/login.png'],
  async run(call) {
    const [argument] = call.args
    const flag = call.text('path')
    if (argument !== undefined && flag !== undefined) {
      throw usage('The path is given twice, as an argument and as --path.')
    }
    const options = { ...(await optionsFor(call)), path: argument ?? flag }
    return runDeviceCommand('screenshot', screenshotExecution(options), call)
  },
}

export const screen: readonly Command[] = [snapshot, screenshot]
