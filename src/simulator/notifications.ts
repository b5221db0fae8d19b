/** Keeps the notifications of a simulated phone, as its shade and `dumpsys notification` show them. */
import type { Clock } from '../runtime/clock.ts'
import type { CancelWord, NotificationWord } from './scenario/app-words.ts'

export interface PostedNotification extends Required<NotificationWord> {
  packageName: string
  at: number
}

/** Android keeps no more of one app. */
const NOTIFICATIONS_MAX = 50
const FIRST_ID = 1

export const createNotifications = (clock: Clock) => {
  let posted: PostedNotification[] = []
  let version = 0
  const without = (packageName: string, id: CancelWord) => {
    version += 1
    return posted.filter(one => one.packageName !== packageName || (id !== 'all' && one.id !== id))
  }
  return {
    /** The latest first. */
    list: (): readonly PostedNotification[] => posted,
    /** Another number after every change. */
    version: (): number => version,
    post(packageName: string, written: NotificationWord): void {
      const { id = FIRST_ID, title, text = '', channel = 'default', ongoing = false } = written
      const others = without(packageName, id)
      if (others.filter(one => one.packageName === packageName).length >= NOTIFICATIONS_MAX) return
      posted = [{ id, title, text, channel, ongoing, packageName, at: clock.now() }, ...others]
    },
    cancel(packageName: string, id: CancelWord): void {
      posted = without(packageName, id)
    },
  }
}

export type Notifications = ReturnType<typeof createNotifications>
