/** The MCP tools with their arguments, from their declarations. */

import { TOOL_ARGUMENTS, type ToolName } from '../../../contracts/doors/mcp.ts'
import { TOOLS } from '../../../surfaces/mcp/server.ts'
import { code, markdownTable, sentence } from './table.ts'

export const toolTable = (): string =>
  markdownTable(
    ['tool', 'what it does', 'arguments'],
    TOOLS.map(({ name, description }) => [
      code(name),
      sentence(description),
      Object.keys(TOOL_ARGUMENTS[name as ToolName].entries)
        .map(code)
        .join(', '),
    ]),
  )
