/** The tools of one action each share how it is performed, and how a wrong call is refused. */
import type { ToolArguments, ToolName } from '../../../contracts/doors/mcp.ts'
import type { ActionType } from '../../../contracts/executions/action.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { defined } from '../../../contracts/json/json.ts'
import {
  type Draft,
  type DraftParams,
  draftOf,
  flatExecution,
  matcherFrom,
} from '../../../service/executions/actions/flat-actions.ts'
import { done, failed, reachedLine } from '../answers.ts'
import { perform } from '../perform.ts'
import { type Tool, type ToolCall, type ToolResult, tool } from '../tool.ts'

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

/** The problem with the arguments of a call, and what to do about it. */
export interface Misuse {
  problem: string
  hint: string
}

export const selectorMissing = (problem = 'a selector is missing'): Misuse => ({ problem, hint: SELECTOR_HINT })

export const isMisuse = (found: object): found is Misuse => 'problem' in found

export const misuse = (name: string, { problem, hint }: Misuse): ToolResult =>
  failed(failure('USAGE', `${name}: ${problem}`, { hint }), { dispatched: false })

const A_SELECTOR = 'a selector'

interface DraftPlace {
  matcher?: unknown
  coordinate?: { x: number; y: number }
}

/** A node or a point, exactly one of them, or the problem with them. */
export const placeOf = (
  matcher: unknown,
  [x, y]: readonly [number | undefined, number | undefined],
  [selector, left, top] = [A_SELECTOR, 'x', 'y'],
): DraftPlace | Misuse => {
  if ((x === undefined) !== (y === undefined)) {
    const hint = `Add ${x === undefined ? left : top}: a point has both, in pixels.`
    return { problem: `${left} and ${top} belong together`, hint }
  }
  const coordinate = x === undefined || y === undefined ? undefined : { x, y }
  if (matcher === undefined && !coordinate) {
    const problem = `${selector}, or ${left} and ${top}, is missing`
    return selector === A_SELECTOR
      ? selectorMissing(problem)
      : { problem, hint: `Add ${selector}, or ${left} and ${top}.` }
  }
  if (matcher !== undefined && coordinate) {
    return {
      problem: `${selector} and a point cannot be combined`,
      hint: `Leave out ${left} and ${top}, or ${selector}.`,
    }
  }
  return defined({ matcher, coordinate })
}

interface ActionTool<N extends ToolName, T extends ActionType> extends Pick<Tool, 'description'> {
  name: N
  type: T
  /** `matcher` is that of their selectors. */
  params(args: ToolArguments<N>, matcher: ReturnType<typeof matcherFrom>): DraftParams<T> | Misuse
  says?(data: Readonly<Record<string, string>>, args: ToolArguments<N>): string
}

/** A tool that always performs the same action. */
export const actionTool = <const N extends ToolName, T extends ActionType>(data: ActionTool<N, T>): Tool => {
  const { name, type, params, says, description } = data
  return tool({
    name,
    description,
    annotations: { performs: [type] },
    run(args, call) {
      const common: Target & Parameters<typeof matcherFrom>[0] = args as object
      const found = params(args, matcherFrom(common))
      if (isMisuse(found)) return Promise.resolve(misuse(name, found))
      return act(name, draftOf(type, found), common, call, says && (answer => says(answer, args)))
    },
  })
}
