/** A phone with one screen and a memory of what was done to it, for tests of the shell and the debug daemon. */

import { NO_FLAGS, type UiNode, type UiTree } from '../../../src/contracts/device/ui-tree.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { createFiles } from '../../../src/simulator/files.ts'
import { createLog } from '../../../src/simulator/log.ts'
import type { Phone } from '../../../src/simulator/phone.ts'
import type { AppSocket, Intent } from '../../../src/simulator/phone-parts.ts'
import { createSystemState } from '../../../src/simulator/system-state.ts'

export interface StubPhone extends Phone {
  /** What was done, in order, as `tap 10,20` and `key BACK`. */
  readonly done: string[]
  readonly intents: Intent[]
  /** Both ends of sockets by name: what the app does when somebody connects. */
  readonly listeners: Map<string, (socket: StubSocket) => void>
  awake: boolean
  locked: boolean
  png: Uint8Array
  /** Readers that follow the log right now. */
  following(): number
}

/** The app's end: what it says goes to the host, what the host says comes to `heard`. */
export interface StubSocket {
  say(bytes: Uint8Array): void
  onHeard(listener: (bytes: Uint8Array) => void): void
  hangUp(): void
  readonly closed: boolean
}

export const node = (changes: Partial<UiNode> = {}): UiNode => ({
  text: '',
  resourceId: '',
  className: 'android.widget.TextView',
  packageName: 'com.android.settings',
  contentDesc: '',
  ...NO_FLAGS,
  enabled: true,
  bounds: { left: 0, top: 0, right: 1_080, bottom: 200 },
  children: [],
  ...changes,
})

const tree: UiTree = {
  rotation: 0,
  roots: [
    node({
      className: 'android.widget.FrameLayout',
      children: [node({ text: 'Settings' }), node({ text: 'a "b" <c>' })],
    }),
  ],
}

const at = ({ x, y }: { x: number; y: number }) => `${x},${y}`

const connectTo = (accept: (socket: StubSocket) => void): AppSocket => {
  let toHost: ((bytes: Uint8Array) => void) | undefined
  let toApp: ((bytes: Uint8Array) => void) | undefined
  let hostClosed: (() => void) | undefined
  const early: Uint8Array[] = []
  let closed = false
  const close = () => {
    if (closed) return
    closed = true
    hostClosed?.()
  }
  accept({
    say: bytes => (toHost ? toHost(bytes) : void early.push(bytes)),
    onHeard: listener => {
      toApp = listener
    },
    hangUp: close,
    get closed() {
      return closed
    },
  })
  return {
    onData(listener) {
      toHost = listener
      for (const bytes of early.splice(0)) listener(bytes)
    },
    onClose(listener) {
      hostClosed = listener
    },
    write: bytes => void (closed || toApp?.(bytes)),
    close,
  }
}

/** Large enough to come in pieces. */
const PNG = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) & 0xff)

const SIZE = { width: 1_080, height: 2_400, density: 420 }

export const stubPhone = (clock: Clock, properties: Readonly<Record<string, string>> = {}): StubPhone => {
  const installed = ['com.android.settings', 'com.example.notes', 'com.svc.operator']
  const done: string[] = []
  const intents: Intent[] = []
  const listeners = new Map<string, (socket: StubSocket) => void>()
  let front = 'com.android.launcher'
  const log = createLog({ clock })
  let following = 0
  const follow: typeof log.follow = onEntry => {
    const follower = log.follow(onEntry)
    following++
    return {
      close: () => {
        follower.close()
        following--
      },
    }
  }
  const phone: StubPhone = {
    following: () => following,
    name: 'stub',
    done,
    intents,
    listeners,
    awake: true,
    locked: false,
    png: PNG,
    properties: new Map(
      Object.entries({
        'ro.product.name': 'sim',
        'ro.product.model': 'Svc Sim',
        'ro.product.device': 'sim',
        'ro.serialno': 'SIM0001',
        ...properties,
      }),
    ),
    settings: new Map([
      ['global/adb_enabled', '1'],
      ['system/font_scale', '1.0'],
    ]),
    log: { ...log, follow },
    files: createFiles({ clock }),
    size: SIZE,
    screenSize: () => SIZE,
    system: createSystemState(),
    isAwake: () => phone.awake,
    isLocked: () => phone.locked,
    wake: () => {
      phone.awake = true
    },
    sleep: () => {
      phone.awake = false
    },
    dismissKeyguard: () => {
      done.push('dismiss-keyguard')
      phone.locked = false
      return true
    },
    tree: () => (phone.awake ? tree : undefined),
    rotation: () => 0,
    foreground: () => ({ packageName: front, activity: '.MainActivity' }),
    focusedApp: () => phone.foreground(),
    windows: () => {
      const bounds = { left: 0, top: 0, right: 1_080, bottom: 2_400 }
      const packageName = 'com.android.systemui'
      const shade = { title: 'NotificationShade', packageName, bounds, hasFocus: true }
      const app = { app: phone.foreground(), packageName: front, bounds, hasFocus: !phone.locked }
      return phone.locked ? [shade, app] : [app]
    },
    dumpMs: () => 0,
    setShade: isOpen => void done.push(`shade ${isOpen ? 'opens' : 'closes'}`),
    tap: point => void done.push(`tap ${at(point)}`),
    longPress: point => void done.push(`long-press ${at(point)}`),
    swipe: (start, end, ms) => void done.push(`swipe ${at(start)} ${at(end)} ${ms}`),
    key: name => {
      done.push(`key ${name}`)
      return name !== 'WAKEUP'
    },
    type: text => void done.push(`type ${text}`),
    packages: () => installed,
    appFacts: name =>
      installed.includes(name) ? { launchActivity: '.Start', versionName: '2.3', versionCode: 23 } : undefined,
    startActivity: intent => {
      intents.push(intent)
      const found = intent.packageName !== undefined && installed.includes(intent.packageName)
      if (found) front = intent.packageName ?? front
      return found
    },
    forceStop: name => void done.push(`force-stop ${name}`),
    clearData: name => void done.push(`clear ${name}`),
    broadcast: intent => {
      intents.push(intent)
      return installed.includes(intent.packageName ?? '') ? 1 : undefined
    },
    screenshot: () => phone.png,
    connect: name => {
      const accept = listeners.get(name)
      return accept && connectTo(accept)
    },
  }
  return phone
}
