/** How a call over the debug bridge fails. The code is always one of these; the message says what was tried. */

export type LinkErrorCode =
  | 'ADB_NOT_FOUND'
  | 'ADB_SERVER_FAILED'
  | 'DEVICE_LINK_LOST'
  | 'DEVICE_NOT_FOUND'
  | 'DEVICE_OFFLINE'
  | 'DEVICE_SHELL_UNAVAILABLE'
  | 'DEVICE_UNAUTHORIZED'
  | 'LINK_CANCELLED'
  | 'LINK_COMMAND_TOO_LONG'
  | 'LINK_SOCKET_REFUSED'
  | 'LINK_TIMEOUT'

export class LinkError extends Error {
  readonly code: LinkErrorCode

  constructor(code: LinkErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'LinkError'
    this.code = code
  }
}
