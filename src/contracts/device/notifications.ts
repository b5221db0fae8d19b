/** The notifications of a device, as its notification manager keeps them. */
import * as v from 'valibot'
import { openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'

/** Longer texts are cut, and further notifications are left out. */
export const NOTIFICATION_LIMITS = { textChars: 4_000, count: 500 } as const

export const Notification = openObject({
  applicationId: v.string(),
  id: v.number(),
  tag: v.exactOptional(v.string()),
  /** Names it on the device. */
  key: v.string(),
  /** The user of the device that it is for; -1 is all of them. */
  user: v.exactOptional(v.number()),
  title: v.exactOptional(v.string()),
  text: v.exactOptional(v.string()),
  /** The text when it is opened. */
  bigText: v.exactOptional(v.string()),
  subText: v.exactOptional(v.string()),
  channel: v.exactOptional(v.string()),
  category: v.exactOptional(v.string()),
  /** 0 none to 5 max. */
  importance: v.exactOptional(v.number()),
  /** A person cannot swipe it away. */
  ongoing: v.boolean(),
  /** When it was posted, in epoch ms by the clock of the device. */
  at: v.exactOptional(count),
})
export type Notification = v.InferOutput<typeof Notification>

export const NotificationsResponse = openObject({
  ok: v.literal(true),
  notifications: v.array(Notification),
  count,
})
export type NotificationsResponse = v.InferOutput<typeof NotificationsResponse>
