/**
 * Every command that is no block and no script, with what performs it; the commands on applications and links are
 * performed here.
 */

import type { PermissionStates } from '../language/command.ts'
import type { PhoneStep } from '../phones.ts'
import { MARGIN_MS, type Perform, passed, settle } from './commands.ts'
import { ASSERTIONS } from './perform-assert.ts'
import { DEVICE } from './perform-device.ts'
import { MEDIA } from './perform-media.ts'
import { TOUCHES } from './perform-touch.ts'

const UNSET: PermissionStates = { all: 'unset' }
const LAUNCH_MS = 3 * MARGIN_MS

/** Flows are written for several applications and platforms: a permission that this one does not ask for is passed over. */
const IF_REQUESTED = { ifRequested: true }

const permissionSteps = (applicationId: string, permissions: PermissionStates): PhoneStep[] =>
  Object.entries(permissions).map(([permission, state]) => ({
    type: 'set_permission',
    params: { applicationId, permission, state, ...(permission === 'all' ? {} : IF_REQUESTED) },
  }))

const has = (entries: object) => Object.keys(entries).length > 0

const isOnlyAll = (permissions: PermissionStates) => Object.keys(permissions).every(name => name === 'all')

type AppCommand = 'launchApp' | 'stopApp' | 'killApp' | 'clearState' | 'clearKeychain' | 'setPermissions' | 'openLink'

const APPS = {
  async launchApp({ appId, clearState, stopApp, permissions, arguments: extras }, context) {
    const params = {
      applicationId: appId,
      clearState,
      stopFirst: stopApp,
      ...(has(permissions) ? { permissions, ...(isOnlyAll(permissions) ? {} : IF_REQUESTED) } : {}),
      ...(has(extras) ? { arguments: extras } : {}),
    }
    passed(await context.call([{ type: 'open_app', params }, settle()], { timeoutMs: LAUNCH_MS, observe: true }))
  },
  async stopApp({ appId }, context) {
    const params = { applicationId: appId }
    passed(await context.call([{ type: 'close_app', params }, settle()], { timeoutMs: MARGIN_MS, observe: true }))
  },
  async killApp({ appId }, context) {
    const params = { applicationId: appId, background: true }
    passed(await context.call([{ type: 'close_app', params }, settle()], { timeoutMs: MARGIN_MS, observe: true }))
  },
  async clearState({ appId }, context) {
    const steps = [{ type: 'clear_app', params: { applicationId: appId } }, ...permissionSteps(appId, UNSET)]
    passed(await context.call(steps, { timeoutMs: LAUNCH_MS }))
  },
  /** Android has none. */
  async clearKeychain() {},
  async setPermissions({ appId, permissions }, context) {
    if (has(permissions)) passed(await context.call(permissionSteps(appId, permissions), { timeoutMs: LAUNCH_MS }))
  },
  async openLink({ link, browser }, context) {
    const params = { uri: link, ...(browser ? { browser } : {}) }
    passed(await context.call([{ type: 'open_uri', params }, settle()], { timeoutMs: LAUNCH_MS, observe: true }))
  },
} satisfies { [Name in AppCommand]: Perform<Name> }

export const PERFORMERS = { ...APPS, ...ASSERTIONS, ...DEVICE, ...MEDIA, ...TOUCHES }
