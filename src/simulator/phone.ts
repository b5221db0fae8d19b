/** The simulated phone as its shell, its debug daemon and its operator app see it, and each of its parts. */
import type { Bounds, Point, UiTree } from '../operator/engine/ui-tree.ts'
import type { PhoneHelpers } from './helper/helpers.ts'

export type LogLevel = 'V' | 'D' | 'I' | 'W' | 'E' | 'F'

export interface LogEntry {
  at: number
  pid: number
  level: LogLevel
  tag: string
  message: string
}

/** A ring of log entries with readers that follow it. */
export interface PhoneLog {
  /** Cuts a message at the 4,068 bytes that a logger entry can hold. */
  write(level: LogLevel, tag: string, message: string): void
  entries(): readonly LogEntry[]
  /** Calls for each entry from now on until closed, inside `write`: a listener that keeps entries bounds what it keeps. */
  follow(onEntry: (entry: LogEntry) => void): { close(): void }
  clear(): void
}

export interface PhoneFile {
  content: Uint8Array
  mode: number
  mtime: number
}

/** A flat map of absolute paths; folders exist where a file is below them. */
export interface PhoneFiles {
  read(path: string): PhoneFile | undefined
  write(path: string, content: Uint8Array, mode?: number, mtime?: number): void
  remove(path: string): boolean
  list(folder: string): readonly { name: string; file: PhoneFile | undefined }[] | undefined
  /** Makes a folder that no file is in yet, with those on the way. */
  mkdir?(folder: string): void
}

/** The facts that the package manager reports of an installed app. */
export interface AppFacts {
  /** The activity that the launcher starts: a class name, whole or from its dot on. */
  launchActivity?: string
  versionName?: string
  versionCode?: number
  uid?: number
  /** It came with the phone and is not one of the user's own. */
  isSystem?: boolean
  /** It is the home screen. */
  isHome?: boolean
}

export interface Intent {
  action?: string
  data?: string
  packageName?: string
  component?: string
  extras: Readonly<Record<string, string>>
}

export interface FocusedApp {
  packageName: string
  activity: string
}

/** A window of an app, or one of the system with a title of its own. */
export type PhoneWindow = { packageName: string; bounds: Bounds; hasFocus: boolean } & (
  | { app: FocusedApp }
  | { title: string }
)

export type DeviceState = 'device' | 'unauthorized' | 'offline' | 'recovery'

/** A byte stream between a host and an app of the phone. */
export interface AppSocket {
  onData(listener: (bytes: Uint8Array) => void): void
  onClose(listener: () => void): void
  write(bytes: Uint8Array): void
  close(): void
}

export interface Phone {
  readonly name: string
  /** The properties that `getprop` prints. */
  readonly properties: ReadonlyMap<string, string>
  readonly settings: Map<string, string>
  readonly log: PhoneLog
  readonly files: PhoneFiles
  readonly size: { width: number; height: number; density: number }
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
  /** Counts a text, and says whether the `input` program dies of it. */
  textKills?(): boolean
  /** Opens and closes the notification shade. */
  setShade(isOpen: boolean): void
  tap(point: Point): void
  longPress(point: Point): void
  swipe(start: Point, end: Point, durationMs: number): void
  /** Android key codes by name without prefix: BACK, HOME, APP_SWITCH, ENTER, DEL, WAKEUP, ... False for an unknown one. */
  key(name: string): boolean
  /** Types into the focused field. */
  type(text: string): void
  packages(): readonly string[]
  /** Undefined for a package that is not installed. */
  appFacts?(packageName: string): AppFacts | undefined
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
  /** Connects to an app's abstract socket; undefined when nobody listens. */
  connect(name: string): AppSocket | undefined
  /** The package manager and the helpers; a phone without them installs nothing. */
  readonly helpers?: PhoneHelpers
}
