/** The resources: screens and pictures of devices, receipts, statecharts, and the schema of executions. */
import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { CHARTS } from '../../../machines/charts.ts'
import { chartOf } from '../../../statecharts/chart.ts'
import { mermaidOf } from '../../../statecharts/mermaid.ts'
import { Execution } from '../../contracts/executions/execution.ts'
import { toSchema } from '../../contracts/json/to-json-schema.ts'
import { snapshotExecution } from '../../service/executions/actions/flat-actions.ts'
import type { RequestOptions } from '../../service/service.ts'
import type { McpContext } from './options.ts'
import { perform } from './perform.ts'
import { progressOf } from './progress.ts'
import type { ToolCall, ToolResult } from './tool.ts'
import { compactView, takeScreenshot } from './tools/screen.ts'

const MACHINES = Object.keys(CHARTS) as (keyof typeof CHARTS)[]
const MERMAID = 'text/vnd.mermaid'
const JSON_TYPE = 'application/json'

type Variables = Readonly<Record<string, string | string[]>>

const variable = (variables: Variables, name: string): string => {
  const value = variables[name]
  return decodeURIComponent(Array.isArray(value) ? (value[0] ?? '') : (value ?? ''))
}

const textOf = (uri: URL, mimeType: string, text: string): ReadResourceResult => ({
  contents: [{ uri: uri.href, mimeType, text }],
})

/** A resource has no isError: what failed is a protocol error with the same words. */
const refusal = (answer: ToolResult): Error => {
  const [content] = 'content' in answer ? (answer.content as { text?: string }[]) : []
  return new Error(content?.text ?? 'The resource cannot be read.')
}

/** Nobody is asked for a resource: what needs a person is refused. */
const UNASKED: ToolCall['confirmation'] = { confirmed: [], declined: undefined, ask: () => Promise.resolve(undefined) }

const ANYBODY: RequestOptions = { context: { caller: 'mcp' } }

const withCall = async <T>(deps: McpContext, ctx: ServerContext, work: (call: ToolCall) => Promise<T>): Promise<T> => {
  const progress = progressOf(ctx, deps)
  try {
    return await work({ deps, signal: ctx.mcpReq.signal, progress, confirmation: UNASKED })
  } finally {
    progress.end()
  }
}

export const addResources = (server: McpServer, deps: McpContext): void => {
  const eachDevice = (part: 'screen' | 'screenshot') => async (ctx: ServerContext) => {
    // A debug bridge that fails hides the devices, and not the other resources.
    const listed = await deps.service['devices.list']({}, { ...ANYBODY, signal: ctx.mcpReq.signal })
    const devices = listed.ok ? listed.value.devices : []
    return {
      resources: devices.map(({ deviceId }) => ({
        uri: `svc://devices/${encodeURIComponent(deviceId)}/${part}`,
        name: `${part} of ${deviceId}`,
      })),
    }
  }
  server.registerResource(
    'screen',
    new ResourceTemplate('svc://devices/{serial}/screen', { list: eachDevice('screen') }),
    { description: 'What is on the screen of a device now.', mimeType: 'text/plain' },
    (uri, variables, ctx) =>
      withCall(deps, ctx, async call => {
        const execution = snapshotExecution({ origin: 'mcp', now: deps.clock.now() })
        const performed = await perform({ execution, device: variable(variables, 'serial'), view: compactView() }, call)
        if (!performed.ok) throw refusal(performed.answer)
        return textOf(uri, 'text/plain', performed.envelope.stepResults[0]?.data.text ?? '')
      }),
  )
  server.registerResource(
    'screenshot',
    new ResourceTemplate('svc://devices/{serial}/screenshot', { list: eachDevice('screenshot') }),
    { description: 'A picture of the screen of a device now.', mimeType: 'image/png' },
    (uri, variables, ctx) =>
      withCall(deps, ctx, async call => {
        const taken = await takeScreenshot(variable(variables, 'serial'), call)
        if (!taken.ok) throw refusal(taken.problem)
        const contents = taken.images.map(({ data, mimeType }) => ({ uri: uri.href, mimeType, blob: data }))
        return { contents }
      }),
  )
  server.registerResource(
    'receipt',
    new ResourceTemplate('svc://executions/{executionId}', { list: undefined }),
    { description: 'The receipt of an execution, whole.', mimeType: JSON_TYPE },
    async (uri, variables) => {
      const executionId = variable(variables, 'executionId')
      const found = await deps.service['executions.get']({ executionId }, ANYBODY)
      if (!found.ok) throw new ResourceNotFoundError(uri.href)
      return textOf(uri, JSON_TYPE, JSON.stringify(found.value.execution))
    },
  )
  server.registerResource(
    'statechart',
    new ResourceTemplate('svc://statecharts/{machine}', {
      list: () => ({
        resources: MACHINES.map(name => ({ uri: `svc://statecharts/${name}`, name: `statechart of ${name}` })),
      }),
      complete: { machine: begun => MACHINES.filter(name => name.startsWith(begun)) },
    }),
    { description: 'What can happen to a device, a skill run, an emulator, ...', mimeType: MERMAID },
    (uri, variables) => {
      const name = MACHINES.find(machine => machine === variable(variables, 'machine'))
      if (name === undefined) throw new ResourceNotFoundError(uri.href)
      return textOf(uri, MERMAID, mermaidOf(chartOf(name, CHARTS[name].logic)))
    },
  )
  server.registerResource(
    'execution schema',
    'svc://schemas/execution',
    { description: 'The JSON Schema of what the tool execute takes.', mimeType: JSON_TYPE },
    uri => textOf(uri, JSON_TYPE, JSON.stringify(toSchema(Execution))),
  )
}
