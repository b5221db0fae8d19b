/** The official MCP client before a server of ours, in either era of the protocol. */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export type Era = 'legacy' | 'modern'
export const ERAS: readonly Era[] = ['legacy', 'modern']

export interface ToolAnswer {
  isError: boolean
  /** All text blocks. */
  text: string
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
    const content = raw.content as { type: string; text?: string; data?: string; mimeType?: string }[]
    return {
      raw,
      isError: raw.isError === true,
      text: content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : [])).join('\n'),
      structured: (raw.structuredContent ?? {}) as Record<string, unknown>,
      images: content.flatMap(({ type, data = '', mimeType = '' }) => (type === 'image' ? [{ data, mimeType }] : [])),
    }
  },
  close: () => client.close(),
})

export const connectHttp = async (url: string, era: Era, options: ClientOptions = {}): Promise<McpCaller> => {
  const client = newClient(era, options)
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)))
  return callerOf(client)
}
