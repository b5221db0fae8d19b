/** What commands of a phone print, and svc reads: packages, notifications, windows, figures, files, settings, lists of sockets. */

import { readPackageDump } from '../../../src/device/apps/read-package-dump.ts'
import { readEntries } from '../../../src/device/files/device-entries.ts'
import { LinkError } from '../../../src/device/link/link.ts'
import { readConnectAnswer, readPairAnswer } from '../../../src/device/link/wireless.ts'
import { readNotificationDump } from '../../../src/device/notifications/read-notification-dump.ts'
import {
  coversIn,
  foregroundActivityIn,
  foregroundPackageIn,
  isKeyboardShownIn,
  isShadeFocusedIn,
  screenSizeIn,
} from '../../../src/device/operators/shell/windows.ts'
import { socketsIn } from '../../../src/device/pages/devtools-sockets.ts'
import { framesIn, memoryIn } from '../../../src/device/perf/figures.ts'
import { startupIn } from '../../../src/device/perf/startup.ts'
import { readLabels } from '../../../src/fleet/membership/labels.ts'
import { progressReader } from '../../../src/service/emulators/emulator-ports.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateLines } from '../mutate/pieces.ts'
import { mutateText } from '../mutate/text.ts'
import { expectThat, type Mutate, stateless, type Target } from '../target.ts'

const PACKAGE = `Packages:
  Package [a.b] (1234567):
    userId=10123
    versionCode=7 minSdk=24 targetSdk=34
    versionName=1.2
    splits=[base, config.en]
    pkgFlags=[ SYSTEM DEBUGGABLE HAS_CODE ]
    lastUpdateTime=2024-01-01 10:00:00
    installerPackageName=com.android.vending
    requested permissions:
      android.permission.CAMERA: restricted=true
    User 0: ceDataInode=1 installed=true hidden=false enabled=0
      runtime permissions:
        android.permission.CAMERA: granted=true, flags=[ USER_SET|USER_FIXED]
`
const NOTIFICATIONS = `Current Notification Manager state:
  Notification List:
    NotificationRecord(0x0abc: pkg=a.b user=UserHandle{0} id=7 tag=null importance=3 key=0|a.b|7|null|10123: Notification(channel=c shortcut=null contentView=null flags=0x2 color=0x0 category=msg vis=PRIVATE))
      mCreationTimeMs=1700000000000
      extras={
          android.title=String (Hello)
          android.text=String (World)
      }
  
`
const WINDOWS = `WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)
    init=1080x2400 420dpi cur=1080x2400 app=1080x2400
WINDOW MANAGER WINDOWS (dumpsys window windows)
  Window #0 Window{1a2b u0 InputMethod}:
    mAttrs={(0,0)(fillxfill) ty=INPUT_METHOD fl=#81810108}
    mFrame=[0,1500][1080,2400] isVisible=true
    touchable region=SkRegion((0,1500,1080,2400))
  Window #1 Window{3c4d u0 a.b/a.b.Main}:
    package=a.b
  mCurrentFocus=Window{3c4d u0 a.b/a.b.Main}
  mFocusedApp=ActivityRecord{5e6f u0 a.b/.Main t7}
`
const FIGURES = `** Graphics info for pid 12 [a.b] **
Total frames rendered: 100
Janky frames: 3 (3.00%)
50th percentile: 5ms
99th percentile: 40ms
** MEMINFO in pid 12 [a.b] **
 App Summary
   Java Heap:     1000
 TOTAL PSS: 12345 TOTAL RSS: 99
Status: ok
LaunchState: COLD
Activity: a.b/.Main
TotalTime: 300
WaitTime: 310
`
const SOCKETS = `0000: 00000002 00000000 00010000 0001 01 12345 @webview_devtools_remote_77
0000: 00000002 00000000 00010000 0001 01 12346 @chrome_devtools_remote
  PID NAME
   77 a.b
`
const ENTRIES = '81a4 1200 1700000000 /sdcard/a b.txt//\n41ed 4096 1700000000 /sdcard/d//\n'
const WIRELESS = 'connected to 10.0.0.2:5555\nSuccessfully paired to 10.0.0.2:37000 [guid=adb-1]\n34\n14\nPixel 7\n'
const PROGRESS = '[=====     ] 12% Downloading system image...\r[======    ] 100% Unzipping...\n'

const WORDS = [
  ...['Package [a.b] (', 'granted=true', 'flags=[', 'User 0:', 'installed=false', 'versionCode=', 'null', 'splits=['],
  ...['NotificationRecord(', 'key=', 'id=', 'Notification(', 'extras={', 'android.text=', 'String (', ')', '}'],
  ...['Window{', 'mCurrentFocus=', 'u0 ', 'ty=', 'fl=#', 'mFrame=[', 'isVisible=true', 'SkRegion(', 'InsetsSource '],
  ...['Total frames rendered: ', 'th percentile: ', 'TOTAL', '** MEMINFO in pid ', '@webview_devtools_remote_', 'PID'],
  ...['//\n', '/../', '81a4 ', 'failed to connect', 'already connected', '%', '0x', '-1', '99999999999999999999'],
] as unknown as readonly [string, ...string[]]

const inWords: Mutate = mutateText(WORDS)

async function* once(input: Buffer): AsyncGenerator<Uint8Array> {
  yield input
}

const isListed = (input: Buffer): Promise<boolean> =>
  readEntries(once(input), { root: '/sdcard', most: 1_000 }).then(
    entries => {
      const stray = entries.find(({ path }) => path.split('/').some(part => part === '..' || part === ''))
      expectThat(stray === undefined, 'a file outside of its folder')
      return entries.length > 0
    },
    error => {
      if (error instanceof LinkError) return false
      throw error
    },
  )

export const deviceDumps: Target = {
  name: 'device-dumps',
  seeds: [PACKAGE, NOTIFICATIONS, WINDOWS, FIGURES, SOCKETS, ENTRIES, WIRELESS, PROGRESS],
  mutate: oneOf(inWords, mutateLines(inWords), mutateBytes),
  open: stateless(async input => {
    const text = input.toString('utf8')
    const found = readPackageDump(text, 'a.b', '0')
    if (found) expectThat(found.app.applicationId === 'a.b', 'another application')
    const notifications = readNotificationDump(text) ?? []
    expectThat(new Set(notifications.map(({ key }) => key)).size === notifications.length, 'a notification twice')
    foregroundPackageIn(text)
    foregroundActivityIn(text)
    isKeyboardShownIn(text)
    isShadeFocusedIn(text)
    const covers = coversIn(text)
    expectThat(
      covers.every(({ bounds: { left, right, top, bottom } }) => left < right && top < bottom),
      'a cover without an area',
    )
    const frames = framesIn(text, 'a.b')
    memoryIn(text, 'a.b')
    startupIn(text, 'a.b', true)
    socketsIn(text, ['a.b', 'com.android.chrome'])
    readLabels(text)
    const isConnected = readConnectAnswer(text).ok || readPairAnswer(text).ok
    progressReader(() => {})(text)
    const isFound = found || notifications.length > 0 || screenSizeIn(text) || frames.running || isConnected
    return isFound || (await isListed(input)) ? 'accepted' : 'refused'
  }),
}
