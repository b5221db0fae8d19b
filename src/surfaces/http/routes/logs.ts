/** GET /devices/:deviceId/logs: the log of a device as it comes, and with Last-Event-ID what was missed. */

import type { ServerResponse } from 'node:http'
import { type LogsQuery, logPositionText, readLogPosition } from '../../../contracts/device/logs.ts'
import { EVENT_NAMES } from '../../../contracts/doors/sse.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { SSE_KEEPALIVE_MS } from '../../../contracts/limits/limits.ts'
import { LOG_READERS } from '../../../contracts/limits/log-limits.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import { followLog, LogEndedError, type LogPage } from '../../../service/follow-log.ts'
import { openDeviceLog } from '../../../service/local/device-log.ts'
import type { Result, Service } from '../../../service/service.ts'
import { refuse } from '../answer.ts'
import { mountDeclared } from '../declared-input.ts'
import { hasGone } from '../events/fleet-streams.ts'
import { frame, HANDED_OVER, headOfStream, lastEventId, SSE_HEADERS } from '../events/sse.ts'
import type { AppParts, RouteModule } from '../module.ts'

/** The readers that follow the logs of devices over one server: each costs a logcat on its device, and a queue here. */
export type LogReaderPlace = { ok: true; leave: () => void } | { ok: false; error: ErrorObject }

const HINT =
  'End a reader that is not needed any more, then try again, or ask for pages: GET /devices/<id>/logs/lines waits for new lines too.'

const tooMany = (where: string, limit: number) =>
  failure('EXECUTION_CONFLICT_IN_FLIGHT', `${limit} readers follow the log of ${where} already: no more are taken.`, {
    details: { limit },
    hint: HINT,
  })

export const createLogReaders = ({ perDevice, perServer }: { perDevice: number; perServer: number } = LOG_READERS) => {
  const counts = new Map<string, number>()
  let all = 0
  return {
    /** A place is given back once, however often it is left. */
    enter(deviceId: string): LogReaderPlace {
      const ofDevice = counts.get(deviceId) ?? 0
      if (ofDevice >= perDevice) return { ok: false, error: tooMany(deviceId, perDevice) }
      if (all >= perServer) return { ok: false, error: tooMany('a device of this server', perServer) }
      counts.set(deviceId, ofDevice + 1)
      all++
      let isIn = true
      const leave = () => {
        if (!isIn) return
        isIn = false
        all--
        const left = (counts.get(deviceId) ?? 1) - 1
        if (left === 0) counts.delete(deviceId)
        else counts.set(deviceId, left)
      }
      return { ok: true, leave }
    },
  }
}

/** A socket that took nothing for so long is given up. */
const STALL_MS = 4 * SSE_KEEPALIVE_MS

interface FollowedLog {
  deviceId: string | undefined
  /** Its id before the first line. */
  position: string
  pages: AsyncGenerator<LogPage>
  failureOf(error: unknown): ErrorObject
}

interface LogRequest extends LogsQuery {
  deviceId: string
  after: string | undefined
}

const followHere = async (
  parts: AppParts,
  { after, ...query }: LogRequest,
  signal: AbortSignal,
): Promise<Result<FollowedLog>> => {
  const place = after === undefined ? undefined : readLogPosition(after)
  const opened = await openDeviceLog(parts, { ...query, after: place, isFollowing: true }, signal)
  if (!opened.ok) return opened
  const { steps, at, deviceId, failureOf } = opened.value
  async function* pages(): AsyncGenerator<LogPage> {
    for await (const step of steps) {
      const lines = step.lines.map(({ line, at: place }) => ({ ...line, position: logPositionText(place) }))
      yield { gap: step.gap, lines, position: logPositionText(step.at) }
    }
  }
  return { ok: true, value: { deviceId, position: logPositionText(at), pages: pages(), failureOf } }
}

const followElsewhere = async (
  service: Service,
  request: LogRequest,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Result<FollowedLog>> => {
  const followed = await followLog(service, { ...request, clock }, { context: { caller: 'http' }, signal })
  if (!followed.ok) return followed
  const failureOf = (error: unknown): ErrorObject => {
    if (error instanceof LogEndedError) return error.told.error
    throw error
  }
  const { deviceId, value: pages } = followed
  return { ok: true, value: { deviceId, position: request.after ?? '', pages, failureOf } }
}

/** In a fleet, a device of this host is read without the way over the service. */
const isHere = async (
  { fleetHost: host, listDevices }: AppParts,
  deviceId: string,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (host === undefined) return deviceId
  const ownSerial = deviceId.endsWith(`@${host}`) ? deviceId.slice(0, -host.length - 1) : deviceId
  const listed = await listDevices(signal).catch(() => [])
  return listed.some(({ serial }) => serial === ownSerial) ? ownSerial : undefined
}

/** The position goes into each line's id and not into its data. */
const framesOf = ({ gap, lines }: LogPage): string => {
  const gapFrame = gap ? frame(undefined, EVENT_NAMES.gap, JSON.stringify(gap)) : ''
  return (
    gapFrame + lines.map(({ position, ...line }) => frame(position, EVENT_NAMES.log, JSON.stringify(line))).join('')
  )
}

/** A reader that comes back goes on from there, although no line that it wants has come for long. */
const placeFrame = (position: string): string => (position === '' ? ':\n\n' : `id: ${position}\n\n`)

/** False when the socket has taken nothing for too long, or has gone. */
const drained = async (outgoing: ServerResponse, clock: Clock, signal: AbortSignal): Promise<boolean> => {
  const over = new AbortController()
  const leave = () => over.abort()
  outgoing.once('drain', leave)
  signal.addEventListener('abort', leave, { once: true })
  await pause(clock, STALL_MS, over.signal)
  outgoing.off('drain', leave)
  signal.removeEventListener('abort', leave)
  return over.signal.aborted && !signal.aborted
}

const tell = async (
  outgoing: ServerResponse,
  { pages, failureOf, ...log }: FollowedLog,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> => {
  let { position } = log
  let isTelling = true
  const keepAlive = () => {
    if (!isTelling) return
    if (!outgoing.writableNeedDrain) outgoing.write(placeFrame(position))
    clock.at(clock.now() + SSE_KEEPALIVE_MS, keepAlive, { idle: true })
  }
  outgoing.writeHead(200, SSE_HEADERS)
  keepAlive()
  try {
    for await (const page of pages) {
      position = page.position
      const frames = framesOf(page)
      if (frames === '' || outgoing.write(frames) || (await drained(outgoing, clock, signal))) continue
      outgoing.destroy()
      return
    }
  } catch (error) {
    if (!signal.aborted) outgoing.write(frame(undefined, EVENT_NAMES.error, JSON.stringify(failureOf(error))))
  } finally {
    isTelling = false
    if (outgoing.writableNeedDrain) outgoing.destroy()
    else outgoing.end()
  }
}

export const logRoutes: RouteModule = {
  mount(app, parts) {
    const { clock, note, service } = parts
    const readers = createLogReaders()
    mountDeclared(app, clock, 'logs.follow', async (c, query) => {
      const { incoming, outgoing, streams } = c.env
      const after = lastEventId(incoming)
      if (after !== undefined && !readLogPosition(after)) {
        return refuse(
          failure('INVALID_QUERY', 'The header Last-Event-ID must be the id of a line of the log.', {
            hint: 'Leave the header out to receive only new lines.',
          }),
        )
      }
      if (incoming.method === 'HEAD') return headOfStream()
      const ended = new AbortController()
      const end = () => ended.abort()
      outgoing.once('close', end)
      const forget = streams.add(end)
      outgoing.once('close', forget)
      const { signal } = ended
      const request = { ...query, deviceId: c.req.param('deviceId') ?? '', after }
      const serial = await isHere(parts, request.deviceId, signal)
      const place = readers.enter(serial ?? request.deviceId)
      if (!place.ok) {
        forget()
        return refuse(place.error)
      }
      signal.addEventListener('abort', place.leave, { once: true })
      if (signal.aborted) place.leave()
      const followed =
        serial === undefined
          ? await followElsewhere(service, request, { clock, signal })
          : await followHere(parts, { ...request, deviceId: serial }, signal)
      if (!followed.ok) {
        forget()
        place.leave()
        return refuse(followed.error)
      }
      if (hasGone(outgoing)) {
        end()
        return HANDED_OVER
      }
      tell(outgoing, followed.value, { clock, signal }).catch((error: unknown) => {
        note(`a stream of a log was ended: ${String(error)}`)
        outgoing.destroy()
      })
      return HANDED_OVER
    })
  },
}
