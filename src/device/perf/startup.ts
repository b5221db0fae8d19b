/** measure_startup: starts an application several times, and reads how long the device says that each start took. */

import { isPackageName } from '../../contracts/device/package-name.ts'
import type { StartKind, StartupRun } from '../../contracts/device/perf.ts'
import { pause } from '../../runtime/clock.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import { currentUser } from '../apps/current-user.ts'
import type { RemoveOptions } from '../apps/remove-app.ts'
import { CALL_MS, complaintOf, type DeviceShell, deviceShell } from '../operators/shell/device-shell.ts'
import { componentOf, LAUNCHERS } from '../operators/shell/start-activity.ts'
import { StepFailure } from '../screen/step-failure.ts'

/** Beside what an immediate answer may take: the device itself waits ten seconds for the first frame. */
const START_MS = 10_000
/** Before that, the system takes a start for a part of the change to the home screen. */
const SETTLE_MS = 1_000

const KINDS: Readonly<Record<string, StartKind>> = { COLD: 'cold', WARM: 'warm', HOT: 'hot' }

const wordIn = (output: string, name: string): string | undefined =>
  new RegExp(`^${name}: *(\\S+)`, 'm').exec(output)?.[1]

const msIn = (output: string, name: string): number | null => {
  const word = wordIn(output, name) ?? ''
  return /^\d{1,9}$/.test(word) ? Number(word) : null
}

/** An intent that went to an activity on top, and a window of another application, are no start of this one. */
export const startupIn = (output: string, applicationId: string, wasStopped: boolean): StartupRun => {
  const state = wordIn(output, 'LaunchState')
  const activity = wordIn(output, 'Activity')
  const isOther = activity !== undefined && !activity.startsWith(`${applicationId}/`)
  const total = msIn(output, 'TotalTime')
  const isDelivered = state?.startsWith('UNKNOWN') === true || total === 0
  // Before Android 10 the device does not say the kind.
  const kind = state === undefined && wasStopped ? 'cold' : (KINDS[state ?? ''] ?? null)
  const waitMs = msIn(output, 'WaitTime')
  if (isOther) return { kind: null, totalMs: null, waitMs, onTop: activity.split('/', 1)[0] ?? activity }
  return { kind, totalMs: isDelivered ? null : total, waitMs }
}

export const medianOf = (values: readonly number[]): number | undefined => {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? undefined : Math.round((lower + upper) / 2)
}

const launcherOf = async (shell: DeviceShell, applicationId: string): Promise<string> => {
  if (isPackageName(applicationId)) {
    for (const launcher of LAUNCHERS) {
      const component = await componentOf(shell, launcher, applicationId)
      if (component !== undefined) return component
    }
  }
  throw new StepFailure('APP_NOT_FOUND', `the device has no application ${applicationId} that a launcher starts`)
}

export const measureStartup = async (
  { applicationId, runs, stopFirst }: { applicationId: string; runs: number; stopFirst: boolean },
  options: RemoveOptions,
): Promise<Record<string, string>> => {
  const { link, clock, deadline, signal, mayAct = () => {} } = options
  const shell = deviceShell(link, options)
  const component = await launcherOf(shell, applicationId)
  const user = await currentUser(link, { deadline: Math.min(deadline, clock.now() + CALL_MS), signal })
  const away = stopFirst
    ? commandLine('am', 'force-stop', '--user', user, applicationId)
    : commandLine('input', 'keyevent', 'KEYCODE_HOME')
  const start = commandLine('am', 'start', '-W', '--user', user, '-n', component)
  const measured: StartupRun[] = []
  while (measured.length < runs) {
    mayAct()
    await shell.insist(away, 'ACTION_FAILED')
    await pause(clock, SETTLE_MS, signal)
    signal.throwIfAborted()
    mayAct()
    const answer = await shell.ask(start, { ms: START_MS })
    const complaint = complaintOf(answer)
    if (complaint !== undefined) throw new StepFailure('ACTION_FAILED', `the device refused: ${complaint}`)
    measured.push(startupIn(answer.stdout, applicationId, stopFirst))
  }
  const median = medianOf(measured.flatMap(({ totalMs }) => (totalMs === null ? [] : [totalMs])))
  return {
    application_id: applicationId,
    runs: JSON.stringify(measured),
    ...(median === undefined ? {} : { median_ms: String(median) }),
  }
}
