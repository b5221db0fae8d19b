/** open_app and open_uri. */
import { noSuchApp, waitForApp } from '../apps/wait-for-app.ts'
import type { Step } from '../screen/context.ts'
import { StepFailure } from '../screen/step-failure.ts'

export const openApp: Step<'open_app'> = async (params, context) => {
  if ((await context.driver.openApp(params.applicationId)) === 'not-found') throw noSuchApp(params.applicationId)
  return await waitForApp(params, context)
}

export const openUri: Step<'open_uri'> = async ({ uri }, { driver }) => {
  if (await driver.openUri(uri)) return { uri }
  throw new StepFailure('URI_NOT_HANDLED', `no application opens ${uri}`)
}
