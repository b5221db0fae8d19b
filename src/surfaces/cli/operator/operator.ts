/** `svc operator` at work: the helpers of svc.uiautomator are looked at, installed, removed and measured. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UIAUTOMATOR_OPERATOR_PACKAGE } from '../../../contracts/device/operator.ts'
import { duration } from '../../../contracts/duration.ts'
import { OPERATOR_ASK_MS, OPERATOR_INSTALL_MS, OPERATOR_REPORT_MS } from '../../../contracts/limits/limits.ts'
import { createInteractiveCheck } from '../../../device/link/interactive.ts'
import { createHelper } from '../../../device/operators/uiautomator/helper.ts'
import {
  HELPER_APKS,
  HELPER_SOURCE,
  type HelperApk,
  KEYBOARD_HELPER,
  SNAPSHOT_HELPER,
} from '../../../device/operators/uiautomator/helper-apks.ts'
import { InstallFailure, installHelper, uninstallHelper } from '../../../device/operators/uiautomator/install.ts'
import { type PhoneFacts, readPhoneFacts } from '../../../device/operators/uiautomator/installed.ts'
import { automationHolder } from '../../../device/operators/uiautomator/prepare-helper.ts'
import { reportOn } from '../../../device/operators/uiautomator/report.ts'
import { type CommandContext, CommandError, type CommandResult, usage } from '../command.ts'
import { programFile } from '../process.ts'
import { fieldsText, listText } from '../text/answer.ts'
import { bullets, headline, lines } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'
import { asCommandError, type OnDevice, onDevice } from './on-device.ts'

const PURPOSES = new Map<HelperApk, string>([
  [SNAPSHOT_HELPER, 'reads the screen and injects touches'],
  [KEYBOARD_HELPER, 'types text that keys cannot'],
])

const NOTES = [
  'While the helper runs, it reads all that is on the screen and can touch it. It runs when an execution uses svc.uiautomator, and for 60 s after the last one.',
  'It listens on the loopback of the phone only, without a password: until it ends, any app on the phone that may use the network can find its port and do the same. Nothing off the phone can.',
  'While it runs, all other accessibility services of the phone pause (screen readers, password managers, com.svc.operator), and uiautomator dump, Appium and the like fail.',
  'The keyboard package is switched to for one text at a time, and back; it takes text from the adb shell only.',
  'Both packages are signed with a key that is public, so svc compares their SHA-256 before each use and trusts no signature.',
  'svc.uiautomator is proved on simulated phones only, until somebody reports a real one: svc operator report.',
]

const wanted = (call: CommandContext): readonly HelperApk[] =>
  call.isOn('no-keyboard') ? [SNAPSHOT_HELPER] : HELPER_APKS
const presentOf = (facts: PhoneFacts, apk: HelperApk) => (apk === KEYBOARD_HELPER ? facts.keyboard : facts.snapshot)

/** Beside the program, and the very bytes that its source names. */
const contentOf = ({ file, sha256, packageName }: HelperApk): Uint8Array => {
  const path = join(dirname(programFile() ?? '.'), 'helper', file)
  try {
    const bytes = readFileSync(path)
    if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  throw new CommandError('OPERATOR_INSTALL_FAILED', `${path} is missing or damaged.`, {
    details: { reason: 'HELPER_FILE_DAMAGED', packageName },
    hint: 'Install svc again, or run npm run build.',
  })
}

const failureOf = (error: unknown, deviceId: string): unknown => {
  if (!(error instanceof InstallFailure)) return asCommandError(error)
  const { reason, packageName, hint, message } = error
  return new CommandError('OPERATOR_INSTALL_FAILED', message, { details: { reason, packageName, deviceId }, hint })
}

const outcome = (deviceId: string, output: object): CommandResult => ({
  ok: true,
  output: { ok: true, deviceId, operatorPackage: UIAUTOMATOR_OPERATOR_PACKAGE, ...output },
})

/** On record before the device is touched and after: processes that chose an operator for it choose again. */
const recorded = async (
  call: CommandContext,
  what: 'install' | 'uninstall',
  on: OnDevice,
  work: () => Promise<object>,
) => {
  const { deviceId, link, within } = on
  const changes = (await call.services()).operatorChanges()
  const record = (isDone: boolean) => changes.record(link, { what, deviceId, isDone }, within(OPERATOR_ASK_MS))
  await record(false)
  try {
    return await work()
  } finally {
    await record(true)
  }
}

const onOwned = async (
  call: CommandContext,
  name: string,
  work: (on: OnDevice) => Promise<object>,
): Promise<CommandResult> => {
  let deviceId = call.text('device') ?? ''
  try {
    const on = await onDevice(call)
    deviceId = on.deviceId
    return outcome(deviceId, await on.owned(`operator-${name}`, () => work(on)))
  } catch (error) {
    throw failureOf(error, deviceId)
  }
}

export const install = (call: CommandContext): Promise<CommandResult> => {
  const apks = wanted(call).map(apk => ({ apk, bytes: contentOf(apk) }))
  const installOn = async ({ deviceId, link, within }: OnDevice) => {
    const facts = await readPhoneFacts(link, within(OPERATOR_ASK_MS))
    const packages: object[] = []
    for (const { apk, bytes } of apks) {
      const { packageName, versionCode, sha256 } = apk
      call.io.note(`${deviceId}: ${packageName} ${HELPER_SOURCE.version} (${PURPOSES.get(apk)}), SHA-256 ${sha256}`)
      const present = presentOf(facts, apk)
      const status = await installHelper(link, { apk, bytes, present }, within(OPERATOR_INSTALL_MS))
      packages.push({ packageName, versionCode, sha256, purpose: PURPOSES.get(apk), status })
    }
    const after = await readPhoneFacts(link, within(OPERATOR_ASK_MS))
    const lacking = apks.find(({ apk }) => !['ours', 'newer'].includes(presentOf(after, apk).kind))
    if (lacking) {
      const { packageName } = lacking.apk
      throw new InstallFailure(packageName, 'NOT_THERE', `The phone took ${packageName} and does not have it.`)
    }
    return { packages, notes: NOTES }
  }
  return onOwned(call, 'install', on => recorded(call, 'install', on, () => installOn(on)))
}

export const uninstall = (call: CommandContext): Promise<CommandResult> =>
  onOwned(call, 'uninstall', on =>
    recorded(call, 'uninstall', on, async () => {
      const packages: object[] = []
      for (const apk of wanted(call)) {
        const status = await uninstallHelper(on.link, apk, on.within(OPERATOR_ASK_MS))
        packages.push({ packageName: apk.packageName, status })
      }
      return { packages }
    }),
  )

export const status = async (call: CommandContext): Promise<CommandResult> => {
  try {
    const { deviceId, link, within } = await onDevice(call)
    const facts = await readPhoneFacts(link, within(OPERATOR_ASK_MS))
    const holder = await automationHolder(link, within(OPERATOR_ASK_MS))
    const packages = HELPER_APKS.map(apk => {
      const { kind, ...found } = presentOf(facts, apk)
      return { packageName: apk.packageName, purpose: PURPOSES.get(apk), is: kind, ...found }
    })
    return outcome(deviceId, {
      ready: ['ours', 'newer'].includes(facts.snapshot.kind),
      running: facts.isRunning,
      ...(holder === undefined || facts.isRunning ? {} : { automationHeldBy: holder }),
      ...(facts.keyboardMark === undefined ? {} : { keyboardToRestore: facts.keyboardMark }),
      packages,
    })
  } catch (error) {
    throw asCommandError(error)
  }
}

const DEFAULT_REPORT = 'svc-operator-report.json'

const writeReport = (path: string, report: object) => {
  try {
    writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw usage(code === 'EEXIST' ? `${path} already exists: choose a new file.` : `--to: ${message}`)
  }
}

export const report = (call: CommandContext): Promise<CommandResult> => {
  const path = resolve(call.cwd, call.text('to') ?? DEFAULT_REPORT)
  if (existsSync(path)) throw usage(`${path} already exists: choose a new file.`)
  return onOwned(call, 'report', async ({ link, within }) => {
    const { clock } = call
    const interactive = await createInteractiveCheck(clock)(link, within(OPERATOR_ASK_MS))
    if (!interactive.ok) {
      const { message, details, hint } = interactive.error
      throw new CommandError('DEVICE_NOT_INTERACTIVE', message, { details, hint })
    }
    const helper = createHelper({ clock, link: async () => link })
    try {
      const measured = await reportOn({ link, helper, clock, field: call.text('field') }, within(OPERATOR_REPORT_MS))
      const versions = { svc: __SVC_VERSION__, helper: SNAPSHOT_HELPER.versionCode, node: process.versions.node }
      const written = { at: new Date(clock.now()).toISOString(), versions, ...measured }
      writeReport(path, written)
      return { path, report: written }
    } finally {
      await helper.stop()
    }
  })
}

interface HelperPackage {
  packageName: string
  status?: string
  is?: string
}

interface Helpers {
  deviceId: string
  operatorPackage: string
  packages: readonly HelperPackage[]
}

const packagesText = (page: Page, packages: readonly HelperPackage[]): string =>
  listText(page, packages, {
    as: { status: ({ status, is = '' }) => (status ?? is).replaceAll('_', ' ') },
    without: ['is'],
    first: ['packageName', 'status'],
  })

export const operatorInstalledText = (page: Page, output: Helpers & { notes: readonly string[] }): string =>
  lines(
    headline(page, 'ok', safe`${output.deviceId} has the helpers of ${output.operatorPackage}.`),
    packagesText(page, output.packages),
    bullets(page, output.notes),
    safe`To use it: --operator-package ${output.operatorPackage}`,
  )

export const operatorStatusText = (page: Page, output: Helpers & { ready: boolean; running: boolean }): string => {
  const { deviceId, operatorPackage, ready, running, packages } = output
  const state = ready ? `is ready${running ? ' and running' : ''}` : 'is not installed'
  return lines(
    headline(page, ready ? 'ok' : 'warning', safe`${operatorPackage} ${state} on ${deviceId}.`),
    packagesText(page, packages),
    fieldsText(page, output, {
      as: { next: () => (ready ? '' : 'svc operator install') },
      without: ['ok', 'deviceId', 'operatorPackage', 'ready', 'running', 'packages'],
    }),
  )
}

export const operatorUninstalledText = (page: Page, { deviceId, packages }: Helpers): string =>
  lines(headline(page, 'ok', safe`${deviceId} is without these helpers.`), packagesText(page, packages))

interface Timed {
  ok: number
  failures: readonly string[]
  ms: { least: number; median: number; most: number } | null
}

interface Measured {
  path: string
  deviceId: string
  report: { start: Timed; snapshots: Timed; taps: Timed; text: { status: string; reason?: string; ms?: number } }
}

const timedText = ({ ok, failures, ms }: Timed): string => {
  const times = ms ? `, ${duration(ms.median)} in the middle (${duration(ms.least)} to ${duration(ms.most)})` : ''
  return `${ok} ok${times}${failures.length > 0 ? `, ${failures.length} failed: ${failures[0]}` : ''}`
}

export const operatorReportText = (page: Page, { path, deviceId, report }: Measured): string => {
  const { status, ms, reason } = report.text
  const typed = [status, ms === undefined ? undefined : `in ${duration(ms)}`, reason]
  return lines(
    headline(page, 'ok', safe`Measured ${deviceId}; the report is ${path}`),
    fieldsText(page, {
      start: timedText(report.start),
      snapshots: timedText(report.snapshots),
      taps: timedText(report.taps),
      typing: typed.filter(part => part !== undefined).join(', '),
    }),
  )
}
