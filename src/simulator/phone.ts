/** The simulated phone as its shell, its debug daemon and its operator app see it. */
import type { UiTree } from '../contracts/device/ui-tree.ts'
import type { PhoneHelpers } from './helper/helpers.ts'
import type { PhoneNetwork } from './network.ts'
import type { PostedNotification } from './notifications.ts'
import type { PhonePermissions } from './permissions.ts'
import type {
  AppFacts,
  AppSocket,
  Clipboard,
  Finger,
  FocusedApp,
  Intent,
  PhoneFiles,
  PhoneLog,
  PhoneWindow,
} from './phone-parts.ts'
import type { PhoneProcesses } from './processes.ts'
import type { EncoderKind } from './scenario/device.ts'
import type { SystemState } from './system-state.ts'
import type { Frame } from './video/still-picture.ts'

export interface Phone extends Finger {
  readonly name: string
  /** The properties that `getprop` prints. */
  readonly properties: ReadonlyMap<string, string>
  readonly settings: Map<string, string>
  readonly log: PhoneLog
  readonly files: PhoneFiles
  /** The size of the phone as it was built, however it is turned. */
  readonly size: { width: number; height: number; density: number }
  /** The size as the phone is turned now. */
  screenSize(): { width: number; height: number; density: number }
  readonly system: SystemState
  isAwake(): boolean
  isLocked(): boolean
  wake(): void
  sleep(): void
  /** False for a keyguard that only a person can pass. */
  dismissKeyguard(): boolean
  /** The screen now; undefined while the display is off. */
  tree(): UiTree | undefined
  /** Quarter turns, 0 to 3. */
  rotation(): number
  foreground(): FocusedApp
  /** The app that has the focus, also while the system lies over it. */
  focusedApp(): FocusedApp
  /** From the one on top down. */
  windows(): readonly PhoneWindow[]
  /** How long it takes to dump the screen from now on, in ms of the device's time. */
  dumpMs(): number
  /** The package of an app that did not respond once, of which the window manager keeps its state. */
  readonly lastAnr?: string
  /** Undefined where the shell has no command for it. */
  readonly clipboard?: Clipboard
  /** Counts a text, and says whether the `input` program dies of it. */
  textKills?(): boolean
  /** Opens and closes the notification shade. */
  setShade(isOpen: boolean): void
  /** Android key codes by name without prefix: BACK, HOME, APP_SWITCH, ENTER, DEL, WAKEUP, ... False for an unknown one. */
  key(name: string): boolean
  /** Types into the focused field. */
  type(text: string): void
  packages(): readonly string[]
  /** Undefined for a package that is not installed. */
  appFacts?(packageName: string): AppFacts | undefined
  /** A phone without them asks nobody. */
  readonly permissions?: PhonePermissions
  /** False for an activity that only its own app may start; `component` as `package/class` in full. */
  hasActivity?(component: string): boolean
  isExported?(component: string): boolean
  /** False where the activity of the intent is not exported. */
  mayStart?(intent: Intent): boolean
  /** The pid of an app, running or not; another one after it was ended. */
  pidOf?(packageName: string): number
  /** The latest first. */
  notifications?(): readonly PostedNotification[]
  /** False when nothing handles the intent. */
  startActivity(intent: Intent): boolean
  /** Ends an app; what its scenario does not keep is as at the beginning. */
  forceStop(packageName: string): void
  /** The same with everything that was kept. */
  clearData(packageName: string): void
  /** How many receivers took it; undefined when the package is not installed. */
  broadcast(intent: Intent): number | undefined
  /** A PNG of the screen as a person would recognise it. */
  screenshot(): Uint8Array
  /** The picture for a recording; undefined while the display is off. The same object while nothing has changed. */
  frame?(): Frame | undefined
  /** The phone's encoder of video; left out, it can do everything. */
  readonly encoder?: EncoderKind
  readonly processes?: PhoneProcesses
  /** Connects to an app's abstract socket; undefined when nobody listens. */
  connect(name: string): AppSocket | undefined
  /** The ports and sockets on which something listens; a phone without them refuses every connection. */
  readonly network?: PhoneNetwork
  /** True while the app has a task; left out, every app runs. */
  isRunning?(packageName: string): boolean
  /** The package manager and the helpers; a phone without them installs nothing. */
  readonly helpers?: PhoneHelpers
}
