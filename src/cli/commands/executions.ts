/** `svc executions list|show`: the receipts, which say what became of each accepted execution. */
import { LIST_LIMIT } from '../../contracts/limits.ts'
import { type Command, CommandError } from '../command.ts'
import { wholeNumber } from '../numbers.ts'

const list: Command = {
  path: ['executions', 'list'],
  summary: 'list the accepted executions, newest first',
  details:
    'Prints {executions, count}. Each receipt says accepted, dispatched, settled or interrupted; without dispatchedAt,\n' +
    'nothing was ever sent to the device. --device lists those of one device.',
  flags: [
    { name: 'command', value: 'commandId', summary: 'those with this commandId' },
    { name: 'skill-run', value: 'id', summary: 'those that this skill run asked for' },
    { name: 'limit', value: 'n', summary: `at most this many, 1-${LIST_LIMIT.max} (default ${LIST_LIMIT.default})` },
  ],
  examples: ['svc executions list', 'svc executions list --device emulator-5554 --limit 5'],
  async run(call) {
    const limit = wholeNumber(call, 'limit', LIST_LIMIT) ?? LIST_LIMIT.default
    const asked = { deviceId: call.text('device'), commandId: call.text('command'), skillRunId: call.text('skill-run') }
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
    const executions = [...(await call.services()).executions().receipts({ ...given, limit })]
    return { ok: true, output: { executions, count: executions.length } }
  },
}

const show: Command = {
  path: ['executions', 'show'],
  summary: 'show the receipt of one execution: did it happen?',
  details: 'Prints {execution}. An id that was never accepted is EXECUTION_NOT_FOUND.',
  args: [
    { name: 'executionId', summary: 'as details.executionId and the header Svc-Execution-Id name it', required: true },
  ],
  examples: ['svc executions show 0190a5b2-7c11-7d5e-8a55-4f3b2a1c0d9e'],
  async run(call) {
    const [executionId = ''] = call.args
    const execution = (await call.services()).executions().receipt(executionId)
    if (execution) return { ok: true, output: { execution } }
    throw new CommandError('EXECUTION_NOT_FOUND', `No receipt has the id "${executionId}".`, {
      details: { executionId },
      hint: 'Receipts are kept for 7 days: svc executions list',
    })
  },
}

export const executions: readonly Command[] = [list, show]
