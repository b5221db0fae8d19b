/** The `mobile:` methods about permissions of applications. */

import { mobileMethod } from '../commands/command.ts'
import { invalid, oneOf, oneOrMore, optional, someText, unsupported } from '../protocol/arguments.ts'
import { answerOf, deviceOf, type LiveSession } from '../session/live-session.ts'

/** The one that is named, else the one under test, else the one in front. */
const appOf = async (session: LiveSession, appPackage: string | undefined): Promise<string> => {
  const underTest = session.capabilities['appium:appPackage']
  const applicationId =
    appPackage ?? (typeof underTest === 'string' ? underTest : undefined) ?? (await deviceOf(session)).frontApp
  if (applicationId === undefined) throw invalid('The argument appPackage is needed: no application is in front.')
  return applicationId
}

/** `pm revoke` leaves nobody's answer behind: the application may ask again. */
const STATES = { grant: 'allow', allow: 'allow', revoke: 'unset', deny: 'deny', default: 'unset' } as const
const ACTIONS = ['grant', 'revoke', 'allow', 'deny', 'default'] as const
const TARGETS = ['pm', 'appops'] as const

export const changePermissions = mobileMethod({
  name: 'changePermissions',
  summary: 'Grants or revokes permissions, by full name or all. revoke lets the application ask again; deny does not.',
  args: {
    permissions: oneOrMore,
    appPackage: optional(someText),
    action: optional(oneOf(ACTIONS)),
    target: optional(oneOf(TARGETS)),
  },
  async run(session, { permissions, appPackage, action = 'grant', target = 'pm' }) {
    if (target === 'appops')
      throw unsupported('The target appops is not supported. Name permissions of the package manager (target pm).')
    if (permissions.length === 0) throw invalid('The argument permissions of mobile: changePermissions is empty.')
    const applicationId = await appOf(session, appPackage)
    const state = STATES[action]
    await session.act(
      permissions.map(permission => ({ type: 'set_permission', params: { applicationId, permission, state } })),
    )
    return null
  },
})

const KINDS = ['requested', 'granted', 'denied'] as const

export const getPermissions = mobileMethod({
  name: 'getPermissions',
  summary: 'The permissions of an application that a person can allow and deny: all (requested), granted or denied.',
  args: { type: optional(oneOf(KINDS)), appPackage: optional(someText) },
  async run(session, { type = 'requested', appPackage }) {
    const { service, deviceId } = session
    const applicationId = await appOf(session, appPackage)
    const { permissions } = answerOf(await service['apps.get']({ deviceId, applicationId }, session.call())).app
    return permissions
      .filter(({ granted }) => type === 'requested' || granted === (type === 'granted'))
      .map(({ permission }) => permission)
  },
})

export const PERMISSION_METHODS = [changePermissions, getPermissions]
