/** The timeouts of a session: script, pageLoad and implicit, in ms. */
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { SessionTimeouts } from './live-session.ts'

/** Every wait has an end: an implicit wait is no longer than this. */
export const IMPLICIT_MS_MAX = 10 * 60_000

const NAMES = ['script', 'pageLoad', 'implicit'] as const

export const defaultTimeouts = (): SessionTimeouts => ({ script: 30_000, pageLoad: 300_000, implicit: 0 })

/** Throws WebDriverError. Names of other timeouts are accepted, as W3C says. */
export const changeTimeouts = (timeouts: SessionTimeouts, given: Readonly<Record<string, unknown>>): void => {
  const changes: [keyof SessionTimeouts, number][] = []
  for (const name of NAMES) {
    const value = given[name]
    if (value === undefined || (name === 'script' && value === null)) continue
    const isMs = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    if (!isMs)
      throw new WebDriverError('invalid argument', `The timeout ${name} must be a whole number of ms, at least 0.`)
    if (name === 'implicit' && value > IMPLICIT_MS_MAX)
      throw new WebDriverError(
        'invalid argument',
        `The timeout implicit must be at most ${IMPLICIT_MS_MAX} ms, but is ${value}.`,
      )
    changes.push([name, value])
  }
  for (const [name, value] of changes) timeouts[name] = value
}
