/** The official MCP client before a server of ours, in either era of the protocol, and the one of the SDK 1.x. */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from 'mcp-sdk-1/client/index.js'
import { StreamableHTTPClientTransport as FirstHttpTransport } from 'mcp-sdk-1/client/streamableHttp.js'
import type { Transport as FirstTransport } from 'mcp-sdk-1/shared/transport.js'

export type Era = 'legacy' | 'modern'
export const ERAS: readonly Era[] = ['legacy', 'modern']

export interface ToolAnswer {
  isError: boolean
  /** All text blocks. */
  text: string
  /** The structured content; of a failure, which has none, the JSON of its text. */
  structured: Record<string, unknown>
  images: { data: string; mimeType: string }[]
  /** As it came. */
  raw: unknown
}

export interface CallMore {
  onprogress?: (message: string) => void
  signal?: AbortSignal
}

export interface McpCaller {
  client: Client
  call(name: string, args?: Record<string, unknown>, more?: CallMore): Promise<ToolAnswer>
  close(): Promise<void>
}

const jsonIn = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

interface Block {
  type: string
  text?: string
  data?: string
  mimeType?: string
}

export const answerOf = (raw: object): ToolAnswer => {
  const given = raw as { content: Block[]; isError?: unknown; structuredContent?: Record<string, unknown> }
  const { content, structuredContent } = given
  const text = content.flatMap(({ type, text: said = '' }) => (type === 'text' ? [said] : [])).join('\n')
  const isError = given.isError === true
  return {
    raw,
    isError,
    text,
    structured: structuredContent ?? (isError ? jsonIn(text) : {}),
    images: content.flatMap(({ type, data = '', mimeType = '' }) => (type === 'image' ? [{ data, mimeType }] : [])),
  }
}

const CONNECTION = { name: 'test', version: '1.0.0' }

export const newClient = (era: Era, options: ClientOptions = {}): Client =>
  new Client(CONNECTION, {
    ...options,
    versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
  })

export const callerOf = (client: Client): McpCaller => ({
  client,
  async call(name, args = {}, { onprogress, signal } = {}) {
    const raw = await client.callTool(
      { name, arguments: args },
      {
        ...(onprogress
          ? { onprogress: ({ message }: { message?: string | undefined }) => onprogress(message ?? '') }
          : {}),
        ...(signal ? { signal } : {}),
      },
    )
    return answerOf(raw)
  },
  close: () => client.close(),
})

export const connectHttp = async (url: string, era: Era, options: ClientOptions = {}): Promise<McpCaller> => {
  const client = newClient(era, options)
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)))
  return callerOf(client)
}

/** A client of the SDK 1.x that knows the tools: it judges each answer by the schema that was listed. */
export const connectFirst = async (transport: FirstTransport): Promise<FirstClient> => {
  const client = new FirstClient(CONNECTION)
  await client.connect(transport)
  await client.listTools()
  return client
}

export const connectFirstHttp = (url: string): Promise<FirstClient> =>
  connectFirst(new FirstHttpTransport(new URL('/mcp', url)) as FirstTransport)
