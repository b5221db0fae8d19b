/** One device as everything above the debug bridge sees it, whichever transport carries it. */

export interface CallOptions {
  /** When the call is given up, in epoch ms: LINK_TIMEOUT. Every call has one. */
  deadline: number
  signal?: AbortSignal | undefined
}

/** Calls that return all output of the device take these options. */
export interface ReadOptions extends CallOptions {
  /** More ends the call and the command: DEVICE_OUTPUT_TOO_LARGE. See OUTPUT_BYTES_MAX, also for the defaults. */
  maxBytes?: number | undefined
}

/** Bytes for the device: all at once, or as they come, so that what is larger than the memory can be sent. */
export type Content = Uint8Array | AsyncIterable<Uint8Array>

export interface PushOptions extends CallOptions {
  /** The permissions of the file; 0644 when left out. */
  mode?: number | undefined
  /** When it was last changed, in epoch ms; now when left out. */
  mtime?: number | undefined
}

export interface ShellOptions extends ReadOptions {
  stdin?: Content | undefined
  /** Takes the output as it comes: then none of it is in the result, and `maxBytes` does not count. */
  onOutput?: ((stream: 'stdout' | 'stderr', piece: Uint8Array) => void) | undefined
}

export interface ShellResult {
  exitCode: number
  stdout: string
  stderr: string
}

/** A running command whose output is read as it comes. */
export interface LinkStream {
  /** Raw stdout; ends when the command ends, fails with LinkError when the link is lost. */
  chunks: AsyncIterable<Uint8Array>
  /** Ends the command on the device too. Safe to call twice. */
  close(): void
}

/** A two-way socket to a service of the device, such as `localabstract:<name>`. */
export interface LinkSocket {
  chunks: AsyncIterable<Uint8Array>
  /** Resolves when the bytes have left; rejects with LinkError when the device will not take them. */
  write(bytes: Uint8Array): Promise<void>
  /** The bytes read last may be acknowledged with the next write: for a peer that says nothing until it is asked. */
  delayAcknowledgement?(): void
  close(): void
}

export interface Link {
  /** The serial by which the debug bridge lists the device. */
  readonly serial: string
  /** Aborted once, when the device is gone from under this link; the reason is a LinkError. */
  readonly lost: AbortSignal
  /**
   * Runs a command line of the device's shell. The caller quotes every value in it (`quote`). A line over
   * 65,535 bytes is refused before anything is sent: LINK_COMMAND_TOO_LONG.
   */
  shell(command: string, options: ShellOptions): Promise<ShellResult>
  /** Runs a command and returns its raw stdout, byte for byte. */
  exec(command: string, options: ReadOptions): Promise<Uint8Array>
  /** Starts a command that runs on, such as logcat. The deadline is for the opening only. */
  stream(command: string, options: CallOptions): Promise<LinkStream>
  /**
   * Writes one file, and resolves when the device has said that it is there. Content that comes in chunks is read no faster
   * than the device takes it; where reading it throws, the transfer ends there and the device drops the file. A refusal by the
   * device, also in the middle of it: LINK_SOCKET_REFUSED with its words.
   */
  push(path: string, content: Content, options: PushOptions): Promise<void>
  pull(path: string, options: ReadOptions): Promise<Uint8Array>
  /** A file as it comes, for one reader, asked for no faster than it is read. The deadline is for all of it. */
  read(path: string, options: CallOptions): AsyncIterable<Uint8Array>
  /** Streams what a command prints; throws LINK_SOCKET_REFUSED with the words on its stderr where the command fails in the end. */
  output(command: string, options: CallOptions): AsyncIterable<Uint8Array>
  /** Opens a service of the device; refused by the device: LINK_SOCKET_REFUSED. The deadline is for the opening only. */
  socket(service: string, options: CallOptions): Promise<LinkSocket>
  /**
   * Serves the streams that the device opens to a destination of this host, until the returned function is called.
   * Absent where an adb server carries the link: it serves them itself.
   */
  accept?(destination: string, serve: (socket: LinkSocket) => void): () => void
  /** The device's own serial number (`ro.serialno`), asked once; the bridge serial when it has none that can be one. */
  hardwareSerial(options: CallOptions): Promise<string>
}

export type LinkErrorCode =
  | 'ADB_NOT_FOUND'
  | 'ADB_SERVER_FAILED'
  | 'DEVICE_LINK_LOST'
  | 'DEVICE_NOT_FOUND'
  | 'DEVICE_OFFLINE'
  | 'DEVICE_OUTPUT_TOO_LARGE'
  | 'DEVICE_SHELL_UNAVAILABLE'
  | 'DEVICE_UNAUTHORIZED'
  | 'LINK_CANCELLED'
  | 'LINK_COMMAND_TOO_LONG'
  | 'LINK_SOCKET_REFUSED'
  | 'LINK_TIMEOUT'

/** Part of it may be the device's own words. */
const MESSAGE_CHARS_MAX = 1_000

const clipped = (message: string) =>
  message.length > MESSAGE_CHARS_MAX ? `${message.slice(0, MESSAGE_CHARS_MAX)}...` : message

export class LinkError extends Error {
  readonly code: LinkErrorCode

  constructor(code: LinkErrorCode, message: string, options?: { cause?: unknown }) {
    super(clipped(message), options)
    this.name = 'LinkError'
    this.code = code
  }
}
