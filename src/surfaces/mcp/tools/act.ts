/** The tools of one action each share how it is performed, and how a wrong call is refused. */
import { failure } from '../../../contracts/failures/failures.ts'
import { type Draft, flatExecution } from '../../../service/executions/actions/flat-actions.ts'
import { done, failed, reachedLine } from '../answers.ts'
import { perform } from '../perform.ts'
import type { ToolCall, ToolResult } from '../tool.ts'

interface Target {
  device?: string | undefined
  observe?: boolean | undefined
  waitMs?: number | undefined
}

/** `says` is the short text; what the step answered is beside it. */
export const act = async (
  name: string,
  draft: Draft,
  { device, observe, waitMs }: Target,
  call: ToolCall,
  says: (data: Readonly<Record<string, string>>) => string = () => `${name}: done`,
): Promise<ToolResult> => {
  const execution = flatExecution(name, draft, { origin: 'mcp', now: call.deps.clock.now() })
  const performed = await perform({ execution, device, view: observe ? { observe } : undefined, waitMs }, call)
  if (!performed.ok) return performed.answer
  const { executionId, deviceId, envelope, observed } = performed
  const data = envelope.stepResults[0]?.data ?? {}
  return done([says(data), ...(observed ? [observed.text] : []), reachedLine(performed)].join('\n'), {
    executionId,
    deviceId,
    data,
    ...(observed ? { observed } : {}),
  })
}

const SELECTOR_HINT =
  'A selector is one or more of text, textContains, textMatches, id, desc, descContains, role, index, or ref alone.'

export const misuse = (name: string, problem: string, hint = SELECTOR_HINT): ToolResult =>
  failed(failure('USAGE', `${name}: ${problem}`, { hint }), { dispatched: false })
