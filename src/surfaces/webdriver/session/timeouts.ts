/** The timeouts of a session: script, pageLoad and implicit, in ms. */
import { typingMistakeOf } from '../protocol/typing-mistake.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { SessionTimeouts } from './live-session.ts'

/** Every wait has an end: an implicit wait is no longer than this. */
export const IMPLICIT_MS_MAX = 10 * 60_000

const NAMES = ['script', 'pageLoad', 'implicit'] as const

export const defaultTimeouts = (): SessionTimeouts => ({ script: 30_000, pageLoad: 300_000, implicit: 0 })

const refuseMistakes = (wanted: Readonly<Record<string, unknown>>): void => {
  for (const name of Object.keys(wanted)) {
    const suggestion = typingMistakeOf(name, NAMES)
    if (suggestion !== undefined)
      throw new WebDriverError('invalid argument', `There is no timeout ${name}. Did you mean ${suggestion}?`)
  }
  if (typeof wanted.type === 'string' && 'ms' in wanted)
    throw new WebDriverError(
      'invalid argument',
      'The body has type and ms, which are of JSON Wire. Send timeouts as W3C WebDriver has them: {"implicit": 1000}.',
    )
}

/** Throws WebDriverError. Names of other timeouts are accepted, as W3C says, unless they are mistakes. */
export const changeTimeouts = (timeouts: SessionTimeouts, wanted: Readonly<Record<string, unknown>>): void => {
  refuseMistakes(wanted)
  const changes: [keyof SessionTimeouts, number][] = []
  for (const name of NAMES) {
    const value = wanted[name]
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
