/** Reads `dumpsys notification --noredact` of Android 8 to 16. */
import { NOTIFICATION_LIMITS, type Notification } from '../../contracts/device/notifications.ts'

const HEAD = /^Current Notification Manager state/m
/** The archive behind the list repeats notifications that are gone. */
const LIST = /^ {2}Notification List:[ \t]*$/
const RECORD =
  /^ {4}NotificationRecord\(0x[0-9a-f]+: pkg=(\S+) user=UserHandle\{(-?\d+)\} id=(-?\d+) tag=(.*?) (?:importance=(\d+) )?key=(.*?)(?: appImportanceLocked=\w+)?: Notification\((.*)$/
/** The next part of the dump: as far left as the heading of the list. */
const NEXT_PART = /^ {0,2}\S/
const EXTRAS = /^ {6,}extras=\{\s*$/
const EXTRAS_END = /^ {6}\}\s*$/
/** The name of a value that is kept with a notification, and its type. */
const EXTRA = /^ {8,}([\w.:-]+)=(?:null\s*$|[\w.$[\]]+ [([])/
const ONGOING = 0x2

const WANTED = {
  'android.title': 'title',
  'android.text': 'text',
  'android.bigText': 'bigText',
  'android.subText': 'subText',
} as const
type Wanted = (typeof WANTED)[keyof typeof WANTED]
const isWanted = (key: string): key is keyof typeof WANTED => Object.hasOwn(WANTED, key)

/** `String (text)`: what is between the first bracket and the last one, whatever the text has in it. */
const textOf = (written: string): string | undefined => {
  const from = written.indexOf(' (')
  const to = written.lastIndexOf(')')
  if (!/^[\w.$]+ \(/.test(written) || to <= from) return undefined
  return written.slice(from + 2, to).slice(0, NOTIFICATION_LIMITS.textChars)
}

const textsIn = (lines: readonly string[]): Partial<Record<Wanted, string>> => {
  const begin = lines.findIndex(line => EXTRAS.test(line))
  if (begin < 0) return {}
  const texts: Partial<Record<Wanted, string>> = {}
  let open: { key: string; written: string } | undefined
  const close = () => {
    const value = open && isWanted(open.key) ? textOf(open.written) : undefined
    if (open && isWanted(open.key) && value !== undefined) texts[WANTED[open.key]] ??= value
    open = undefined
  }
  for (const line of lines.slice(begin + 1)) {
    if (EXTRAS_END.test(line)) break
    const [, key] = EXTRA.exec(line) ?? []
    // A text of several lines goes on at the left edge of the dump.
    if (key === undefined) {
      if (open) open.written += `\n${line}`
      continue
    }
    close()
    open = { key, written: line.slice(line.indexOf('=') + 1) }
  }
  close()
  return texts
}

const field = (lines: readonly string[], pattern: RegExp): string | undefined => {
  for (const line of lines) {
    const found = pattern.exec(line)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}

const textOrNone = (text: string | undefined): string | undefined => (text === 'null' || text === '' ? undefined : text)

const recordOf = (lines: readonly string[]): Notification[] => {
  const [, applicationId = '', user, id, tag, early, key = '', notification = ''] = RECORD.exec(lines[0] ?? '') ?? []
  if (applicationId === '') return []
  const fields = lines.filter(line => /^ {6}\S/.test(line))
  const importance = early ?? field(fields, /^ +(?:mImportance|importance)=(\d+)/)
  const flags = Number(/\bflags=(0x[0-9a-f]+)/.exec(notification)?.[1] ?? 0)
  const isOngoing = (flags & ONGOING) !== 0 || /\bflags=[A-Z|]*ONGOING_EVENT/.test(notification)
  const at = Number(field(fields, /^ +(?:mUpdateTimeMs|mCreationTimeMs)=(\d+)/))
  const parts = {
    tag: textOrNone(tag),
    ...textsIn(lines),
    channel: textOrNone(/\bchannel=(.*?) (?:shortcut|pri|contentView)=/.exec(notification)?.[1]),
    category: textOrNone(/\bcategory=(\S+?)[ )]/.exec(notification)?.[1]),
  }
  const texts = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
  return [
    {
      applicationId,
      id: Number(id),
      key,
      user: Number(user),
      ...texts,
      ...(importance === undefined ? {} : { importance: Number(importance) }),
      ongoing: isOngoing,
      ...(at > 0 ? { at } : {}),
    },
  ]
}

/** Undefined for a text that is no such dump. The latest first, each once. */
export const readNotificationDump = (dump: string): Notification[] | undefined => {
  if (!HEAD.test(dump)) return undefined
  const lines = dump.split(/\r?\n/)
  const begin = lines.findIndex(line => LIST.test(line))
  if (begin < 0) return []
  const blocks: string[][] = []
  let isInExtras = false
  for (const line of lines.slice(begin + 1)) {
    if (RECORD.test(line)) {
      blocks.push([line])
      isInExtras = false
      continue
    }
    // Inside the extras a text may begin at the left edge.
    if (!isInExtras && NEXT_PART.test(line)) break
    if (EXTRAS.test(line)) isInExtras = true
    else if (EXTRAS_END.test(line)) isInExtras = false
    blocks.at(-1)?.push(line)
  }
  const byKey = new Map<string, Notification>()
  for (const notification of blocks.flatMap(recordOf))
    if (!byKey.has(notification.key)) byKey.set(notification.key, notification)
  return [...byKey.values()].sort((a, b) => (b.at ?? 0) - (a.at ?? 0)).slice(0, NOTIFICATION_LIMITS.count)
}
