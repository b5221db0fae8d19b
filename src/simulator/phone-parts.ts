/** The parts of a simulated phone, each by itself. */
import type { Bounds, Point } from '../operator/engine/ui-tree.ts'

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
