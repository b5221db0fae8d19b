#!/usr/bin/env node
/**
 * The thin entry. This half of the command line is bundled as CommonJS, because an empty ES module alone costs a sixth of
 * a Node start, and in small pieces, because reading what is not needed costs as well. The build names the modules where the other half begins.
 */
import { closeSync, fstatSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { withPieces } from './code-cache.ts'

const STDOUT = 1
const argv = process.argv.slice(2)

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
const closeGoneTerminals = (): void => {
  for (const fd of STANDARD_STREAMS.filter(isGone)) closeSync(fd)
}

const start = async (): Promise<void> => {
  // biome-ignore lint/suspicious/noGlobalAssign: what `import()` becomes in the build asks for pieces by this name
  require = withPieces(require, __dirname)
  const { main } = await import('./start.ts')
  const code = await main(argv)
  closeGoneTerminals()
  process.exit(code)
}

// The stream of stdout alone costs a sixth of a Node start, too.
const isVersion = argv.length === 1 && argv[0] === '--version'

try {
  if (isVersion) writeSync(STDOUT, `${__SVC_VERSION__}\n`)
  else void start()
} catch {
  // Nobody reads, or nothing can be written: the usual way knows what to do.
  void start()
}
