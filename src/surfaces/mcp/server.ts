/** The MCP server: every tool and resource, the same for each era of the protocol and for each transport. */
import { McpServer, type McpServerFactory } from '@modelcontextprotocol/server'
import { TOOL_ANSWERS } from '../../contracts/doors/mcp-answers.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { MCP_CONFIRM_MS } from '../../contracts/limits/mcp-limits.ts'
import { once } from '../../runtime/once.ts'
import { failed, thrownAnswer } from './answers.ts'
import { createConfirmations } from './confirm.ts'
import type { McpContext } from './options.ts'
import { progressOf } from './progress.ts'
import { addResources } from './resources.ts'
import { argumentsSchema, listedSchema } from './schemas.ts'
import { nestingProblem, type Tool } from './tool.ts'
import { ACTION_TOOLS } from './tools/actions.ts'
import { APP_TOOLS } from './tools/apps.ts'
import { EMULATOR_TOOLS } from './tools/emulators.ts'
import { FILE_TOOLS } from './tools/files.ts'
import { FLOW_TOOLS } from './tools/flows.ts'
import { LEASE_TOOLS } from './tools/lease.ts'
import { LOG_TOOLS } from './tools/logs.ts'
import { RECEIPT_TOOLS } from './tools/receipts.ts'
import { SCREEN_TOOLS } from './tools/screen.ts'
import { SETTINGS_TOOLS } from './tools/settings.ts'
import { SKILL_TOOLS } from './tools/skills.ts'

export const TOOLS: readonly Tool[] = [
  ...SCREEN_TOOLS,
  ...APP_TOOLS,
  ...FILE_TOOLS,
  ...LOG_TOOLS,
  ...ACTION_TOOLS,
  ...SETTINGS_TOOLS,
  ...SKILL_TOOLS,
  ...FLOW_TOOLS,
  ...LEASE_TOOLS,
  ...RECEIPT_TOOLS,
  ...EMULATOR_TOOLS,
]

const INSTRUCTIONS =
  'Drives Android devices. Look with snapshot, act with click, type, scroll and the others; observe: true answers what\n' +
  'changed on the screen. A ref such as @12.7 names one node of a snapshot and stands alone. Other selectors that are given together must all match; id is a resource id, desc a content description. device is\n' +
  'a serial, needed when several devices are connected. A failure says in `dispatched` whether the device may have acted;\n' +
  'after a lost answer, receipts and receipt {executionId} say what became of it. Nothing is ever sent twice.'

/** Servers are made for every request: what does not change is converted once. */
const listedTools = once(() =>
  TOOLS.map(tool => {
    const answer = (TOOL_ANSWERS as Partial<Record<string, (typeof TOOL_ANSWERS)[keyof typeof TOOL_ANSWERS]>>)[
      tool.name
    ]
    return {
      tool,
      config: {
        description: tool.description,
        annotations: tool.annotations,
        inputSchema: argumentsSchema(tool.name),
        ...(answer === undefined ? {} : { outputSchema: listedSchema(answer) }),
      },
    }
  }),
)

const declined = (details: ErrorObject['details']) =>
  failed(failure('EXECUTION_DENIED', 'The person who was asked did not allow it; nothing was done.', { details }), {
    dispatched: false,
  })

export const mcpServerFactory = (deps: McpContext): McpServerFactory => {
  const info = { name: 'svc', title: 'svc', version: deps.version }
  const confirmations = createConfirmations(deps.clock)
  return () => {
    const server = new McpServer(info, {
      instructions: INSTRUCTIONS,
      requestState: { verify: confirmations.codec.verify },
      inputRequired: { roundTimeoutMs: MCP_CONFIRM_MS },
    })
    for (const { tool, config } of listedTools()) {
      server.registerTool(tool.name, config, async (args, ctx) => {
        const problem = nestingProblem(tool, args)
        if (problem) return problem
        const confirmation = confirmations.of(server, ctx, tool.name, args)
        if (confirmation.declined) return declined(confirmation.declined)
        const progress = progressOf(ctx, deps)
        try {
          return await tool.call(args, { deps, signal: ctx.mcpReq.signal, progress, confirmation })
        } catch (thrown) {
          return thrownAnswer(thrown, deps)
        } finally {
          progress.end()
        }
      })
    }
    addResources(server, deps)
    return server
  }
}
