/** Failures of emulators and of the tools behind them, as they travel in events and as they are answered. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type FailureCode, failure, isFailureCode } from '../../contracts/failures/failures.ts'
import type { PortTools } from '../../runtime/port.ts'
import type { SdkTool } from './sdk.ts'

export interface EmulatorFailure {
  code: FailureCode
  message: string
  /** JSON; its `hint` becomes that of the answer. */
  details: Readonly<Record<string, unknown>>
}

export const emulatorFailure = (
  code: FailureCode,
  message: string,
  details: EmulatorFailure['details'] = {},
): EmulatorFailure => ({ code, message, details })

export const failedWith = async ({ send }: PortTools, failed: EmulatorFailure): Promise<void> =>
  void (await send({ type: 'tool.failed', ...failed }))

const recordOf = (details: unknown): Record<string, unknown> =>
  typeof details === 'object' && details !== null && !Array.isArray(details) ? { ...details } : {}

export const asError = (failed: { code: string; message: string; details: unknown }, avdName?: string): ErrorObject => {
  const { hint, ...details } = recordOf(failed.details)
  const named = avdName === undefined ? details : { avdName, ...details }
  return failure(isFailureCode(failed.code) ? failed.code : 'INTERNAL_ERROR', failed.message, {
    ...(Object.keys(named).length === 0 ? {} : { details: named }),
    ...(typeof hint === 'string' ? { hint } : {}),
  })
}

const PLACES: Readonly<Record<SdkTool, string>> = {
  adb: 'ADB_PATH',
  emulator: 'EMULATOR_PATH',
  avdmanager: 'AVDMANAGER_PATH',
  sdkmanager: 'SDKMANAGER_PATH',
}

const SDK_URL = 'https://developer.android.com/studio#command-line-tools-only'

export const toolsMissing = (missing: readonly SdkTool[]): EmulatorFailure =>
  emulatorFailure(
    'ANDROID_SDK_TOOL_MISSING',
    `${missing.join(', ')} ${missing.length === 1 ? 'was' : 'were'} not found.`,
    {
      missingTools: missing,
      hint: `Get the command-line tools of the Android SDK from ${SDK_URL}, put them below <sdk>/cmdline-tools/latest, set ANDROID_HOME to that <sdk>, and run sdkmanager platform-tools emulator; or set ${missing.map(tool => PLACES[tool]).join(', ')}. More is said by svc doctor.`,
    },
  )
