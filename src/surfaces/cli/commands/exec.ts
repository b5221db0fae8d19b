/** `svc exec`: an execution payload, checked, planned or run. */

import { isObject } from '../../../contracts/json/json.ts'
import { parseJsonText } from '../../../service/executions/parse-json.ts'
import { PLAN_FLAGS } from '../../../service/executions/plan.ts'
import { argumentOr, type Command, type CommandContext, CommandError, commandShape, usage } from '../command.ts'
import { runDeviceCommand, withReadableScreens } from '../devices/device-command.ts'
import { EXECUTION_USES, OBSERVE_FLAG, SNAPSHOT_FLAGS, WAIT_FLAG } from '../executions/execution-command.ts'
import type { PayloadSource } from '../executions/payload-source.ts'
import { executionTimeout } from '../flags/flag-values.ts'

const sourceOf = async (source: string, call: CommandContext): Promise<PayloadSource> => {
  if (source.trimStart().startsWith('{')) return { what: 'the payload', text: source }
  const { readPayloadFile, readPayloadStdin } = await import('../executions/payload-source.ts')
  return source === '-' ? readPayloadStdin(call) : readPayloadFile(source, call)
}

/** The JSON that was given, still to be validated. */
const readPayload = async (source: string, call: CommandContext): Promise<unknown> => {
  const { what, text } = await sourceOf(source, call)
  const parsed = parseJsonText(text, { what })
  if (parsed.ok) return parsed.value
  const { code, message, ...extra } = parsed.error
  throw new CommandError('EXECUTION_VALIDATION_FAILED', message, extra)
}

const givenIn = (call: CommandContext): string => {
  const source = argumentOr(call, 'payload', 'The payload is given twice, as an argument and as --payload.')
  if (source === undefined) throw usage(`The payload is missing: ${commandShape(exec)}`)
  return source
}

export const exec: Command = {
  path: ['exec'],
  text: 'execution',
  shape: 'svc exec (<json-or-file> | --payload <json-or-file>)',
  summary: 'run an execution payload: a list of actions',
  details:
    'The payload is JSON that begins with {, - for stdin, or the name of a file. Prints {envelope, deviceId,\n' +
    'executionId, terminalSource, isCanonicalTerminal, operatorPackage}; exits with 1 if the envelope failed. --timeout replaces timeoutMs.\n' +
    'A whole payload: {"commandId": "c1", "taskId": "t1", "source": "me", "expectedFormat": "android-ui-automator",\n' +
    '"timeoutMs": 30000, "actions": [{"id": "home", "type": "press_key", "params": {"key": "home"}}]}. Flat commands print\n' +
    'theirs with --validate-only.',
  args: [{ name: 'json-or-file', summary: 'the payload' }],
  flags: [
    { name: 'payload', aliases: ['execution'], value: 'json-or-file', summary: 'the payload' },
    ...SNAPSHOT_FLAGS,
    OBSERVE_FLAG,
    WAIT_FLAG,
    ...PLAN_FLAGS,
  ],
  uses: EXECUTION_USES,
  examples: [
    'svc exec payload.json',
    'svc exec - --device emulator-5554 < payload.json',
    'svc exec payload.json --observe',
    'svc exec payload.json --dry-run',
  ],
  async run(call) {
    const source = givenIn(call)
    const timeoutMs = executionTimeout(call)
    const payload = await readPayload(source, call)
    const timed = timeoutMs !== undefined && isObject(payload) ? { ...payload, timeoutMs } : payload
    return runDeviceCommand('exec', timed, await withReadableScreens(call))
  },
}
