/** Ends an application. */
import { commandLine } from '../link/quote.ts'
import { deviceShell } from '../operators/shell/device-shell.ts'
import type { HostStep } from './host-step.ts'

/** Ending an application that does not run, or does not exist, succeeds: it is not running then. */
export const closeApp: HostStep<'close_app'> = async ({ applicationId, background }, options) => {
  const verb = background ? 'kill' : 'force-stop'
  await deviceShell(options.link, options).insist(commandLine('am', verb, applicationId), 'ACTION_FAILED')
  return { application_id: applicationId }
}
