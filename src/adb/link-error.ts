/** How a call over the debug bridge fails. The code is always one of these; the message says what was tried. */

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
