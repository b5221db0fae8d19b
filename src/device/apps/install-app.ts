/** install_app: the APKs of one application go through the link into the package manager of the user in front. */

import type { TellProgress } from '../../contracts/records/actor.ts'
import type { Timer } from '../../runtime/clock.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import type { FileRoots } from '../files/file-roots.ts'
import { freeSpace } from '../free-space.ts'
import { type Link, LinkError } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import {
  CALL_MS,
  type DeviceShell,
  deviceShell,
  isTimeout,
  type ShellOptions,
} from '../operators/shell/device-shell.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { type ApkFile, contentOf, withApks } from './apk-files.ts'
import { askApp } from './ask-app.ts'
import { currentUser } from './current-user.ts'
import { installLine, readAnswer } from './install-command.ts'
import { installHint } from './install-hints.ts'

export interface InstallStepOptions extends ShellOptions {
  link: Link
  /** Throws a StepFailure when this host may no longer act on the phone. */
  mayAct?: (() => void) | undefined
  told?: TellProgress | undefined
  /** The folders below which the caller may name files of this host; undefined for one who may name any. */
  fileRoots?: FileRoots
}

export interface InstallParams {
  paths: readonly string[]
  grantPermissions: boolean
  downgrade: boolean
}

/** The package manager keeps it beside what is installed; both lie on one filesystem with this folder. */
const STORAGE = '/data/local/tmp'
const FULL = 'INSTALL_FAILED_INSUFFICIENT_STORAGE'

const makerOf = async (shell: DeviceShell): Promise<string> => {
  const line = commandLine('getprop', 'ro.product.manufacturer')
  const answer = await shell.ask(line, { maxBytes: OUTPUT_BYTES_MAX.word }).catch((error: unknown) => {
    // The hint is the poorer for it, and the failure the same.
    if (error instanceof LinkError && error.code !== 'LINK_CANCELLED') return { stdout: '' }
    throw error
  })
  return answer.stdout.trim()
}

const refusal = async (shell: DeviceShell, reason: string | undefined, why: string): Promise<StepFailure> => {
  const hint = installHint(reason, await makerOf(shell))
  return new StepFailure('INSTALL_FAILED', why, { data: reason === undefined ? {} : { reason }, hint })
}

const bytesOf = (apks: readonly ApkFile[]): number => apks.reduce((sum, { bytes }) => sum + bytes, 0)

const requireRoom = async (shell: DeviceShell, apks: readonly ApkFile[]): Promise<void> => {
  const needed = bytesOf(apks)
  const free = await freeSpace(shell, STORAGE)
  if (free === undefined || needed <= free) return
  throw await refusal(shell, FULL, `the APKs have ${needed} bytes, and the device has ${free} free; nothing was sent`)
}

const MEBIBYTE = 1_024 * 1_024
const MORE_TIME = 'Give the execution a longer `timeoutMs`, or use a faster connection.'

/** An APK that is not whole cannot have been installed; else nobody knows, and the execution says so. */
const unlessWhole = (sent: () => number, total: number) => (error: unknown) => {
  if (!isTimeout(error) || sent() >= total) throw error
  const [done, all] = [sent(), total].map(bytes => (bytes / MEBIBYTE).toFixed(1))
  const why = `the time of the execution was over when ${done} of ${all} MiB were sent; nothing was installed`
  throw new StepFailure('INSTALL_FAILED', why, { hint: MORE_TIME })
}

/** Until the first byte leaves, files are read and the phone is asked: a time that is over then is no doubt. */
const beforeSending =
  ({ clock, deadline, signal }: Pick<InstallStepOptions, 'clock' | 'deadline' | 'signal'>) =>
  async <T>(work: Promise<T>): Promise<T> => {
    const late = new StepFailure(
      'INSTALL_FAILED',
      'the time of the execution was over before anything was sent; nothing was installed',
      { hint: MORE_TIME },
    )
    let timer: Timer | undefined
    const end = new Promise<never>((_, reject) => {
      timer = clock.at(deadline, () => reject(late))
    })
    try {
      return await Promise.race([work, end])
    } catch (error) {
      throw isTimeout(error) && !signal.aborted && clock.now() >= deadline ? late : error
    } finally {
      timer?.cancel()
    }
  }

const send = async (apks: readonly ApkFile[], user: string, params: InstallParams, options: InstallStepOptions) => {
  const { link, deadline, signal, told: tellProgress = () => {}, mayAct = () => {} } = options
  const testOnly = apks.some(({ apk }) => apk.testOnly)
  const line = installLine(
    apks.map(({ bytes }) => bytes),
    { ...params, user, testOnly },
  )
  let sent = 0
  const stdin = contentOf(apks, progress => {
    // The phone may change its owner meanwhile: without its last bytes it drops the others.
    mayAct()
    sent = progress.done
    tellProgress(progress)
  })
  // A person may be asked on the phone: the answer has all the time of the execution.
  const reply = link.shell(line, { stdin, deadline, signal, maxBytes: OUTPUT_BYTES_MAX.report })
  return readAnswer(await reply.catch(unlessWhole(() => sent, bytesOf(apks))))
}

const install = async (apks: readonly ApkFile[], params: InstallParams, options: InstallStepOptions) => {
  const { link, clock, deadline, signal, mayAct = () => {} } = options
  const { packageName = '', versionCode } = apks[0]?.apk ?? {}
  const shell = deviceShell(link, options)
  const call = () => ({ deadline: Math.min(deadline, clock.now() + CALL_MS), signal })
  const inTime = beforeSending(options)
  const user = await inTime(currentUser(link, call()))
  const before = await inTime(askApp(link, call(), packageName))
  await inTime(requireRoom(shell, apks))
  mayAct()
  const answer = await send(apks, user, params, options)
  if (!answer.ok) throw await refusal(shell, answer.reason, `the device refused ${packageName}: ${answer.why}`)
  const installed = (await askApp(link, call(), packageName))?.app
  if (!installed) throw new StepFailure('INSTALL_FAILED', `the device said Success, and has no ${packageName}`)
  if (installed.versionCode !== undefined && installed.versionCode !== versionCode) {
    const has = `the device said Success, and has version code ${installed.versionCode} of ${packageName}`
    throw new StepFailure('INSTALL_FAILED', `${has} where ${versionCode} was sent`)
  }
  return {
    application_id: packageName,
    version_name: installed.versionName ?? '',
    version_code: String(installed.versionCode ?? versionCode),
    replaced: String(before !== undefined),
  }
}

export const installApp = (params: InstallParams, options: InstallStepOptions): Promise<Record<string, string>> =>
  withApks({ paths: params.paths, roots: options.fileRoots, inTime: beforeSending(options) }, apks =>
    install(apks, params, options),
  )
