/** Asks the notification manager of a device for its notifications, with their texts. */

import type { Notification } from '../../contracts/device/notifications.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import { type CallOptions, type Link, LinkError } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import { readNotificationDump } from './read-notification-dump.ts'

const DUMP = commandLine('dumpsys', 'notification', '--noredact')

/** The latest first. Rejects with LinkError. */
export const listNotifications = async (link: Link, call: CallOptions): Promise<Notification[]> => {
  const { stdout } = await link.shell(DUMP, { ...call, maxBytes: OUTPUT_BYTES_MAX.state })
  const found = readNotificationDump(stdout)
  if (found) return found
  const firstLine = stdout.trim().split('\n', 1)[0] ?? ''
  const words = firstLine === '' ? 'it said nothing' : `it said ${JSON.stringify(firstLine.slice(0, 200))}`
  throw new LinkError('DEVICE_SHELL_UNAVAILABLE', `the device did not list its notifications: ${words}`)
}
