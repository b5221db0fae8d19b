/** The log of the device, each line answered once in a session. */

import type { PlacedLogLine } from '../../../contracts/device/logs.ts'
import { LOG_LINES } from '../../../contracts/limits/log-limits.ts'
import { invalid, someText } from '../protocol/arguments.ts'
import { answerOf, type LiveSession } from '../session/live-session.ts'
import { olderPath, type SessionCommand } from './command.ts'

const LOGCAT = 'logcat'
/** An answer has so many lines; the rest comes with the next one. */
const LINES_MAX = LOG_LINES.max

/** As Selenium names them. */
const LEVELS: Readonly<Record<PlacedLogLine['level'], string>> = {
  verbose: 'ALL',
  debug: 'DEBUG',
  info: 'INFO',
  warn: 'WARNING',
  error: 'SEVERE',
  fatal: 'SEVERE',
}

const entryOf = ({ time, level, tag, pid, message }: PlacedLogLine) => ({
  timestamp: Date.parse(time),
  level: LEVELS[level],
  message: `${tag}(${pid}): ${message}`,
})

const newLines = async (session: LiveSession) => {
  const { service, deviceId, positions } = session
  const after = positions.get(LOGCAT)
  const where = after === undefined ? {} : { after, take: 'first' as const }
  const answer = answerOf(await service['logs.read']({ deviceId, limit: LINES_MAX, ...where }, session.call()))
  positions.set(LOGCAT, answer.lines.at(-1)?.position ?? answer.position)
  return answer.lines.map(entryOf)
}

const typesCommand = (path: `/${string}`): SessionCommand => ({
  method: 'GET',
  path,
  summary: 'The logs that can be read: logcat.',
  run: async () => [LOGCAT],
})

const readCommand = (path: `/${string}`): SessionCommand =>
  olderPath({
    path,
    summary: `The lines of the log of the device that this session has not read yet, at most ${LINES_MAX}.`,
    args: { type: someText },
    async run(session, { type }) {
      if (type === LOGCAT) return await newLines(session)
      throw invalid(`There is no log of the type ${type}: expected ${LOGCAT}.`)
    },
  })

export const LOG_COMMANDS: readonly SessionCommand[] = ['/se/log' as const, '/log' as const].flatMap(path => [
  typesCommand(`${path}/types`),
  readCommand(path),
])
