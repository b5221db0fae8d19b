/** The helpers of svc.uiautomator on a device: looked at, installed, removed and measured. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UIAUTOMATOR_OPERATOR_PACKAGE } from '../../contracts/device/operator.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { OPERATOR_ASK_MS, OPERATOR_INSTALL_MS, OPERATOR_REPORT_MS } from '../../contracts/limits/limits.ts'
import type { OperatorChanges } from '../../device/operators/choose-operator.ts'
import { createHelper } from '../../device/operators/uiautomator/helper.ts'
import {
  HELPER_APKS,
  HELPER_SOURCE,
  type HelperApk,
  KEYBOARD_HELPER,
  SNAPSHOT_HELPER,
} from '../../device/operators/uiautomator/helper-apks.ts'
import { InstallFailure, installHelper, uninstallHelper } from '../../device/operators/uiautomator/install.ts'
import { type PhoneFacts, readPhoneFacts } from '../../device/operators/uiautomator/installed.ts'
import { automationHolder } from '../../device/operators/uiautomator/prepare-helper.ts'
import { reportOn } from '../../device/operators/uiautomator/report.ts'
import { failed, success } from '../service.ts'
import {
  notInteractive,
  type OperatorCall,
  type OperatorDeps,
  onDevice,
  onOwnedDevice,
  type ReachedDevice,
} from './owned-device.ts'

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

export interface HelperDeps extends OperatorDeps {
  version: string
  operatorChanges(): OperatorChanges
  /** The program file of this svc, beside which the packages are. */
  program: string | undefined
}

interface WrittenApk {
  apk: HelperApk
  bytes: Uint8Array
}

const wanted = (hasKeyboard: boolean): readonly HelperApk[] => (hasKeyboard ? HELPER_APKS : [SNAPSHOT_HELPER])
const presentOf = (facts: PhoneFacts, apk: HelperApk) => (apk === KEYBOARD_HELPER ? facts.keyboard : facts.snapshot)
const isUsable = (facts: PhoneFacts, apk: HelperApk) => ['ours', 'newer'].includes(presentOf(facts, apk).kind)

/** The very bytes that the source of the packages names; undefined for a file that is missing or damaged. */
const contentOf = (path: string, { sha256 }: HelperApk): Uint8Array | undefined => {
  try {
    const bytes = readFileSync(path)
    return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

const damaged = (path: string, { packageName }: HelperApk) =>
  failed(
    failure('OPERATOR_INSTALL_FAILED', `${path} is missing or damaged.`, {
      details: { reason: 'HELPER_FILE_DAMAGED', packageName },
      hint: 'Install svc again, or run npm run build.',
    }),
  )

const done = <T extends object>(deviceId: string, value: T) =>
  success({ ok: true as const, deviceId, operatorPackage: UIAUTOMATOR_OPERATOR_PACKAGE, ...value })

export const helperRequests = (deps: HelperDeps) => {
  const { clock, note, program } = deps

  /** On record before the device is touched and after: processes that chose an operator for it choose again. */
  const changing = <T extends object>(
    what: 'install' | 'uninstall',
    call: OperatorCall,
    change: (device: ReachedDevice) => Promise<T>,
  ) =>
    onOwnedDevice(deps, { ...call, commandId: `operator-${what}` }, async device => {
      const { deviceId, link, within } = device
      const record = (isDone: boolean) =>
        deps.operatorChanges().record(link, { what, deviceId, isDone }, within(OPERATOR_ASK_MS))
      await record(false)
      try {
        return done(deviceId, await change(device))
      } catch (error) {
        if (!(error instanceof InstallFailure)) throw error
        const { reason, packageName, hint, message } = error
        const details = { reason, packageName, deviceId }
        return failed(failure('OPERATOR_INSTALL_FAILED', message, { details, hint }))
      } finally {
        await record(true)
      }
    })

  const installOn = async ({ deviceId, link, within }: ReachedDevice, apks: readonly WrittenApk[]) => {
    const facts = await readPhoneFacts(link, within(OPERATOR_ASK_MS))
    const packages: object[] = []
    for (const { apk, bytes } of apks) {
      const { packageName, versionCode, sha256 } = apk
      note(`${deviceId}: ${packageName} ${HELPER_SOURCE.version} (${PURPOSES.get(apk)}), SHA-256 ${sha256}`)
      const present = presentOf(facts, apk)
      const status = await installHelper(link, { apk, bytes, present }, within(OPERATOR_INSTALL_MS))
      packages.push({ packageName, versionCode, sha256, purpose: PURPOSES.get(apk), status })
    }
    const after = await readPhoneFacts(link, within(OPERATOR_ASK_MS))
    const lacking = apks.find(({ apk }) => !isUsable(after, apk))
    if (lacking) {
      const { packageName } = lacking.apk
      throw new InstallFailure(packageName, 'NOT_THERE', `The phone took ${packageName} and does not have it.`)
    }
    return { packages, notes: NOTES }
  }

  return {
    async install(call: OperatorCall & { hasKeyboard: boolean }) {
      const apks: WrittenApk[] = []
      for (const apk of wanted(call.hasKeyboard)) {
        const path = join(dirname(program ?? '.'), 'helper', apk.file)
        const bytes = contentOf(path, apk)
        if (!bytes) return damaged(path, apk)
        apks.push({ apk, bytes })
      }
      return changing('install', call, device => installOn(device, apks))
    },
    uninstall: (call: OperatorCall & { hasKeyboard: boolean }) =>
      changing('uninstall', call, async ({ link, within }) => {
        const packages: object[] = []
        for (const apk of wanted(call.hasKeyboard)) {
          const status = await uninstallHelper(link, apk, within(OPERATOR_ASK_MS))
          packages.push({ packageName: apk.packageName, status })
        }
        return { packages }
      }),
    status: (call: OperatorCall) =>
      onDevice(deps, call, async ({ deviceId, link, within }) => {
        const facts = await readPhoneFacts(link, within(OPERATOR_ASK_MS))
        const holder = await automationHolder(link, within(OPERATOR_ASK_MS))
        const packages = HELPER_APKS.map(apk => {
          const { kind, ...found } = presentOf(facts, apk)
          return { packageName: apk.packageName, purpose: PURPOSES.get(apk), is: kind, ...found }
        })
        return done(deviceId, {
          ready: isUsable(facts, SNAPSHOT_HELPER),
          running: facts.isRunning,
          ...(holder === undefined || facts.isRunning ? {} : { automationHeldBy: holder }),
          ...(facts.keyboardMark === undefined ? {} : { keyboardToRestore: facts.keyboardMark }),
          packages,
        })
      }),
    /** `field` is the resource id of a field that takes text. */
    report: (call: OperatorCall & { field: string | undefined }) =>
      onOwnedDevice(deps, { ...call, commandId: 'operator-report' }, async device => {
        const { deviceId, link, within } = device
        const asleep = await notInteractive(clock, device)
        if (asleep) return failed(asleep)
        const helper = createHelper({ clock, link: async () => link })
        try {
          const measured = await reportOn({ link, helper, clock, field: call.field }, within(OPERATOR_REPORT_MS))
          const versions = { svc: deps.version, helper: SNAPSHOT_HELPER.versionCode, node: process.versions.node }
          return done(deviceId, { report: { at: new Date(clock.now()).toISOString(), versions, ...measured } })
        } finally {
          await helper.stop()
        }
      }),
  }
}
