/** open_app with what no operator knows: cleared or stopped first, permissions, a named activity, arguments. */

import type { ParamsOf } from '../../contracts/actions/card.ts'
import { isPackageName } from '../../contracts/device/package-name.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import { CALL_MS, type DeviceShell, deviceShell } from '../operators/shell/device-shell.ts'
import { shellDriver } from '../operators/shell/driver.ts'
import { activityRefused, launchWords, startActivity } from '../operators/shell/start-activity.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { currentUser } from './current-user.ts'
import { clearApp } from './remove-app.ts'
import { type ChangeOptions, checkPermissions, setPermissions } from './set-permission.ts'
import { noSuchApp, waitForApp } from './wait-for-app.ts'

type Params = ParamsOf['open_app']

const INT_MAX = 2 ** 31 - 1

const optionFor = (value: string | number | boolean): string => {
  if (typeof value === 'string') return '--es'
  if (typeof value === 'boolean') return '--ez'
  if (!Number.isSafeInteger(value)) return '--ef'
  return value > INT_MAX || value < -INT_MAX - 1 ? '--el' : '--ei'
}

/** The extras of an intent, as `am start` takes them; each word is still to be quoted. */
export const extrasOf = (extras: NonNullable<Params['arguments']>): string[] =>
  Object.entries(extras).flatMap(([name, value]) => [optionFor(value), name, String(value)])

const activityOf = (applicationId: string, activity: string) => `the activity ${activity} of ${applicationId}`

const ROOT_UID = '0'

/** Judged by what the device says for certain: versions that cannot look up a component are asked by the start itself. */
const checkActivity = async (shell: DeviceShell, component: string, user: string) => {
  const [applicationId = '', activity = ''] = component.split('/')
  const query = commandLine('cmd', 'package', 'resolve-activity', '--user', user, '-n', component)
  const { stdout } = await shell.ask(query)
  if (/^No activity found\s*$/m.test(stdout)) throw activityRefused('missing', activityOf(applicationId, activity))
  if (!/\bexported=false\b/.test(stdout)) return
  // A shell that is root starts it all the same.
  const uid = await shell.ask(commandLine('id', '-u'))
  if (uid.stdout.trim() !== ROOT_UID) throw activityRefused('not_exported', activityOf(applicationId, activity))
}

/** Throws APP_NOT_FOUND or ACTIVITY_REFUSED. Nothing is changed before it is known that there is something to start. */
const activityWords = async (shell: DeviceShell, { applicationId, activity }: Params, user: string) => {
  if (activity === undefined) {
    const words = await launchWords(shell, applicationId)
    if (words === undefined) throw noSuchApp(applicationId)
    return words
  }
  const { stdout } = await shell.ask(commandLine('pm', 'path', '--user', user, applicationId))
  if (!/^package:/m.test(stdout)) throw noSuchApp(applicationId)
  const component = `${applicationId}/${activity}`
  await checkActivity(shell, component, user)
  return ['-n', component]
}

/** A failure that says what was changed before it. */
const withDone = (error: unknown, done: readonly string[]) => {
  if (!(error instanceof StepFailure) || done.length === 0) return error
  const { code, message, data, hint } = error
  const sentence = `${message.replace(/\.$/, '')}; before that ${done.join(', ')}`
  return new StepFailure(code, sentence, { data: { ...data, done: done.join(', ') }, hint })
}

/** Clears or stops the application and sets its permissions; `done` grows with each change that the device has taken. */
const prepare = async (params: Params, user: string, done: string[], options: ChangeOptions) => {
  const { applicationId, clearState, stopFirst, permissions, ifRequested } = params
  const { link, mayAct = () => {} } = options
  if (clearState) {
    await clearApp({ applicationId }, options)
    done.push(`the data of ${applicationId} were removed`)
  } else if (stopFirst) {
    mayAct()
    const line = commandLine('am', 'force-stop', '--user', user, applicationId)
    await deviceShell(link, options).insist(line, 'ACTION_FAILED')
    done.push(`${applicationId} was stopped`)
  }
  if (!permissions) return
  const onChanged = (permission: string, state: string) => done.push(`${permission} was set to ${state}`)
  await setPermissions({ applicationId, permissions, ifRequested }, { ...options, onChanged })
}

const start = async (shell: DeviceShell, words: readonly string[], { applicationId, activity, ...params }: Params) => {
  const what =
    activity === undefined ? `the activity of the icon of ${applicationId}` : activityOf(applicationId, activity)
  const started = await startActivity(shell, [...words, ...extrasOf(params.arguments ?? {})], what)
  if (started === 'started') return
  throw activity === undefined ? noSuchApp(applicationId) : activityRefused(started, what)
}

export const openAppAsAsked = async (params: Params, options: ChangeOptions): Promise<Record<string, string>> => {
  const { applicationId, permissions, ifRequested } = params
  const { link, clock, deadline, signal, mayAct = () => {} } = options
  if (!isPackageName(applicationId)) throw noSuchApp(applicationId)
  const shell = deviceShell(link, options)
  const user = await currentUser(link, { deadline: Math.min(deadline, clock.now() + CALL_MS), signal })
  const words = await activityWords(shell, params, user)
  if (permissions) await checkPermissions({ applicationId, permissions, ifRequested }, options)
  const done: string[] = []
  try {
    await prepare(params, user, done, options)
    mayAct()
    await start(shell, words, params)
    return await waitForApp(params, { driver: shellDriver(link, options), clock, signal, deadline })
  } catch (error) {
    throw withDone(error, done)
  }
}
