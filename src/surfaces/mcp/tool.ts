/** A tool as data: its name, what it says of itself, and what it does once its arguments are judged. */
import type { CallToolResult, InputRequiredResult, ToolAnnotations } from '@modelcontextprotocol/server'
import * as v from 'valibot'
import { CARDS } from '../../contracts/actions/cards.ts'
import { CHOSEN_ARGUMENTS, TOOL_ARGUMENTS, type ToolArguments, type ToolName } from '../../contracts/doors/mcp.ts'
import type { ActionType } from '../../contracts/executions/action.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { isNestedDeeper, isObject, type JsonObject } from '../../contracts/json/json.ts'
import { MCP_ARGUMENT_LEVELS_MAX } from '../../contracts/limits/mcp-limits.ts'
import { hintFor } from '../../service/executions/validation/hints.ts'
import { problemsIn } from '../../service/executions/validation/problem.ts'
import { located, unknownNameProblem } from '../../service/executions/validation/request-problems.ts'
import { sentence } from '../../service/executions/validation/sentences.ts'
import { shownValue } from '../../service/executions/validation/show.ts'
import { failed } from './answers.ts'
import type { Confirmation } from './confirm.ts'
import type { McpContext } from './options.ts'
import type { Progress } from './progress.ts'

export type ToolResult = CallToolResult | InputRequiredResult

/** One call of a tool: whose signal and progress it is, beside all that the server has. */
export interface ToolCall {
  deps: McpContext
  /** Aborted when the client cancels, or has gone. */
  signal: AbortSignal
  progress: Progress
  /** Tells what a person has allowed, and asks for more. */
  confirmation: Confirmation
}

export interface Tool {
  name: ToolName
  description: string
  annotations: ToolAnnotations
  call(input: unknown, call: ToolCall): Promise<ToolResult>
}

interface ToolData<N extends ToolName> extends Pick<Tool, 'description'> {
  name: N
  /** The annotations that clients see; a tool that performs actions is as harmful as the worst of them. */
  annotations: ToolAnnotations | { performs: readonly ActionType[] }
  run(args: ToolArguments<N>, call: ToolCall): Promise<ToolResult>
}

/** Models write null for what they leave out. */
const withoutNulls = (input: JsonObject) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))

const wrong = (message: string, { field, hint }: { field?: string | undefined; hint?: string | undefined } = {}) => ({
  ok: false as const,
  error: failure('USAGE', message, { hint, details: field === undefined ? undefined : { field } }),
})

/** A tool that reaches nothing but this host has nothing to dispatch. */
const refusal = ({ openWorldHint }: ToolAnnotations, { error }: { error: ErrorObject }): CallToolResult =>
  failed(error, openWorldHint === false ? {} : { dispatched: false })

/** Checked before anything walks the arguments, so that none of it exhausts the stack. */
export const nestingProblem = ({ name, annotations }: Tool, input: unknown): CallToolResult | undefined =>
  isNestedDeeper(input, MCP_ARGUMENT_LEVELS_MAX)
    ? refusal(annotations, wrong(`${name}: arguments are nested deeper than ${MCP_ARGUMENT_LEVELS_MAX} levels.`))
    : undefined

/** Refuses an argument that another choice of the tool takes; false says no more than leaving it out. */
const chosenProblem = (name: ToolName, args: JsonObject): ErrorObject | undefined => {
  const chosen = CHOSEN_ARGUMENTS[name]
  if (chosen === undefined) return undefined
  const choice = String(args[chosen.by])
  const takes = chosen.takes[choice] ?? []
  const others = Object.values(chosen.takes).flat()
  const known = Object.keys(TOOL_ARGUMENTS[name].entries).filter(key => takes.includes(key) || !others.includes(key))
  const names = Object.keys(args).filter(key => args[key] !== false)
  return unknownNameProblem({ code: 'USAGE', subject: `${name}: ${choice} has`, noun: 'argument' }, names, known)
}

const judged = <N extends ToolName>(name: N, input: unknown) => {
  const schema: v.GenericSchema = TOOL_ARGUMENTS[name]
  if (input !== undefined && !isObject(input)) {
    return wrong(`The arguments of ${name} must be an object, but are ${shownValue(input)}.`)
  }
  const args = withoutNulls(input ?? {})
  const result = v.safeParse(schema, args)
  if (result.success) {
    const problem = chosenProblem(name, args)
    return problem
      ? ({ ok: false, error: problem } as const)
      : ({ ok: true, args: result.output as ToolArguments<N> } as const)
  }
  const known = Object.keys(TOOL_ARGUMENTS[name].entries)
  const parts = { code: 'USAGE', subject: `${name}: the tool has`, noun: 'argument' } as const
  const unknown = unknownNameProblem(parts, Object.keys(args), known)
  if (unknown) return { ok: false, error: unknown } as const
  const { first } = problemsIn(schema, args, result.issues, 1)
  const message = first.path.length === 0 ? `arguments ${sentence(first)}` : located(args, first.path, sentence(first))
  return wrong(`${name}: ${message}`, { field: first.path.join('.') || undefined, hint: hintFor(first) })
}

/** Looks only; `LOCAL` tools reach nothing but this host. */
export const LOOKS: ToolAnnotations = { readOnlyHint: true }
export const LOOKS_LOCALLY: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }
/** None of them is idempotent, which is the default. What a touch, a text or a URI leads to is up to the application. */
export const ACTS: ToolAnnotations = { readOnlyHint: false, destructiveHint: true }
export const MOVES: ToolAnnotations = { readOnlyHint: false, destructiveHint: false }

const annotationsOf = (types: readonly ActionType[]): ToolAnnotations => {
  const effects = types.map(type => CARDS[type].effect)
  if (effects.includes('acts')) return ACTS
  return effects.includes('moves') ? MOVES : LOOKS
}

export const tool = <const N extends ToolName>({ run, name, description, annotations }: ToolData<N>): Tool => {
  const described = 'performs' in annotations ? annotationsOf(annotations.performs) : annotations
  return {
    name,
    description,
    annotations: described,
    async call(input, call) {
      const read = judged(name, input)
      return read.ok ? run(read.args, call) : refusal(described, read)
    },
  }
}
