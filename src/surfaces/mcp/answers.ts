/** Builds the answer of a tool: short text and the same facts as structured content, or a failure as JSON text. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ToolFailure } from '../../contracts/doors/mcp-answers.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { withHint } from '../../contracts/failures/hint-words.ts'
import { MCP_TEXT_CHARS_MAX } from '../../contracts/limits/mcp-limits.ts'
import { describeError, errorOf, isKnownError } from '../../service/executions/to-error.ts'
import type { McpContext } from './options.ts'

export const text = (sentence: string): { type: 'text'; text: string } => ({ type: 'text', text: sentence })

export const done = (sentence: string, structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [text(sentence)],
  structuredContent,
})

/** Ends the text of every answer about a device. */
export const reachedLine = ({ executionId, deviceId }: { executionId: string; deviceId: string }): string =>
  `executionId ${executionId} on ${deviceId}`

/** How far a request came, if it was one to a device. */
export interface RequestReach {
  executionId?: string | undefined
  dispatched?: boolean | undefined
}

/** Leaves out structured content: clients check it by the answer's schema even with `isError`, and drop the rest. */
export const failed = (error: ErrorObject, reach: RequestReach = {}): CallToolResult => {
  const { code, message, hint } = withHint('mcp', error)
  const { executionId: named, dispatched: stated, ...details } = error.details ?? {}
  const executionId = reach.executionId ?? (typeof named === 'string' ? named : undefined)
  const dispatched = reach.dispatched ?? (typeof stated === 'boolean' ? stated : undefined)
  const failure: ToolFailure = {
    code,
    message,
    hint,
    ...(executionId === undefined ? {} : { executionId }),
    ...(dispatched === undefined ? {} : { dispatched }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  }
  return { isError: true, content: [text(JSON.stringify(failure))] }
}

export const thrownAnswer = (thrown: unknown, { note }: Pick<McpContext, 'note'>): CallToolResult => {
  if (!isKnownError(thrown)) note(`an MCP tool failed with an internal error: ${describeError(thrown)}`)
  return failed(errorOf(thrown, 'INTERNAL_ERROR'))
}

/** Texts that are too long for a model are cut, and say by how much. */
export const shortened = (value: unknown, rest: string): unknown => {
  if (typeof value === 'string') {
    if (value.length <= MCP_TEXT_CHARS_MAX) return value
    return `${value.slice(0, MCP_TEXT_CHARS_MAX)} [${value.length - MCP_TEXT_CHARS_MAX} more characters: ${rest}]`
  }
  if (Array.isArray(value)) return value.map(item => shortened(item, rest))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, shortened(held, rest)]))
}
