/** `svc executions list|show|cancel|resume|timeline|trace`: the receipts, which say what became of each accepted execution. */
import { EXECUTIONS_SEARCHED_MAX, LIST_LIMIT, OUTCOME_WAIT_MS } from '../../../contracts/limits/limits.ts'
import { PLAN_FLAGS } from '../../../service/executions/plan.ts'
import { type Command, type CommandResult, commandShape } from '../command.ts'
import { EXECUTION_USES, WAIT_FLAG } from '../executions/execution-command.ts'

const EXECUTION = { name: 'executionId', required: true, kind: 'execution' } as const
const LISTED = { ...EXECUTION, summary: 'from svc executions list, or last, last~2' }

const list: Command = {
  path: ['executions', 'list'],
  text: async () => (await import('../text/receipts.ts')).receiptsText,
  summary: 'list accepted executions, newest first',
  details:
    'Prints {executions, count}. The state of a receipt is waiting, accepted, dispatched, settled or interrupted; without\n' +
    'dispatchedAt, nothing was sent to the device. --device selects the executions of one device. With SVC_FLEET, lists those\n' +
    `of all hosts that answer. With --outcome, the newest ${EXECUTIONS_SEARCHED_MAX} of the executions that the other flags choose are\n` +
    'looked at; where there are more, the output says older: true.',
  flags: [
    { name: 'command', value: 'commandId', summary: 'only executions with this commandId' },
    {
      name: 'task',
      value: 'taskId',
      summary: 'only executions with this taskId, such as the id of a WebDriver session',
    },
    { name: 'skill-run', value: 'id', summary: 'only executions of this skill run, or run of flows' },
    {
      name: 'outcome',
      value: 'done|failed|not_sent|unknown',
      summary: 'only executions with this outcome; unknown: not over, or in doubt',
    },
    { name: 'limit', value: 'n', summary: `at most this many, 1-${LIST_LIMIT.max} (default ${LIST_LIMIT.default})` },
  ],
  uses: ['device'],
  examples: [
    'svc executions list',
    'svc executions list --outcome unknown',
    'svc executions list --device emulator-5554 --limit 5',
  ],
  run: async call => (await import('../executions/receipts.ts')).listReceipts(call),
}

const show: Command = {
  path: ['executions', 'show'],
  text: async () => (await import('../text/receipts.ts')).receiptText,
  summary: 'show the receipt of one execution: did it happen?',
  details: 'Prints {execution}. Fails with EXECUTION_NOT_FOUND if no execution has this id.',
  args: [{ ...EXECUTION, summary: 'from the answer of a command, or last, last~2' }],
  flags: [
    { name: 'wait', value: 'ms', summary: `wait so long for its outcome to be known, at most ${OUTCOME_WAIT_MS.max}` },
  ],
  uses: ['device'],
  examples: ['svc executions show last', 'svc executions show 0190a5b2-7c11-7d5e-8a55-4f3b2a1c0d9e'],
  run: async call => (await import('../executions/receipts.ts')).oneReceipt('executions.get', call),
}

const cancel: Command = {
  path: ['executions', 'cancel'],
  text: async () => (await import('../text/receipts.ts')).cancelText,
  summary: 'stop waiting for an execution, also of another process',
  details:
    'Prints {execution}, the receipt: settled as EXECUTION_CANCELLED, or with its result if it has ended before. An operator\n' +
    'app may still run all the steps that it was sent; only svc.shell and svc.uiautomator stop before their next step. The\n' +
    'device stays busy until they are done.',
  args: [LISTED],
  uses: ['device'],
  examples: ['svc executions cancel 0190a5b2-7c11-7d5e-8a55-4f3b2a1c0d9e'],
  run: async call => (await import('../executions/receipts.ts')).oneReceipt('executions.cancel', call),
}

const TRACED = { ...EXECUTION, name: 'id', summary: 'of an execution (last: the newest) or of a skill run' }

const timeline: Command = {
  path: ['executions', 'timeline'],
  text: 'unchanged',
  summary: 'draw what happened when in an execution or a skill run',
  details:
    'Prints {trace}, as JSON by default. With --output text one line for each step: when its segment left, a bar, how long it\n' +
    'took, how it ended. Steps of one segment travel together; "≤" is the time of their segment, or until the end of the step\n' +
    'was recorded. "▸" instead of a bar: no record says when it ended; the line names who told later how, and when.',
  args: [TRACED],
  uses: ['device'],
  examples: [
    'svc executions timeline last --output text',
    'svc executions timeline 0190a5b2-7c11-7d5e-8a55-4f3b2a1c0d9e',
  ],
  run: async call => (await import('../executions/receipts.ts')).showTimeline(call),
}

const trace: Command = {
  path: ['executions', 'trace'],
  shape: 'svc executions trace <id> --to <file>',
  text: async () => (await import('../text/receipts.ts')).traceText,
  summary: 'write one execution or skill run to an HTML file that opens from disk',
  details:
    'The file holds the steps, the recorded screens and every record, with a statechart to go through; it needs no server.\n' +
    'It must not exist. Prints {exported, kind, id, to, bytes}.',
  args: [TRACED],
  flags: [{ name: 'to', value: 'file', summary: 'the file to write' }],
  uses: ['device'],
  examples: ['svc executions trace 0190a5b2-7c11-7d5e-8a55-4f3b2a1c0d9e --to trace.html'],
  run: async call => (await import('../executions/receipts.ts')).exportTrace(call, commandShape(trace)),
}

const resume: Command = {
  path: ['executions', 'resume'],
  text: 'execution',
  summary: 'go on with an execution after its last proven step',
  details:
    'Runs the steps that are not proven to have run as a new execution, once, on the device and operator of the receipt;\n' +
    'its receipt says {resumes}. A failed step is tried again. Fails with RESUME_IN_DOUBT if a step may have executed\n' +
    '(its result was lost): look at the device, then name the first step that did not happen with --from-step. Fails with\n' +
    'RESUME_REFUSED if the execution succeeded or was resumed already; a resumption can be resumed itself. --timeout is the\n' +
    'time of the new execution, instead of that of the old one.',
  args: [LISTED],
  flags: [
    { name: 'from-step', value: 'step', summary: 'the id of the first step to run: those before it have happened' },
    WAIT_FLAG,
    ...PLAN_FLAGS,
  ],
  uses: EXECUTION_USES,
  examples: [
    'svc executions resume 0190a5b2-7c11-7d5e-8a55-4f3b2a1c0d9e',
    'svc executions resume 0190a5b2-7c11-7d5e-8a55-4f3b2a1c0d9e --from-step submit --dry-run',
  ],
  run: async (call): Promise<CommandResult> => (await import('../executions/resume.ts')).resumeCommand(call),
}

export const executions: readonly Command[] = [list, show, cancel, resume, timeline, trace]
