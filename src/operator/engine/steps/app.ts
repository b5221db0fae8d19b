/** open_app and open_uri. */
import type { Step } from '../context.ts'
import { poll } from '../retry.ts'
import { StepFailure } from '../step-failure.ts'

/** Done when the package is in front; what it shows by then is not looked at. */
export const openApp: Step<'open_app'> = async (params, { driver, clock, signal, deadline }) => {
  const { applicationId, skipNavigationWait, navigationTimeoutMs } = params
  if ((await driver.openApp(applicationId)) === 'not-found') {
    throw new StepFailure('APP_NOT_FOUND', `no application ${applicationId} can be opened`)
  }
  if (skipNavigationWait) return { application_id: applicationId }
  const until = Math.min(clock.now() + navigationTimeoutMs, deadline)
  let front = ''
  const isInFront = async () => {
    front = await driver.foregroundPackage(until)
    return front === applicationId || undefined
  }
  if (await poll(isInFront, { clock, signal, until })) return { application_id: applicationId }
  throw new StepFailure(
    'NAVIGATION_TIMEOUT',
    `${applicationId} did not come to the front; ${front || 'nothing'} is in front`,
  )
}

export const openUri: Step<'open_uri'> = async ({ uri }, { driver }) => {
  if (await driver.openUri(uri)) return { uri }
  throw new StepFailure('URI_NOT_HANDLED', `no application opens ${uri}`)
}
