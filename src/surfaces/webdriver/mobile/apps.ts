/** The `mobile:` methods about applications. */

import { mobileMethod } from '../commands/command.ts'
import {
  type Entries,
  flag,
  invalid,
  number,
  oneOrMore,
  optional,
  someText,
  unsupported,
} from '../protocol/arguments.ts'
import { webDriverErrorOf } from '../protocol/failure-error.ts'
import { answerOf, deviceOf, type LiveSession, outcomeOf, type SessionStep } from '../session/live-session.ts'

/** As Appium counts them. */
const APP_STATE = { notInstalled: 0, notRunning: 1, background: 3, front: 4 } as const

const NOT_FOUND = 'APP_NOT_FOUND'

/** Some clients name the same argument for both platforms. */
const appEntries = { appId: optional(someText), bundleId: optional(someText) } satisfies Entries

export const appIn = ({ appId, bundleId }: { appId?: string | undefined; bundleId?: string | undefined }): string => {
  const applicationId = appId ?? bundleId
  if (applicationId === undefined) throw invalid('The argument appId is needed: the package of the application.')
  return applicationId
}

const open = (applicationId: string): SessionStep => ({ type: 'open_app', params: { applicationId } })

export const activateApp = mobileMethod({
  name: 'activateApp',
  summary: 'Brings an application to the front, and starts it where it does not run.',
  args: { ...appEntries },
  async run(session, args) {
    await session.act([open(appIn(args))])
    return null
  },
})

export const appState = async (session: LiveSession, applicationId: string): Promise<number> => {
  const { service, deviceId } = session
  const answer = await service['apps.frames']({ deviceId, applicationId }, session.call())
  if (!answer.ok && answer.error.code === NOT_FOUND) return APP_STATE.notInstalled
  if (!answerOf(answer).frames.running) return APP_STATE.notRunning
  const { frontApp } = await deviceOf(session)
  return frontApp === applicationId ? APP_STATE.front : APP_STATE.background
}

export const queryAppState = mobileMethod({
  name: 'queryAppState',
  summary: 'Answers 0 for an application that is not installed, 1 not running, 3 in the background, 4 in front.',
  args: { ...appEntries },
  run: (session, args) => appState(session, appIn(args)),
})

export const terminateApp = mobileMethod({
  name: 'terminateApp',
  summary: 'Ends an application; answers false for one that did not run. timeout is accepted: the end is immediate.',
  args: { ...appEntries, timeout: optional(number), options: optional(someText) },
  async run(session, args) {
    const applicationId = appIn(args)
    if ((await appState(session, applicationId)) <= APP_STATE.notRunning) return false
    await session.act([{ type: 'close_app', params: { applicationId } }])
    return true
  },
})

export const isAppInstalled = mobileMethod({
  name: 'isAppInstalled',
  summary: 'True where the user in front has the application.',
  args: { ...appEntries },
  async run(session, args) {
    const { service, deviceId } = session
    const answer = await service['apps.get']({ deviceId, applicationId: appIn(args) }, session.call())
    if (!answer.ok && answer.error.code === NOT_FOUND) return false
    return answerOf(answer) !== undefined
  },
})

/** An installation sends up to some hundred megabytes. */
const INSTALL_MS = 120_000

const URL = /^[a-z][a-z\d+.-]*:\/\//i

const install = async (session: LiveSession, paths: readonly string[], isGranting = false): Promise<null> => {
  const address = paths.find(path => URL.test(path))
  if (address !== undefined)
    throw invalid(`${address} is an address. Download it, and name the APK by its path at the host of this server.`)
  await session.act([{ type: 'install_app', params: { paths, grantPermissions: isGranting } }], {
    timeoutMs: INSTALL_MS,
  })
  return null
}

const installOptions = {
  grantPermissions: optional(flag),
  allowTestPackages: optional(flag),
  replace: optional(flag),
  timeout: optional(number),
} satisfies Entries

interface Replacing {
  replace?: boolean | undefined
}

const refuseKeeping = ({ replace }: Replacing) => {
  if (replace === false)
    throw unsupported(
      'replace: false is not supported: an installation replaces what is there. Ask isAppInstalled first.',
    )
}

export const installApp = mobileMethod({
  name: 'installApp',
  summary: 'Installs an APK of the host, named by its path. It replaces an earlier version and keeps its data.',
  args: { appPath: someText, ...installOptions },
  run(session, { appPath, ...options }) {
    refuseKeeping(options)
    return install(session, [appPath], options.grantPermissions)
  },
})

export const installMultipleApks = mobileMethod({
  name: 'installMultipleApks',
  summary: 'Installs the base and the splits of one application.',
  args: { apks: oneOrMore, ...installOptions },
  run(session, { apks, ...options }) {
    refuseKeeping(options)
    return install(session, apks, options.grantPermissions)
  },
})

export const removeApp = mobileMethod({
  name: 'removeApp',
  summary: 'Uninstalls an application; answers false where it is not installed.',
  args: { ...appEntries, keepData: optional(flag), timeout: optional(number), skipInstallCheck: optional(flag) },
  async run(session, { keepData = false, ...args }) {
    const params = { applicationId: appIn(args), keepData }
    return (await outcomeOf(session, [{ type: 'uninstall_app', params }], [NOT_FOUND])).ok
  },
})

export const clearApp = mobileMethod({
  name: 'clearApp',
  summary: 'Removes the data of an application.',
  args: { ...appEntries },
  async run(session, args) {
    await session.act([{ type: 'clear_app', params: { applicationId: appIn(args) } }])
    return null
  },
})

export const listApps = mobileMethod({
  name: 'listApps',
  summary: 'The applications of the user in front, by package.',
  args: {},
  async run(session) {
    const { apps } = answerOf(await session.service['apps.list']({ deviceId: session.deviceId }, session.call()))
    return Object.fromEntries(
      apps.map(({ applicationId, kind, versionCode }) => [applicationId, { kind, versionCode: versionCode ?? null }]),
    )
  },
})

/** One step sleeps no longer, and one execution lasts no longer. */
const BACKGROUND_SECONDS_MAX = 100
const MS = 1_000
const AROUND_MS = 20_000

export const backgroundApp = mobileMethod({
  name: 'backgroundApp',
  summary: `Shows the home screen, waits so many seconds (at most ${BACKGROUND_SECONDS_MAX}), and brings the application back; with a negative number it stays in the background.`,
  args: { seconds: optional(number) },
  async run(session, { seconds = -1 }) {
    const home: SessionStep = { type: 'press_key', params: { key: 'home' } }
    if (seconds < 0) {
      await session.act([home])
      return null
    }
    if (seconds > BACKGROUND_SECONDS_MAX)
      throw invalid(`The argument seconds of mobile: backgroundApp must be at most ${BACKGROUND_SECONDS_MAX}.`)
    const { frontApp } = await deviceOf(session)
    if (frontApp === undefined) throw webDriverErrorOf({ code: NOT_FOUND, message: 'No application is in front.' })
    const wait: SessionStep = { type: 'sleep', params: { durationMs: Math.round(seconds * MS) } }
    await session.act([home, wait, open(frontApp)], { timeoutMs: Math.round(seconds * MS) + AROUND_MS })
    return null
  },
})

export const APP_METHODS = [
  activateApp,
  terminateApp,
  queryAppState,
  isAppInstalled,
  installApp,
  installMultipleApks,
  removeApp,
  clearApp,
  listApps,
  backgroundApp,
]
