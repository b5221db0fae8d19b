/** `svc screenshot`: a picture of the screen, in a file of this host. */
import { PLAN_FLAGS } from '../../executions/plan.ts'
import { screenshotExecution } from '../../executions/synthetic.ts'
import { type Command, usage } from '../command.ts'
import { runDeviceCommand } from '../device-command.ts'
import { timeoutOf } from '../timeout.ts'

export const screenshot: Command = {
  path: ['screenshot'],
  shape: 'svc screenshot [<path> | --path <path>]',
  summary: 'write a picture of the screen to a file',
  details:
    'A relative path begins in the current directory; without one the picture becomes a new file under\n' +
    '~/.svc/screenshots. Its directory must exist, and a file that is no image is not overwritten. Where it went is in\n' +
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
    const timed = await timeoutOf(call)
    if (!timed.ok) return { ok: false, output: timed.error }
    const options = { origin: 'cli', now: call.clock.now(), path: argument ?? flag, ...timed.value } as const
    return runDeviceCommand('screenshot', screenshotExecution(options), call)
  },
}
