/** Words of a scenario for what an app tells the phone: lines of the log, notifications, and how it fails. */
import * as v from 'valibot'
import { closedObject } from '../../contracts/json/objects.ts'
import { integer } from '../../contracts/json/scalars.ts'
import { Name, ShownText } from './field-schemas.ts'

export const WRITTEN_LEVELS = ['verbose', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** The tag is the label of the app unless it is given. */
const LogLine = closedObject({
  message: ShownText,
  tag: v.exactOptional(Name),
  level: v.exactOptional(v.picklist(WRITTEN_LEVELS)),
})
export const LogWord = v.union([ShownText, LogLine])
export type LogWord = v.InferOutput<typeof LogWord>

const NOTIFICATION_ID = { min: 0, max: 999_999 } as const
const NotificationId = integer(NOTIFICATION_ID)

/** A notification takes the place of an earlier one with the same id. */
export const NotificationWord = closedObject({
  id: v.exactOptional(NotificationId),
  title: ShownText,
  text: v.exactOptional(ShownText),
  channel: v.exactOptional(Name),
  /** A person cannot swipe it away. */
  ongoing: v.exactOptional(v.boolean()),
})
export type NotificationWord = v.InferOutput<typeof NotificationWord>

export const CancelWord = v.union([NotificationId, v.literal('all')])
export type CancelWord = v.InferOutput<typeof CancelWord>

/** `dialog`: the phone says that the app keeps stopping. */
const Crash = closedObject({
  exception: v.exactOptional(Name),
  message: v.exactOptional(ShownText),
  native: v.exactOptional(v.boolean()),
  dialog: v.exactOptional(v.boolean()),
})
export const CrashWord = v.union([v.literal(true), Crash])
export type CrashWord = v.InferOutput<typeof CrashWord>

/** The app does not respond: the phone asks whether to close it. */
export const AnrWord = v.union([v.literal(true), closedObject({ reason: ShownText })])
export type AnrWord = v.InferOutput<typeof AnrWord>
