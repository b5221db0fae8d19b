import { expect, test } from 'vitest'
import * as emulators from '../../../src/contracts/limits/emulator-limits.ts'
import * as general from '../../../src/contracts/limits/limits.ts'

const limits = { ...general, ...emulators }

test('the numbers that the contract states', () => {
  expect(limits).toMatchObject({
    BODY_BYTES: 102_400,
    EXECUTION_BYTES: 102_400,
    ACTIONS_MAX: 50,
    SYNTHETIC_TIMEOUT_MS: 30_000,
    ENVELOPE_GRACE_MS: 5_000,
    INTERACTIVE_REUSE_MS: 8_000,
    IDEMPOTENCY_KEEP_MS: 86_400_000,
    RESULT_LINE_BYTES: 3_000,
    CHUNK_BYTES: 2_700,
    ENVELOPE_BYTES_MAX: 67_108_864,
    LOG_LINE_BYTES_MAX: 1_048_576,
    COMMAND_BYTES_MAX: 60_000,
    SERVE_PORT: 3_000,
    SSE_KEEPALIVE_MS: 15_000,
    SSE_QUEUE_EVENTS: 1_000,
    SKILL_TIMEOUT_MS: 120_000,
    SKILL_KILL_GRACE_MS: 3_000,
    CAPTURE_BYTES: 33_554_432,
    DAEMON_READY_MS: 3_000,
    DAEMON_POLL_MS: 100,
    DAEMON_PING_MS: 500,
    DAEMON_STOP_MS: 2_000,
    DAEMON_IDLE_MS: 1_800_000,
    SOCKET_PATH_BYTES_MAX: 103,
    HOME_MODE: 0o700,
    STATE_FILE_MODE: 0o600,
    EMULATOR_API_LEVEL: 35,
    EMULATOR_REGISTER_MS: 60_000,
    EMULATOR_BOOT_MS: 180_000,
    EMULATOR_STOP_MS: 30_000,
    AVD_CREATE_MS: 120_000,
    IMAGE_INSTALL_MS: 300_000,
    JOURNAL_KEEP_MS: 604_800_000,
    JOURNAL_BYTES_MAX: 536_870_912,
  })
})

test('a timed-out skill run is answered in time', () => {
  expect(limits.SKILL_KILL_GRACE_MS + limits.SKILL_CLOSE_GRACE_MS).toBeLessThan(limits.SKILL_TIMEOUT_ANSWER_MS)
})

test('a chunk fits on a log line, and a pushed command into a service string', () => {
  expect(Math.ceil(limits.CHUNK_BYTES / 3) * 4).toBeLessThan(4_000)
  expect(limits.COMMAND_BYTES_MAX).toBeLessThan(limits.SERVICE_STRING_BYTES_MAX)
})
