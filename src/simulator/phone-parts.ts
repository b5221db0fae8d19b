/** The parts of a simulated phone, each by itself. */
import type { Bounds, Point } from '../contracts/device/ui-tree.ts'

export type LogLevel = 'V' | 'D' | 'I' | 'W' | 'E' | 'F'

export const LOG_BUFFERS = ['main', 'system', 'crash', 'events'] as const
export type LogBuffer = (typeof LOG_BUFFERS)[number]

/** The process that writes an entry, and the buffer that it writes to. */
export interface LogSource {
  pid: number
  tid: number
  uid: number
  buffer: LogBuffer
}

export interface LogEntry extends LogSource {
  at: number
  /** Beside `at`: no two entries of a log have the same time. */
  micros: number
  level: LogLevel
  tag: string
  message: string
}

/** Rings of log entries, one for each buffer, with readers that follow them. */
export interface PhoneLog {
  /** Cuts a message at the 4,068 bytes that a logger entry can hold. */
  write(level: LogLevel, tag: string, message: string, source?: Partial<LogSource>): void
  /** Lists the entries of all buffers, in the order in which they were written. */
  entries(): readonly LogEntry[]
  /** Calls for each entry from now on until closed, inside `write`: a listener that keeps entries bounds what it keeps. */
  follow(onEntry: (entry: LogEntry) => void): { close(): void }
  /** All buffers, unless some are named. */
  clear(buffers?: ReadonlySet<string>): void
}

export interface PhoneFile {
  content: Uint8Array
  mode: number
  mtime: number
}

export type PhoneEntry =
  | ({ kind: 'file' } & PhoneFile)
  | { kind: 'folder'; mode: number; mtime: number }
  | { kind: 'link'; target: string; mode: number; mtime: number }
  | { kind: 'fifo'; mode: number; mtime: number }

export interface ListedEntry {
  name: string
  entry: PhoneEntry
  /** Undefined for what is no plain file. */
  file: PhoneFile | undefined
}

/** By absolute paths. Links on the way are followed, and the last one too unless it is said otherwise. Writing makes the folders on the way. */
export interface PhoneFiles {
  read(path: string): PhoneFile | undefined
  write(path: string, content: Uint8Array, mode?: number, mtime?: number): void
  /** A file, an empty folder, or a link itself. */
  remove(path: string): boolean
  removeTree(path: string): boolean
  list(folder: string): readonly ListedEntry[] | undefined
  /** Makes a folder that no file is in yet, with those on the way. */
  mkdir(folder: string): void
  /** A link itself, and not where it leads. */
  entry(path: string): PhoneEntry | undefined
  link(path: string, target: string): void
  fifo(path: string): void
  rename(from: string, to: string): void
  /** With all links resolved. */
  realPath(path: string): string
  /** In bytes. */
  space(): { total: number; used: number }
}

/** The facts that the package manager reports of an installed app. */
export interface AppFacts {
  /** The activity that the launcher starts: a class name, whole or from its dot on. */
  launchActivity?: string
  versionName?: string
  versionCode?: number
  minSdk?: number
  /** The names of its splits, without the base. */
  splits?: readonly string[]
  isDebuggable?: boolean
  uid?: number
  /** The app came with the phone and is not one of the user's own. */
  isSystem?: boolean
  /** The app is the home screen. */
  isHome?: boolean
  /** The permissions that it asks for in its manifest. */
  permissions?: readonly RequestedPermission[]
}

export interface RequestedPermission {
  /** In full. */
  name: string
  /** The state in the beginning. */
  state: 'allow' | 'deny' | 'unset'
  /** Nobody can change it. */
  fixed?: 'system' | 'policy'
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

export interface Clipboard {
  get(): string
  set(text: string): void
}

/** The gestures of a finger. */
export interface Finger {
  tap(point: Point): void
  longPress(point: Point): void
  swipe(start: Point, end: Point, durationMs: number): void
}
