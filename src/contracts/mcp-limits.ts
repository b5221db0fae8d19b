/** The bounds of what MCP clients send and what is kept for them. The thin client does not load them. */

/** `svc mcp` reads a client no further while it has so many requests in work, or so many bytes of answers to read. */
export const MCP_STDIO = {
  messageBytes: 1_024 * 1_024,
  /** A line that is longer still is answered before it ends. */
  lineEndsWithinBytes: 64 * 1_024 * 1_024,
  requestsInWork: 256,
  unreadBytes: 4 * 1_024 * 1_024,
  /** A client that reads nothing of them for this long counts as gone. */
  stalledMs: 60_000,
} as const

/** Events of all sessions over HTTP that are kept for clients that lost a stream; the oldest make room. */
export const MCP_REPLAY = { events: 4_096, bytes: 8 * 1_024 * 1_024 } as const

/** How long such a client waits before it comes back. */
export const MCP_RETRY_MS = 1_000

/** Deeper than an execution may be nested, which has a message of its own. */
export const MCP_ARGUMENT_LEVELS_MAX = 128
