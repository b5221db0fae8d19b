/** The limits of MCP: what its clients send, what is kept for them, and how long a call and a person may take. */

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

/** Sessions of clients that begin with `initialize`, over HTTP; a new one takes the place of the one that is idle longest. */
export const MCP_SESSIONS_MAX = 256
/** A session that is not used for this long is ended; its client begins a new one. */
export const MCP_SESSION_IDLE_MS = 30 * 60_000
export const MCP_SKILLS = { min: 1, max: 100, default: 20 } as const
export const MCP_RECEIPTS = { min: 1, max: 50, default: 10 } as const
/** The lines of the log in one answer to a model, and their characters: some 6,000 tokens. */
export const MCP_LOGS = { lines: { min: 1, max: 1_000, default: 100 }, chars: 20_000, messageChars: 2_000 } as const
/** Cuts each text of a receipt or skill run in an answer to a model; the resource of the receipt has all of it. */
export const MCP_TEXT_CHARS_MAX = 4_000
/** The commands of a flow that one answer lists: the last ones, which are those around a failure. */
export const MCP_FLOW_COMMANDS_MAX = 100
/** How often a call that says nothing else shows that it is still running, to clients that ask for progress. */
export const MCP_ALIVE_MS = 15_000
/** How long a person may take to confirm something. */
export const MCP_CONFIRM_MS = 10 * 60_000
