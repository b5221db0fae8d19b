/** open_app with what no operator knows: cleared or stopped first, permissions, a named activity, arguments. */
import { commandLine } from '../../adb/quote.ts'
import type { ParamsOf } from '../engine/context.ts'
import { StepFailure } from '../engine/step-failure.ts'
import { noSuchApp, waitForApp } from '../engine/steps/app.ts'
import { CALL_MS, type DeviceShell, deviceShell } from '../shell/device-shell.ts'
import { shellDriver } from '../shell/driver.ts'
import { launchWords, startActivity } from '../shell/start-activity.ts'
import { currentUser } from './current-user.ts'
import { isPackageName } from './package-name.ts'
import { clearApp } from './remove-app.ts'
import { type ChangeOptions, setPermissions } from './set-permission.ts'

type Params = ParamsOf['open_app']

const INT_MAX = 2 ** 31 - 1

const optionFor = (value: string | number | boolean): string => {
  if (typeof value === 'string') return '--es'
  if (typeof value === 'boolean') return '--ez'
  if (!Number.isSafeInteger(value)) return '--ef'
  return value > INT_MAX || value < -INT_MAX - 1 ? '--el' : '--ei'
}

/** The extras of an intent, as `am start` takes them; each word is still to be quoted. */
export const extrasOf = (given: NonNullable<Params['arguments']>): string[] =>
  Object.entries(given).flatMap(([name, value]) => [optionFor(value), name, String(value)])

/** Throws APP_NOT_FOUND. Nothing is changed before it is known that there is something to start. */
const activityWords = async (shell: DeviceShell, { applicationId, activity }: Params, user: string) => {
  if (activity === undefined) {
    const words = await launchWords(shell, applicationId)
    if (words === undefined) throw noSuchApp(applicationId)
    return words
  }
  const { stdout } = await shell.ask(commandLine('pm', 'path', '--user', user, applicationId))
  if (!/^package:/m.test(stdout)) throw noSuchApp(applicationId)
  return ['-n', `${applicationId}/${activity}`]
}

const REFUSALS = {
  missing: 'has no activity',
  not_exported: 'does not export the activity',
} as const

export const openAppAsAsked = async (params: Params, options: ChangeOptions): Promise<Record<string, string>> => {
  const { applicationId, activity, clearState, stopFirst, permissions } = params
  const { link, clock, deadline, signal, mayAct = () => {} } = options
  if (!isPackageName(applicationId)) throw noSuchApp(applicationId)
  const shell = deviceShell(link, options)
  const user = await currentUser(link, { deadline: Math.min(deadline, clock.now() + CALL_MS), signal })
  const words = await activityWords(shell, params, user)
  if (clearState) await clearApp({ applicationId }, options)
  else if (stopFirst) {
    mayAct()
    await shell.insist(commandLine('am', 'force-stop', '--user', user, applicationId), 'ACTION_FAILED')
  }
  if (permissions) await setPermissions(applicationId, permissions, options)
  mayAct()
  const started = await startActivity(shell, [...words, ...extrasOf(params.arguments ?? {})])
  if (started !== 'started') {
    if (activity === undefined) throw noSuchApp(applicationId)
    const reason = `${applicationId} ${REFUSALS[started]} ${activity}`
    throw new StepFailure('ACTIVITY_REFUSED', reason, { data: { reason: started } })
  }
  return await waitForApp(params, { driver: shellDriver(link, options), clock, signal, deadline })
}
