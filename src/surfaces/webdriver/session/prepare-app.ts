/**
 * Brings the app under test to where its suite expects it: installed, reset and in front, each by an execution of the
 * session; and the session into its web view, where the capability autoWebview asks for that.
 */

import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { readAppFile } from '../../../service/app-file.ts'
import type { Service } from '../../../service/service.ts'
import type { AppUnderTest, SessionWish } from './capabilities.ts'
import type { LiveSession, Performed, PerformOptions, SessionStep } from './live-session.ts'

const PREFIX = 'WEBVIEW_'
/** Appium waits as long. */
const WAIT_MS = 2_000

/** Why the session cannot begin there; undefined where it does, and where that was not asked for. */
export const beginInWebView = async (
  session: LiveSession,
  { capabilities }: Pick<SessionWish, 'capabilities'>,
  applicationId: string | undefined,
): Promise<ErrorObject | undefined> => {
  if (capabilities['appium:autoWebview'] !== true) return undefined
  const webViewName = capabilities['appium:autoWebviewName']
  const wanted = typeof webViewName === 'string' ? webViewName.trim() : applicationId
  const name = wanted && (wanted.startsWith(PREFIX) ? wanted : `${PREFIX}${wanted}`)
  const asWished = capabilities['appium:autoWebviewTimeout']
  const waitMs = typeof asWished === 'number' ? asWished : WAIT_MS
  if (name === undefined)
    return failure('PAGE_NOT_FOUND', 'appium:autoWebview needs an application: name it by appium:appPackage.')
  try {
    const { switchContext, whenThere } = await import('../web/contexts.ts')
    await whenThere(session, name, waitMs)
    await switchContext(session, name)
    return undefined
  } catch (error) {
    const message = `appium:autoWebview found no page of ${name} within ${waitMs} ms. ${messageOf(error)}`
    return failure('PAGE_NOT_FOUND', message, {
      hint: 'Wait longer by appium:autoWebviewTimeout, or leave appium:autoWebview out and switch once the page is shown.',
      details: { dispatched: false },
    })
  }
}

/** An APK takes its time over a slow cable. */
const INSTALL_MS = 120_000
const LAUNCH_MS = 60_000

export type AppPrepared =
  | { readonly ok: true; readonly applicationId: string | undefined }
  | { readonly ok: false; readonly error: ErrorObject; readonly executionId?: string | undefined }

export interface PrepareOptions {
  readonly service: Pick<Service, 'apps.get'>
  readonly deviceId: string
  readonly fileRoots: readonly string[] | undefined
  readonly call: () => Parameters<Service['apps.get']>[1]
  /** `what` is on record with the id of the execution before the phone is asked. */
  perform(what: string, steps: readonly SessionStep[], options: PerformOptions): Promise<Performed>
}

type Installed = { ok: true; versionCode: number | undefined } | { ok: false; error: ErrorObject } | undefined

/** Undefined for an application that is not there. */
const installedVersion = async (
  applicationId: string,
  { service, deviceId, call }: PrepareOptions,
): Promise<Installed> => {
  const found = await service['apps.get']({ deviceId, applicationId }, call())
  if (found.ok) return { ok: true, versionCode: found.value.app.versionCode }
  return found.error.code === 'APP_NOT_FOUND' ? undefined : found
}

const failedAs = ({ error, executionId }: Extract<Performed, { ok: false }>): AppPrepared => ({
  ok: false,
  error,
  executionId,
})

/** Installs the APK unless the same version is there; `isFresh` says that the app has no data. */
const installed = async (
  app: AppUnderTest & { apk: string },
  options: PrepareOptions,
): Promise<Extract<AppPrepared, { ok: false }> | { ok: true; applicationId: string; isFresh: boolean }> => {
  const file = await readAppFile(app.apk, options.fileRoots)
  if (!file.ok) return file
  const { applicationId } = file
  const there = await installedVersion(applicationId, options)
  if (there && !there.ok) return there
  const isSame = there !== undefined && there.versionCode === file.versionCode
  const isRemoved = app.reset === 'full' && there !== undefined
  if (isRemoved) {
    const removed = await options.perform('uninstall', [{ type: 'uninstall_app', params: { applicationId } }], {
      timeoutMs: LAUNCH_MS,
    })
    if (!removed.ok) return failedAs(removed) as Extract<AppPrepared, { ok: false }>
  }
  if (isSame && !isRemoved) return { ok: true, applicationId, isFresh: false }
  const params = { paths: [app.apk], grantPermissions: app.grantsPermissions, downgrade: !isRemoved }
  const done = await options.perform('install', [{ type: 'install_app', params }], { timeoutMs: INSTALL_MS })
  if (!done.ok) return failedAs(done) as Extract<AppPrepared, { ok: false }>
  return { ok: true, applicationId, isFresh: there === undefined || isRemoved }
}

const stepsFor = (app: AppUnderTest, applicationId: string, isFresh: boolean): SessionStep[] => {
  const resets = app.reset !== 'none' && !isFresh
  const granted = { all: 'allow' } as const
  return [
    ...(resets
      ? [
          { type: 'close_app', params: { applicationId } },
          { type: 'clear_app', params: { applicationId } },
        ]
      : []),
    ...(app.grantsPermissions && !app.launches
      ? [{ type: 'set_permission', params: { applicationId, permission: 'all', state: granted.all } }]
      : []),
    ...(app.launches
      ? [
          // The last session may have left it open, over every app.
          { type: 'collapse_shade' },
          {
            type: 'open_app',
            params: {
              applicationId,
              ...(app.activity === undefined ? {} : { activity: app.activity }),
              ...(app.grantsPermissions ? { permissions: granted } : {}),
            },
          },
        ]
      : []),
  ]
}

export const prepareApp = async (app: AppUnderTest, options: PrepareOptions): Promise<AppPrepared> => {
  const { apk } = app
  const there = apk === undefined ? undefined : await installed({ ...app, apk }, options)
  if (there && !there.ok) return there
  const applicationId = app.applicationId ?? there?.applicationId
  if (applicationId === undefined) return { ok: true, applicationId }
  const steps = stepsFor(app, applicationId, there?.isFresh ?? false)
  if (steps.length === 0) return { ok: true, applicationId }
  const done = await options.perform('launch', steps, { timeoutMs: LAUNCH_MS })
  return done.ok ? { ok: true, applicationId } : failedAs(done)
}
