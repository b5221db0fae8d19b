/** The `mobile:` methods about what the system lies over applications: shade, notifications and dialogs. */
import type { Notification } from '../../../contracts/device/notifications.ts'
import { mobileMethod } from '../commands/command.ts'
import { oneOf, optional, someText } from '../protocol/arguments.ts'
import { answerOf, type LiveSession, type SessionStep } from '../session/live-session.ts'

const expand = (shade: 'notifications' | 'quick_settings'): SessionStep => ({ type: 'expand_shade', params: { shade } })

export const openNotifications = mobileMethod({
  name: 'openNotifications',
  summary: 'Opens the notification shade.',
  args: {},
  async run(session) {
    await session.act([expand('notifications')])
    return null
  },
})

const BAR_COMMANDS = ['expandNotifications', 'expandSettings', 'collapse'] as const
const BAR_STEPS: Readonly<Record<(typeof BAR_COMMANDS)[number], SessionStep>> = {
  expandNotifications: expand('notifications'),
  expandSettings: expand('quick_settings'),
  collapse: { type: 'collapse_shade' },
}

export const statusBar = mobileMethod({
  name: 'statusBar',
  summary: 'Opens the notification shade or the quick settings, or closes them.',
  args: { command: oneOf(BAR_COMMANDS) },
  async run(session, { command }) {
    await session.act([BAR_STEPS[command]])
    return ''
  },
})

/** As Appium answers it; null for what svc does not know. */
const statusBarNotification = (one: Notification) => ({
  packageName: one.applicationId,
  id: one.id,
  tag: one.tag ?? null,
  key: one.key,
  isOngoing: one.ongoing,
  isClearable: !one.ongoing,
  postTime: one.at ?? null,
  notification: {
    title: one.title ?? null,
    bigTitle: one.title ?? null,
    text: one.text ?? null,
    bigText: one.bigText ?? null,
    subText: one.subText ?? null,
    tickerText: null,
    infoText: null,
    template: null,
  },
})

export const getNotifications = mobileMethod({
  name: 'getNotifications',
  summary: 'The notifications that the device shows, the latest first.',
  args: {},
  async run(session) {
    const { service, deviceId } = session
    const { notifications } = answerOf(await service['notifications.list']({ deviceId }, session.call()))
    return { statusBarNotifications: notifications.map(statusBarNotification) }
  },
})

export const answerDialog = async (session: LiveSession, answer: string) => {
  await session.act([{ type: 'answer_dialog', params: { answer } }])
  return null
}

const buttonEntries = { buttonLabel: optional(someText) }

export const acceptAlert = mobileMethod({
  name: 'acceptAlert',
  summary: 'Accepts the dialog in front, or presses the button with this label.',
  args: buttonEntries,
  run: (session, { buttonLabel = 'accept' }) => answerDialog(session, buttonLabel),
})

export const dismissAlert = mobileMethod({
  name: 'dismissAlert',
  summary: 'Dismisses the dialog in front, or presses the button with this label.',
  args: buttonEntries,
  run: (session, { buttonLabel = 'dismiss' }) => answerDialog(session, buttonLabel),
})

export const SYSTEM_METHODS = [openNotifications, statusBar, getNotifications, acceptAlert, dismissAlert]
