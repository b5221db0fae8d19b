/** `svc executions list|show|cancel`: the receipts, which say what became of each accepted execution. */
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

const unknown = (executionId: string) =>
  new CommandError('EXECUTION_NOT_FOUND', `No receipt has the id "${executionId}".`, {
    details: { executionId },
    hint: 'Receipts are kept for 7 days: svc executions list',
  })

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
    throw unknown(executionId)
  },
}

const elsewhere = (executionId: string, pid: number | undefined) =>
  new CommandError(
    'EXECUTION_CONFLICT_IN_FLIGHT',
    'Another process runs this execution; only that one can cancel it.',
    {
      details: { executionId, holder: { pid } },
      hint: 'Of svc serve: DELETE /executions/<executionId>. A direct run ends with its own SIGINT.',
    },
  )

const cancel: Command = {
  path: ['executions', 'cancel'],
  summary: 'stop waiting for an execution that runs in a daemon',
  details:
    'Prints {execution}, its receipt, settled as EXECUTION_CANCELLED, or as it ended before. The device may still finish\n' +
    'what it has begun, and stays busy until then.',
  args: [{ name: 'executionId', summary: 'as svc executions list names it', required: true }],
  examples: ['svc executions cancel 0190a5b2-7c11-7d5e-8a55-4f3b2a1c0d9e'],
  async run(call) {
    const [executionId = ''] = call.args
    const services = await call.services()
    const cancelled = await services.executions().cancel(executionId)
    if (cancelled.kind === 'unknown') throw unknown(executionId)
    if (cancelled.kind !== 'elsewhere') return { ok: true, output: { execution: cancelled.receipt } }
    const { pid } = cancelled
    const daemon = await (await call.heavy()).daemon()
    const said = pid === undefined ? undefined : await daemon.cancelAt(pid, executionId, call)
    if (said?.ok === true) return { ok: true, output: { execution: said.execution } }
    if (said?.error) return { ok: false, output: said.error }
    throw elsewhere(executionId, pid)
  },
}

export const executions: readonly Command[] = [list, show, cancel]
