/** The form in which a request is refused before any route sees it: that of the API, or of WebDriver for its paths. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { httpStatusOf } from '../../contracts/failures/failures.ts'
import { webDriverErrorOf } from '../webdriver/protocol/failure-error.ts'
import { errorAnswer } from '../webdriver/protocol/wire.ts'
import type { RefusalForm } from './answer.ts'

const ORIGIN = /^https?:\/\/[^/?#]*/i

/** The path of a request target, which may be an absolute URL. */
export const pathOfTarget = (target: string): string => {
  const [path = ''] = target.replace(ORIGIN, '').split(/[?#]/, 1)
  return path === '' ? '/' : path
}

const OF_WEBDRIVER = /^\/(?:status|sessions?|appium|wd\/hub)(?:\/|$)/
const PING = '/ping'

/** Alone, a target that could not be read is one of WebDriver, too. */
const isWebDriver = (target: string | undefined, mode: 'beside' | 'alone'): boolean => {
  const path = target === undefined ? undefined : pathOfTarget(target)
  if (mode === 'alone') return path !== PING
  return path !== undefined && OF_WEBDRIVER.test(path)
}

/** Statuses are those of the API: clients and proxies know 401, 403 and 431 by them. */
const wireRefusal = (error: ErrorObject) => ({
  status: httpStatusOf(error.code),
  json: errorAnswer(webDriverErrorOf(error)).json,
})

/** Undefined for a target whose refusals have the form of the API. */
export const webDriverForm =
  (mode: 'beside' | 'alone'): RefusalForm =>
  (error, target) =>
    isWebDriver(target, mode) ? wireRefusal(error) : undefined
