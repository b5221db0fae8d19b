/** open_app, open_uri and close_app. */
import { noSuchApp, waitForApp } from '../apps/wait-for-app.ts'
import { commandLine } from '../link/quote.ts'
import { deviceShell } from '../operators/shell/device-shell.ts'
import type { Step } from '../screen/context.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { HostStep } from './performer.ts'

export const openApp: Step<'open_app'> = async (params, context) => {
  if ((await context.driver.openApp(params.applicationId)) === 'not-found') throw noSuchApp(params.applicationId)
  return await waitForApp(params, context)
}

export const openUri: Step<'open_uri'> = async ({ uri }, { driver }) => {
  if (await driver.openUri(uri)) return { uri }
  throw new StepFailure('URI_NOT_HANDLED', `no application opens ${uri}`)
}

/** Ending an application that does not run, or does not exist, succeeds: it is not running then. */
export const closeApp: HostStep<'close_app'> = async ({ applicationId, background }, options) => {
  const verb = background ? 'kill' : 'force-stop'
  await deviceShell(options.link, options).insist(commandLine('am', verb, applicationId), 'ACTION_FAILED')
  return { application_id: applicationId }
}
