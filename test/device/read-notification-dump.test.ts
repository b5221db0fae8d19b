/** Notifications as `dumpsys notification --noredact` prints them, from Android 8 to 16. */
import { describe, expect, test } from 'vitest'
import { NOTIFICATION_LIMITS } from '../../src/contracts/device/notifications.ts'
import { readNotificationDump } from '../../src/device/notifications/read-notification-dump.ts'

const record = (head: string, extras: readonly string[], rest: readonly string[] = []) => [
  `    NotificationRecord(0x0c0ffee1: ${head})`,
  '      uid=10103 userId=0',
  '      extras={',
  ...extras.map(line => (line.startsWith('|') ? line.slice(1) : `        ${line}`)),
  '      }',
  ...rest.map(line => `      ${line}`),
]

const dump = (...records: readonly (readonly string[])[]): string =>
  [
    'Current Notification Manager state:',
    '  Notification attention state:',
    '  Notification List:',
    ...records.flat(),
    '  ',
    '  mUseAttentionLight=true',
    '  Archive:',
    '    NotificationRecord(0x0badcafe: pkg=com.gone user=UserHandle{0} id=9 tag=null key=0|com.gone|9|null|1: Notification(channel=a flags=0x0))',
  ].join('\n')

const OREO =
  'pkg=com.chat user=UserHandle{0} id=7 tag=group one importance=4 key=0|com.chat|7|group one|10103: Notification(channel=messages pri=0 contentView=null vibrate=null sound=null defaults=0x0 flags=0x10 color=0xff00ff00 category=msg vis=PRIVATE)'
const TIRAMISU =
  'pkg=android user=UserHandle{-1} id=26 tag=null importance=2 key=-1|android|26|null|1000 appImportanceLocked=false: Notification(channel=DEVELOPER_IMPORTANT shortcut=null contentView=null vibrate=null sound=null defaults=0x0 flags=0x2 color=0xff607d8b vis=PUBLIC)'
const BAKLAVA =
  'pkg=com.mail user=UserHandle{10} id=-3 tag=null importance=3 key=10|com.mail|-3|null|1010103 appImportanceLocked=false: Notification(channel=mail shortcut=null contentView=null vibrate=null sound=null defaults= flags=ONGOING_EVENT|NO_CLEAR color=0x00000000 vis=PRIVATE)'

test('reads the forms of three versions', () => {
  const found = readNotificationDump(
    dump(
      record(
        OREO,
        ['android.title=String (Ann)', 'android.text=SpannableString (hi)'],
        ['mUpdateTimeMs=1700000000001'],
      ),
      record(TIRAMISU, ['android.title=String (USB debugging connected)', 'android.text=null']),
      record(BAKLAVA, ['android.title=String (Sync)'], ['mImportance=HIGH', 'mCreationTimeMs=1700000000002']),
    ),
  )
  expect(found).toEqual([
    {
      ...{ applicationId: 'com.mail', id: -3, key: '10|com.mail|-3|null|1010103', user: 10 },
      ...{ title: 'Sync', channel: 'mail', importance: 3, ongoing: true, at: 1_700_000_000_002 },
    },
    {
      ...{ applicationId: 'com.chat', id: 7, tag: 'group one', key: '0|com.chat|7|group one|10103', user: 0 },
      ...{ title: 'Ann', text: 'hi', channel: 'messages', category: 'msg', importance: 4, ongoing: false },
      at: 1_700_000_000_001,
    },
    {
      ...{ applicationId: 'android', id: 26, key: '-1|android|26|null|1000', user: -1 },
      ...{ title: 'USB debugging connected', channel: 'DEVELOPER_IMPORTANT', importance: 2, ongoing: true },
    },
  ])
})

describe('texts', () => {
  const textOf = (...extras: string[]) => readNotificationDump(dump(record(OREO, extras)))?.[0]

  test('of several lines that begin at the left edge, with brackets and words of the dump in them', () => {
    const found = textOf(
      'android.title=String (a) b) c)',
      'android.text=String (one',
      '|Notification List: (two)',
      '|',
      '|last)',
      'android.subText=String (s)',
    )
    expect(found).toMatchObject({ title: 'a) b) c', text: 'one\nNotification List: (two)\n\nlast', subText: 's' })
  })

  test('that a redacted dump does not have are left out', () => {
    expect(textOf('android.title=String [length=3]')).not.toHaveProperty('title')
  })

  test('that are too long are cut', () => {
    expect(textOf(`android.text=String (${'x'.repeat(10_000)})`)?.text).toHaveLength(NOTIFICATION_LIMITS.textChars)
  })
})

test('an empty list has none, the archive is not read, and another text is no dump', () => {
  expect(readNotificationDump(dump())).toEqual([])
  expect(readNotificationDump("Can't find service: notification")).toBeUndefined()
})

test('no more are read than an answer may have', () => {
  const many = Array.from({ length: NOTIFICATION_LIMITS.count + 5 }, (_, at) =>
    record(OREO.replaceAll('|7|', `|${at}|`), ['android.title=String (x)']),
  )
  expect(readNotificationDump(dump(...many))).toHaveLength(NOTIFICATION_LIMITS.count)
})
