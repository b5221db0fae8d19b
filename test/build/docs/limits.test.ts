/** Figures of the documents that are limits of the code. */
import { expect, test } from 'vitest'
import * as emulators from '../../../src/contracts/limits/emulator-limits.ts'
import * as fleet from '../../../src/contracts/limits/fleet-limits.ts'
import * as limits from '../../../src/contracts/limits/limits.ts'
import * as matchers from '../../../src/contracts/limits/matcher-limits.ts'
import * as mcp from '../../../src/contracts/limits/mcp-limits.ts'
import { page } from './documents.ts'

const figure = (count: number) => count.toLocaleString('en-US')
const seconds = (ms: number) => String(ms / 1_000)
const minutes = (ms: number) => String(ms / 60_000)
const mebibytes = (bytes: number) => String(bytes / 1_024 / 1_024)
const { EXECUTION_TIMEOUT_MS: timeout, SERVE_TOKEN_CHARS: token, REFUSALS_RECORDED: refusals } = limits

const STATED: readonly [name: string, sentence: string][] = [
  ['actions', `has at most ${figure(limits.EXECUTION_BYTES)} bytes`],
  [
    'actions',
    `| ${limits.ACTIONS_MIN}-${limits.ACTIONS_MAX} actions, each with an \`id\` of 1-${limits.ID_CHARS_MAX} characters`,
  ],
  ['actions', `${figure(timeout.min)}-${figure(timeout.max)} ms`],
  ['actions', `who asks, 1-${limits.SOURCE_CHARS_MAX} characters`],
  ['actions', `A value has 1-${limits.MATCHER_CHARS_MAX} characters`],
  ['actions', `A label of over ${figure(matchers.PATTERN_LABEL_CHARS_MAX)} characters does not match`],
  ['actions', `| \`maxAttempts\` | ${limits.RETRY_ATTEMPTS.min}-${limits.RETRY_ATTEMPTS.max} |`],
  ['actions', `| \`initialDelayMs\` | 0-${figure(limits.RETRY_INITIAL_DELAY_MS.max)} |`],
  ['actions', `| \`maxDelayMs\` | 0-${figure(limits.RETRY_MAX_DELAY_MS.max)} |`],
  ['actions', `| \`backoffMultiplier\` | ${limits.RETRY_BACKOFF.min}-${limits.RETRY_BACKOFF.max} |`],
  ['http', `at most ${figure(limits.BODY_BYTES)} bytes, sent as`],
  ['http', `once per ${minutes(limits.IDEMPOTENCY_KEEP_MS / 60)} hours`],
  ['http', `the first ${refusals.count} of one device and code within ${seconds(refusals.withinMs)} s`],
  ['executions', `up to ${figure(limits.WAIT_FOR_PHONE_MS.max)} ms`],
  ['executions', `at most ${limits.WAITING_MAX} wait for one device`],
  ['executions', `within \`timeoutMs\` + ${seconds(limits.ENVELOPE_GRACE_MS)} s`],
  [
    'executions',
    `renews every ${seconds(limits.LEASE_RENEW_MS)} s and counts as dead after ${seconds(limits.LEASE_EXPIRES_MS)} s`,
  ],
  ['screens', `A label over ${limits.COMPACT_LABEL_CHARS} characters`],
  ['screens', `for at most ${seconds(limits.OBSERVE_MS)} s`],
  ['policy', `a \`swipe\` of at most ${limits.TAP_PX_MAX} pixels`],
  ['security', `(${token.min} to ${token.max} characters)`],
  ['daemon', `exits after ${minutes(limits.DAEMON_IDLE_MS)} idle minutes`],
  ['daemon', `over ${limits.SOCKET_PATH_BYTES_MAX} bytes`],
  ['devices', `ends after ${seconds(limits.HELPER_IDLE_MS)} idle seconds`],
  ['journal', `keeps ${limits.JOURNAL_KEEP_MS / 86_400_000} days or ${mebibytes(limits.JOURNAL_BYTES_MAX)} MB`],
  ['flows', `at most ${limits.TEST_RUNS_MAX} runs of flows at once`],
  ['skills', `at most ${limits.SKILL_RUNS_MAX} skills at once`],
  ['skills', `at most ${limits.SKILL_REASON_CHARS_MAX} characters`],
  ['skills', `SIGKILL ${seconds(limits.SKILL_KILL_GRACE_MS)} s later`],
  ['skills', `within ${seconds(limits.SKILL_TIMEOUT_ANSWER_MS)} s of its timeout`],
  ['viewer', `the newest ${figure(limits.VIEWER_ACTORS_MAX)} actors`],
  ['viewer', `At most ${limits.INSPECT_CLIENTS_MAX} inspectors`],
  ['viewer', `for which ${mebibytes(limits.INSPECT_QUEUE_BYTES)} MB wait`],
  ['viewer', `the newest ${limits.LOOKS_KEPT} pictures`],
  ['mcp', `At most ${mcp.MCP_SESSIONS_MAX} sessions are kept, for ${minutes(mcp.MCP_SESSION_IDLE_MS)} idle minutes`],
  [
    'mcp',
    `the latest ${figure(mcp.MCP_REPLAY.events)} events of all sessions are kept, ${mebibytes(mcp.MCP_REPLAY.bytes)} MiB`,
  ],
  ['mcp', `a sign of life every ${seconds(mcp.MCP_ALIVE_MS)} s`],
  ['fleet', `silent for ${seconds(fleet.FENCE_AFTER_MS)} s is fenced`],
  ['emulators', `with API level ${emulators.EMULATOR_API_LEVEL}`],
]

test.each(STATED)('%s: %s', (name, sentence) => {
  expect(page(name).replace(/\s+/g, ' ')).toContain(sentence)
})
