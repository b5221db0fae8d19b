/** `dumpsys notification`: the notifications that are posted, in the words of the real one; their texts only with `--noredact`. */
import type { Context } from '../command.ts'
import { objectToken } from '../intent.ts'
import { packageEntry } from './package-queries.ts'

const IMPORTANCE = 3
const [ONGOING_FLAG, NO_FLAGS] = ['0x2', '0x0']
/** The importance moved out of the first line with Android 9. */
const IMPORTANCE_SDK = 28

export const notificationDump = ({ phone }: Context, args: readonly string[]): readonly string[] => {
  const isShown = args.includes('--noredact')
  const sdk = Number(phone.properties.get('ro.build.version.sdk'))
  const extra = (key: string, value: string) =>
    `        android.${key}=String ${isShown ? `(${value})` : `[length=${value.length}]`}`
  const records = (phone.notifications?.() ?? []).flatMap(({ packageName, id, title, text, channel, ongoing, at }) => {
    const { uid } = packageEntry(phone, packageName)
    const key = `0|${packageName}|${id}|null|${uid}`
    const flags = ongoing ? ONGOING_FLAG : NO_FLAGS
    const notification = `Notification(channel=${channel} shortcut=null contentView=null vibrate=null sound=null defaults=0x0 flags=${flags} color=0x00000000 vis=PRIVATE)`
    const token = `0x0${objectToken(key)}`
    return [
      `    NotificationRecord(${token}: pkg=${packageName} user=UserHandle{0} id=${id} tag=null importance=${IMPORTANCE} key=${key}${sdk < IMPORTANCE_SDK ? '' : ' appImportanceLocked=false'}: ${notification})`,
      `      uid=${uid} userId=0`,
      '      icon=Icon(typ=RESOURCE pkg= id=0x7f080001)',
      '      pri=0',
      `      key=${key}`,
      '      seen=true',
      `      groupKey=${key}`,
      '      contentIntent=PendingIntent{1234567: PendingIntentRecord{89abcde}}',
      '      extras={',
      extra('title', title),
      '        android.subText=null',
      '        android.showChronometer=Boolean (false)',
      ...(text === '' ? ['        android.text=null'] : [extra('text', text)]),
      '        android.template=null',
      '      }',
      `      mImportance=${IMPORTANCE}`,
      `      mCreationTimeMs=${at}`,
      `      mUpdateTimeMs=${at}`,
      `      effectiveNotificationChannel=NotificationChannel{mId='${channel}', mName=${channel}, mImportance=${IMPORTANCE}}`,
    ]
  })
  return [
    'Current Notification Manager state:',
    '  Notification List:',
    ...records,
    '  ',
    '  mUseAttentionLight=false',
    '  mHasLight=true',
    '  Archive:',
    '    ',
    '  Snoozed notifications:',
  ]
}
