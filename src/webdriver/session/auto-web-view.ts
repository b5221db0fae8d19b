/** The capability autoWebview: the session begins in the web view of its application. */
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { SessionWish } from './capabilities.ts'
import type { LiveSession } from './live-session.ts'

/** As long as Appium waits. */
const WAIT_MS = 2_000

/** Why the session cannot begin there; undefined where it does, and where that was not asked for. */
export const beginInWebView = async (
  session: LiveSession,
  { asked }: Pick<SessionWish, 'asked'>,
  applicationId: string | undefined,
): Promise<ErrorObject | undefined> => {
  if (asked['appium:autoWebview'] !== true) return undefined
  const given = asked['appium:autoWebviewName']
  const name = typeof given === 'string' ? `WEBVIEW_${given}` : applicationId && `WEBVIEW_${applicationId}`
  const waitMs = asked['appium:autoWebviewTimeout']
  if (name === undefined)
    return failure('PAGE_NOT_FOUND', 'appium:autoWebview needs an application: name it by appium:appPackage.')
  try {
    const { switchContext, whenThere } = await import('../web/contexts.ts')
    await whenThere(session, name, typeof waitMs === 'number' ? waitMs : WAIT_MS)
    await switchContext(session, name)
    return undefined
  } catch (error) {
    return failure('PAGE_NOT_FOUND', messageOf(error))
  }
}
