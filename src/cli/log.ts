/** `--log-level`: which of the lines for a person are said on stderr. */

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type Log = Readonly<Record<LogLevel, (text: string) => void>>

export const DEFAULT_LOG_LEVEL: LogLevel = 'warn'

export const createLog = (least: LogLevel, note: (text: string) => void): Log => {
  const at = (level: LogLevel) => (text: string) => {
    if (LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least)) note(text)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
