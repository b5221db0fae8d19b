/** The capability autoWebview: the session begins in the web view of its application. */
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { SessionWish } from './capabilities.ts'
import type { LiveSession } from './live-session.ts'

const PREFIX = 'WEBVIEW_'
/** Appium waits as long. */
const WAIT_MS = 2_000

/** Why the session cannot begin there; undefined where it does, and where that was not asked for. */
export const beginInWebView = async (
  session: LiveSession,
  { capabilities }: Pick<SessionWish, 'capabilities'>,
  applicationId: string | undefined,
): Promise<ErrorObject | undefined> => {
  if (capabilities['appium:autoWebview'] !== true) return undefined
  const webViewName = capabilities['appium:autoWebviewName']
  const wanted = typeof webViewName === 'string' ? webViewName.trim() : applicationId
  const name = wanted && (wanted.startsWith(PREFIX) ? wanted : `${PREFIX}${wanted}`)
  const asWished = capabilities['appium:autoWebviewTimeout']
  const waitMs = typeof asWished === 'number' ? asWished : WAIT_MS
  if (name === undefined)
    return failure('PAGE_NOT_FOUND', 'appium:autoWebview needs an application: name it by appium:appPackage.')
  try {
    const { switchContext, whenThere } = await import('../web/contexts.ts')
    await whenThere(session, name, waitMs)
    await switchContext(session, name)
    return undefined
  } catch (error) {
    const message = `appium:autoWebview found no page of ${name} within ${waitMs} ms. ${messageOf(error)}`
    return failure('PAGE_NOT_FOUND', message, {
      hint: 'Wait longer by appium:autoWebviewTimeout, or leave appium:autoWebview out and switch once the page is shown.',
      details: { dispatched: false },
    })
  }
}
