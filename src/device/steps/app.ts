/** The steps on whole applications: here those of a few lines, the others beside what they work with. */

import { commandLine } from '../../runtime/text/quote.ts'
import { installApp } from '../apps/install-app.ts'
import { openAppAsAsked } from '../apps/open-app.ts'
import { openInBrowser } from '../apps/open-in-browser.ts'
import { clearApp, uninstallApp } from '../apps/remove-app.ts'
import { setPermission } from '../apps/set-permission.ts'
import { noSuchApp, waitForApp } from '../apps/wait-for-app.ts'
import { deviceShell } from '../operators/shell/device-shell.ts'
import { measureStartup } from '../perf/startup.ts'
import type { Step } from '../screen/context.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { HostStep, Performers } from './performer.ts'

const openApp: Step<'open_app'> = async (params, context) => {
  if ((await context.driver.openApp(params.applicationId)) === 'not-found') throw noSuchApp(params.applicationId)
  return await waitForApp(params, context)
}

const openUri: Step<'open_uri'> = async ({ uri }, { driver }) => {
  if (await driver.openUri(uri)) return { uri }
  throw new StepFailure('URI_NOT_HANDLED', `no application opens ${uri}`)
}

/** Ending an application that does not run, or does not exist, succeeds: it is not running then. */
const closeApp: HostStep<'close_app'> = async ({ applicationId, background }, options) => {
  const verb = background ? 'kill' : 'force-stop'
  await deviceShell(options.link, options).insist(commandLine('am', verb, applicationId), 'ACTION_FAILED')
  return { application_id: applicationId }
}

export const APP_STEPS = {
  open_app: { screen: openApp, link: openAppAsAsked },
  open_uri: { screen: openUri, link: openInBrowser },
  close_app: { link: closeApp },
  install_app: { link: installApp },
  uninstall_app: { link: uninstallApp },
  clear_app: { link: clearApp },
  set_permission: { link: setPermission },
  measure_startup: { link: measureStartup },
} as const satisfies Partial<Performers>
