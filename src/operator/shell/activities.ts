/** Opening applications and uris with `cmd package` and `am start`. */
import { commandLine } from '../../adb/quote.ts'
import { StepFailure } from '../engine/step-failure.ts'
import { complaintOf, type DeviceShell } from './device-shell.ts'

/** Applications for a television declare themselves in a category of their own. */
const LAUNCHERS = ['LAUNCHER', 'LEANBACK_LAUNCHER'].map(
  category => ['-a', 'android.intent.action.MAIN', '-c', `android.intent.category.${category}`] as const,
)
type Launcher = (typeof LAUNCHERS)[number]
/** The intent flags of a launcher: an existing task comes to the front as it was left. */
const NEW_TASK_AS_LEFT = '0x10200000'

/** Android's form of a package name; another text names no package, and might be read as an option. */
const PACKAGE = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)*$/
/** A warning only by its name: nothing was started. */
const NOT_STARTED = /^[ \t]*Warning: Activity not started because the\s+current activity is being kept for the user.*$/m
const MISSING = /does not exist|unable to resolve|No activities found/

/** The component among the answer's lines that belongs to the package; the system's own chooser does not. */
const componentIn = (answer: string, applicationId: string): string | undefined =>
  answer
    .split('\n')
    .map(line => line.trim())
    .find(line => line.startsWith(`${applicationId}/`))

/** An application with several entries resolves to a chooser; then its entries are listed, and the first is taken. */
const componentOf = async (shell: DeviceShell, launcher: Launcher, applicationId: string) => {
  for (const query of ['resolve-activity', 'query-activities']) {
    const { stdout } = await shell.ask(commandLine('cmd', 'package', query, '--brief', ...launcher, applicationId))
    const component = componentIn(stdout, applicationId)
    if (component !== undefined) return component
    if (!/ResolverActivity/.test(stdout)) return undefined
  }
  return undefined
}

const start = async (shell: DeviceShell, ...words: string[]): Promise<boolean> => {
  const result = await shell.ask(commandLine('am', 'start', ...words))
  const complaint =
    complaintOf(result) ?? (NOT_STARTED.exec(result.stderr) ?? NOT_STARTED.exec(result.stdout))?.[0].trim()
  if (complaint === undefined) return true
  if (MISSING.test(result.stderr) || MISSING.test(result.stdout)) return false
  throw new StepFailure('ACTION_FAILED', `the device refused: ${complaint}`)
}

export const openApp = async (shell: DeviceShell, applicationId: string): Promise<'opened' | 'not-found'> => {
  if (!PACKAGE.test(applicationId)) return 'not-found'
  for (const launcher of LAUNCHERS) {
    const component = await componentOf(shell, launcher, applicationId)
    if (component === undefined) continue
    return (await start(shell, ...launcher, '-f', NEW_TASK_AS_LEFT, '-n', component)) ? 'opened' : 'not-found'
  }
  return 'not-found'
}

export const openUri = (shell: DeviceShell, uri: string): Promise<boolean> =>
  start(shell, '-a', 'android.intent.action.VIEW', '-d', uri)
