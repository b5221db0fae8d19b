/** Starts activities by `am start`: that of an application's icon, a named one, or the one that opens a URI. */
import { commandLine } from '../../adb/quote.ts'
import { isPackageName } from '../apps/package-name.ts'
import { StepFailure } from '../engine/step-failure.ts'
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

/** Rejects with a StepFailure for a refusal of another kind. */
export const startActivity = async (
  shell: DeviceShell,
  words: readonly string[],
): Promise<'started' | 'missing' | 'not_exported'> => {
  const result = await shell.ask(commandLine('am', 'start', ...words))
  const complaint =
    complaintOf(result) ?? (NOT_STARTED.exec(result.stderr) ?? NOT_STARTED.exec(result.stdout))?.[0].trim()
  if (complaint === undefined) return 'started'
  const said = result.stderr + result.stdout
  if (MISSING.test(said)) return 'missing'
  if (NOT_EXPORTED.test(said)) return 'not_exported'
  throw new StepFailure('ACTION_FAILED', `the device refused: ${complaint}`)
}

export const openApp = async (shell: DeviceShell, applicationId: string): Promise<'opened' | 'not-found'> => {
  const words = await launchWords(shell, applicationId)
  if (words === undefined) return 'not-found'
  const started = await startActivity(shell, words)
  return started === 'started' ? 'opened' : 'not-found'
}

export const openUri = async (shell: DeviceShell, uri: string): Promise<boolean> =>
  (await startActivity(shell, ['-a', 'android.intent.action.VIEW', '-d', uri])) === 'started'
