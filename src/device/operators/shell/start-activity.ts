/** Starts activities by `am start`: that of an application's icon, a named one, or the one that opens a URI. */

import { isPackageName } from '../../../contracts/device/package-name.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import { complaintOf, type DeviceShell } from './device-shell.ts'

/** Applications for a television declare themselves in a category of their own. */
export const LAUNCHERS = ['LAUNCHER', 'LEANBACK_LAUNCHER'].map(
  category => ['-a', 'android.intent.action.MAIN', '-c', `android.intent.category.${category}`] as const,
)
type Launcher = (typeof LAUNCHERS)[number]
/** The intent flags of a launcher: an existing task comes to the front as it was left. */
const NEW_TASK_AS_LEFT = '0x10200000'

/** A warning only by its name: nothing was started. */
const NOT_STARTED = /^[ \t]*Warning: Activity not started because the\s+current activity is being kept for the user.*$/m
const MISSING = /does not exist|unable to resolve|No activities found/
const NOT_EXPORTED = /not exported from uid/
const NEEDS_PERMISSION = /Permission Denial: starting [^\n]* requires (\S+)/

/** The component among the answer's lines that belongs to the package; the system's own chooser does not. */
const componentIn = (answer: string, applicationId: string): string | undefined =>
  answer
    .split('\n')
    .map(line => line.trim())
    .find(line => line.startsWith(`${applicationId}/`))

/** An application with several entries resolves to a chooser; then its entries are listed, and the first is taken. */
export const componentOf = async (shell: DeviceShell, launcher: Launcher, applicationId: string) => {
  for (const query of ['resolve-activity', 'query-activities']) {
    const { stdout } = await shell.ask(commandLine('cmd', 'package', query, '--brief', ...launcher, applicationId))
    const component = componentIn(stdout, applicationId)
    if (component !== undefined) return component
    if (!/ResolverActivity/.test(stdout)) return undefined
  }
  return undefined
}

/** The words of `am start` that do what a tap on the icon does; undefined for an application without one. */
export const launchWords = async (
  shell: DeviceShell,
  applicationId: string,
): Promise<readonly string[] | undefined> => {
  if (!isPackageName(applicationId)) return undefined
  for (const launcher of LAUNCHERS) {
    const component = await componentOf(shell, launcher, applicationId)
    if (component !== undefined) return [...launcher, '-f', NEW_TASK_AS_LEFT, '-n', component]
  }
  return undefined
}

const REFUSALS = {
  missing: 'does not exist',
  not_exported: 'is not exported by its application',
  permission: 'needs a permission that the shell does not have',
} as const

/** `what` begins with a small letter and names what was to be started. */
export const activityRefused = (reason: keyof typeof REFUSALS, what: string, permission?: string): StepFailure =>
  new StepFailure(
    'ACTIVITY_REFUSED',
    `${what} ${REFUSALS[reason]}${permission === undefined ? '' : `: ${permission}`}`,
    {
      data: { reason, ...(permission === undefined ? {} : { permission }) },
    },
  )

/** Rejects with ACTIVITY_REFUSED where the device does not permit the start, and with ACTION_FAILED for another refusal. */
export const startActivity = async (
  shell: DeviceShell,
  words: readonly string[],
  what: string,
): Promise<'started' | 'missing'> => {
  const result = await shell.ask(commandLine('am', 'start', ...words))
  const complaint =
    complaintOf(result) ?? (NOT_STARTED.exec(result.stderr) ?? NOT_STARTED.exec(result.stdout))?.[0].trim()
  if (complaint === undefined) return 'started'
  const output = result.stderr + result.stdout
  if (MISSING.test(output)) return 'missing'
  if (NOT_EXPORTED.test(output)) throw activityRefused('not_exported', what)
  const [, permission] = NEEDS_PERMISSION.exec(output) ?? []
  if (permission !== undefined) throw activityRefused('permission', what, permission.replace(/[^\w.].*$/, ''))
  throw new StepFailure('ACTION_FAILED', `the device refused: ${complaint}`)
}

export const openApp = async (shell: DeviceShell, applicationId: string): Promise<'opened' | 'not-found'> => {
  const words = await launchWords(shell, applicationId)
  if (words === undefined) return 'not-found'
  const started = await startActivity(shell, words, `the activity of the icon of ${applicationId}`)
  return started === 'started' ? 'opened' : 'not-found'
}

export const opensUri = (uri: string): string => `the activity that opens ${uri}`

export const openUri = async (shell: DeviceShell, uri: string): Promise<boolean> =>
  (await startActivity(shell, ['-a', 'android.intent.action.VIEW', '-d', uri], opensUri(uri))) === 'started'
