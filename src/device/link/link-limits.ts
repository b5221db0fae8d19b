/** How long each part of a link may take. Tests shorten them; everybody else uses them as they are. */

export const LINK_LIMITS = {
  /** A TCP device that has not accepted the connection by then is offline. */
  connectMs: 3_000,
  /** One that accepts and says nothing is offline too: that is what adb makes of it. */
  handshakeMs: 5_000,
  /** How long a person has to allow this host once its key was offered. */
  authorizeMs: 30_000,
  /** A listing waits that long for a device to take the key by itself before it says `unauthorized`. */
  authorizingGraceMs: 300,
  /** A listing gives a TCP device this long to come up. */
  probeMs: 2_000,
  /** Opening a link over the adb server. */
  openMs: 10_000,
  /** One answer of the adb server about itself. */
  serverAnswerMs: 5_000,
  /** A server that does not tell in time if it has a device that is reachable without it is left aside. */
  serverAsideMs: 1_000,
  /** A listing that is kept counts no longer, whatever the server tells. */
  knownMs: 1_000,
  startServerMs: 15_000,
  /** After a start that failed, the next one is not tried before. */
  startServerPauseMs: 5_000,
  /** Asking a device whether it is still there. */
  aliveMs: 3_000,
  /** The pause after a failed opening doubles from the first to the last. */
  firstPauseMs: 250,
  lastPauseMs: 5_000,
  /** A link that was lost sooner than this counts as a failed opening. */
  stableMs: 2_000,
} as const

/**
 * How many bytes an answer of a device may have, both output streams together. More is not an answer but a device gone
 * wild, or a hostile one: the command is ended there, DEVICE_OUTPUT_TOO_LARGE. Each is many times what phones send.
 */
export const OUTPUT_BYTES_MAX = {
  /** One word or number: a property, a time. */
  word: 1_024,
  /** The report of a tool about its own work: `am`, `cmd package`, `input`, `wm`. */
  report: 1_024 * 1_024,
  /** The state of a service: `dumpsys`. */
  state: 8 * 1_024 * 1_024,
  /** A command line that names no bound of its own, and the XML of a screen. */
  command: 16 * 1_024 * 1_024,
  /** Raw output that names no bound of its own: a picture, a file, the log since a moment. */
  raw: 64 * 1_024 * 1_024,
} as const

/** The name of a service that the adb server discovers, in characters. */
export const NAME_CHARS_MAX = 200
/** A listed device, in characters: its serial, and the word for its state. */
export const SERIAL_CHARS_MAX = 255
export const STATE_CHARS_MAX = 64
/** The first packets of a TCP device, which say who it is. */
export const HANDSHAKE_BYTES_MAX = 64 * 1_024
/** Every version of the protocol can take this much in one packet; a device that takes less is rejected. */
export const PAYLOAD_BYTES_MIN = 4_096

export type LinkLimits = { readonly [name in keyof typeof LINK_LIMITS]: number }
