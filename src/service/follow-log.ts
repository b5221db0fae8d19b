/** Follows the log of a device through a service that answers a page at a time: that of another host. */

import type { LogGap, LogsQuery, PlacedLogLine } from '../contracts/device/logs.ts'
import { LOG_LINES, LOG_WAIT_MS_MAX } from '../contracts/limits/log-limits.ts'
import { LOG_RETURN_MS } from '../device/logs/open-log.ts'
import { type Clock, pause } from '../runtime/clock.ts'
import { type Failed, failed, type RequestOptions, type Result, type Service, success } from './service.ts'

export interface LogPage {
  gap?: LogGap | undefined
  lines: readonly PlacedLogLine[]
  /** The last line that was read, wanted or not. */
  position: string
}

interface FollowOptions extends LogsQuery {
  deviceId: string
  /** The position behind which it goes on. */
  after?: string | undefined
  clock: Clock
}

/** A log that cannot be followed any further, with what a caller is told of it. */
export class LogEndedError extends Error {
  readonly told: Failed

  constructor(failure: Failed) {
    super(failure.error.message)
    this.told = failure
  }
}

const RETRY_MS = 1_000
/** The device or its host may come back. */
const PASSING: readonly string[] = [
  ...['ADB_SERVER_FAILED', 'DEVICE_LINK_LOST', 'DEVICE_NOT_FOUND', 'DEVICE_OFFLINE'],
  ...['FLEET_HOST_GONE', 'FLEET_UNREACHABLE'],
]

/** Ends with the signal of the call; throws LogEndedError. The first page is asked at once, so that its failure is an answer. */
export const followLog = async (
  service: Service,
  { after, clock, since = '0s', ...query }: FollowOptions,
  call: RequestOptions & { signal: AbortSignal },
): Promise<Result<AsyncGenerator<LogPage>>> => {
  const { signal } = call
  const begin = after === undefined ? { since, take: 'first' as const } : { after }
  const ask = (from: typeof begin, waitMs: number) =>
    service['logs.read']({ ...query, ...from, waitMs, limit: LOG_LINES.max }, call)
  const first = await ask(begin, 0)
  if (!first.ok) return first

  async function* pages(): AsyncGenerator<LogPage> {
    let page: LogPage = first.ok ? first.value : { lines: [], position: '' }
    let failingSince: number | undefined
    yield page
    while (!signal.aborted) {
      const answer = await ask({ after: page.position }, LOG_WAIT_MS_MAX)
      if (signal.aborted) return
      if (answer.ok) {
        failingSince = undefined
        page = answer.value
        yield page
        continue
      }
      failingSince ??= clock.elapsed()
      if (!PASSING.includes(answer.error.code) || clock.elapsed() - failingSince >= LOG_RETURN_MS)
        throw new LogEndedError(failed(answer.error))
      await pause(clock, RETRY_MS, signal)
    }
  }
  return success(pages(), { deviceId: first.deviceId, host: first.host })
}
