/** Closes terminals that have gone, before this process exits. */
import { closeSync, fstatSync } from 'node:fs'
import { isatty } from 'node:tty'

const STANDARD_STREAMS = [0, 1, 2]

/** A terminal that was closed is a character device still, and no terminal any more. */
const isGone = (fd: number): boolean => {
  try {
    return fstatSync(fd).isCharacterDevice() && !isatty(fd)
  } catch {
    return false
  }
}

/** Node gives a terminal its settings back when it exits, and aborts if the terminal has gone; it skips what is closed. */
export const closeGoneTerminals = (): void => {
  for (const fd of STANDARD_STREAMS.filter(isGone)) closeSync(fd)
}
