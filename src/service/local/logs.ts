/** The log and the notifications of a device of this host. */

import {
  type LogGap,
  type LogLinesResponse,
  logPositionText,
  type PlacedLogLine,
  readLogPosition,
} from '../../contracts/device/logs.ts'
import type { NotificationsResponse } from '../../contracts/device/notifications.ts'
import { LOG_LINES } from '../../contracts/limits/log-limits.ts'
import { listNotifications } from '../../device/notifications/list-notifications.ts'
import type { Parts } from '../parts.ts'
import { failed, success } from '../service.ts'
import { deviceAsker } from './ask-device.ts'
import { openDeviceLog } from './device-log.ts'
import type { Requests } from './groups.ts'
import { answering } from './run.ts'

/** Bounds opening the link and asking the device. */
const ASK_MS = 20_000
/** An answer has no more text than this. */
const ANSWER_CHARS = 4 * 1_024 * 1_024

const charsOf = ({ tag, message }: PlacedLogLine): number => tag.length + message.length

/** Keeps lines within a count and a size: the first ones, or the last ones. */
const createWindow = (limit: number, keeps: 'first' | 'last') => {
  const lines: PlacedLogLine[] = []
  let chars = 0
  let hasMore = false
  const isFull = () => lines.length >= limit || chars >= ANSWER_CHARS
  return {
    lines,
    hasMore: () => hasMore,
    /** False when it has no place among the first ones. */
    add(line: PlacedLogLine): boolean {
      if (keeps === 'first' && isFull()) {
        hasMore = true
        return false
      }
      lines.push(line)
      chars += charsOf(line)
      while (keeps === 'last' && lines.length > 1 && (lines.length > limit || chars > ANSWER_CHARS)) {
        const oldest = lines.shift()
        chars -= oldest ? charsOf(oldest) : 0
        hasMore = true
      }
      return true
    },
  }
}

export const requests = (deps: Parts): Requests<'logs'> => {
  const { clock, note } = deps
  return {
    'logs.read': ({ limit = LOG_LINES.default, waitMs = 0, after, take, ...input }, call) =>
      answering<LogLinesResponse>(
        async () => {
          const over = new AbortController()
          const isWaiting = after !== undefined && waitMs > 0
          const timer = clock.at(clock.now() + ASK_MS + waitMs, () => over.abort())
          const signal = call.signal ? AbortSignal.any([call.signal, over.signal]) : over.signal
          try {
            const place = after === undefined ? undefined : readLogPosition(after)
            const opened = await openDeviceLog(deps, { ...input, isFollowing: isWaiting, after: place }, signal)
            if (!opened.ok) return opened
            const { deviceId, steps, failureOf } = opened.value
            let { at } = opened.value
            let gap: LogGap | undefined
            const window = createWindow(limit, take ?? (after === undefined ? 'last' : 'first'))
            const wait = isWaiting ? clock.at(clock.now() + waitMs, () => over.abort()) : undefined
            try {
              reading: for await (const step of steps) {
                gap ??= step.gap
                for (const { line, at: place } of step.lines) {
                  if (!window.add({ ...line, position: logPositionText(place) })) break reading
                  at = place
                }
                at = step.at
                if (isWaiting && window.lines.length > 0) break
              }
            } catch (error) {
              return failed(failureOf(error), { deviceId })
            } finally {
              wait?.cancel()
            }
            const { lines } = window
            const rest = { more: window.hasMore(), position: logPositionText(at), ...(gap ? { gap } : {}) }
            return success({ ok: true as const, lines, count: lines.length, ...rest }, { deviceId })
          } finally {
            timer.cancel()
            over.abort()
          }
        },
        { what: 'reading the log of a device', note },
      ),
    'notifications.list': ({ deviceId }, call) =>
      deviceAsker(deps, 'its notifications')<NotificationsResponse>(deviceId, call, async (link, options) => {
        const notifications = await listNotifications(link, options)
        return success({ ok: true, notifications, count: notifications.length })
      }),
  }
}
