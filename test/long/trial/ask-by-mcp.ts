/** A caller that is an agent: the tool `execute`, of a server of its own over stdio, or of `svc serve` over HTTP. */
import { connectHttp, type ToolAnswer, answerOf as toolAnswerOf } from '../../support/mcp-client.ts'
import { until } from '../../support/until.ts'
import { type Answer, answerOf, broken, killed } from './answer.ts'
import { givenUpAfter } from './bounds.ts'
import { payloadOf } from './payload.ts'
import type { Step } from './plan.ts'
import type { Server } from './server.ts'
import type { World } from './world.ts'

const CALL_ID = 2
const PROTOCOL = '2025-11-25'
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: 'oracle', version: '1' } },
}
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }

/** Failures have code, executionId and dispatched side by side. */
const answerOfTool = ({ isError, structured }: ToolAnswer): Answer => {
  if (!isError) return answerOf(structured, String(structured.executionId))
  const { code, message, executionId, dispatched, details } = structured
  const said = { ...(details as object), executionId, ...(dispatched === undefined ? {} : { dispatched }) }
  return answerOf({ error: { code, message, details: said } })
}

interface Message {
  id?: number
  result?: object
  error?: { message?: string }
}

const answerIn = (stdout: string): Answer | undefined => {
  const lines = stdout.split('\n').slice(0, -1)
  const message = lines.map(line => JSON.parse(line) as Message).find(({ id }) => id === CALL_ID)
  if (message?.error) return { kind: 'answered', claim: 'doubt', code: message.error.message }
  return message?.result && answerOfTool(toolAnswerOf(message.result))
}

export const askByMcp = async (step: Step, serial: string, world: World): Promise<Answer> => {
  const running = world.cli(['mcp'], { ...step, hasStdin: true })
  const { child, ended, stdout } = running
  const params = { name: 'execute', arguments: { execution: payloadOf(step), device: serial } }
  const call = { jsonrpc: '2.0', id: CALL_ID, method: 'tools/call', params }
  for (const message of [initialize, initialized, call]) child.stdin.write(`${JSON.stringify(message)}\n`)
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  await until(() => isOver() || answerIn(stdout()) !== undefined, 'an answer', givenUpAfter(step.timeoutMs))
  child.stdin.end()
  const { signal } = await ended
  return answerIn(stdout()) ?? (signal === null ? { kind: 'broken', claim: 'doubt', code: 'NO_ANSWER' } : killed)
}

export const askByMcpOverHttp = async (step: Step, serial: string, server: Server): Promise<Answer> => {
  const connected = await connectHttp(server.url, 'modern').catch(broken)
  // Nothing was asked for yet.
  if ('kind' in connected) return { ...connected, claim: 'did-not' }
  try {
    return answerOfTool(await connected.call('execute', { execution: payloadOf(step), device: serial }))
  } catch (error) {
    return { ...broken(error), claim: 'doubt' }
  } finally {
    await connected.close().catch(() => {})
  }
}
