#!/usr/bin/env node
/**
 * The thin entry. The program is bundled as CommonJS, because an empty ES module alone costs a sixth of a Node start and a
 * hundred of them cost more than what they do, and in pieces, because reading what is not needed costs as well.
 */
import { closeSync, fstatSync, statSync, writeSync } from 'node:fs'
import { loadPieces } from './pieces.ts'

const STDOUT = 1
const argv = process.argv.slice(2)

const STANDARD_STREAMS = [0, 1, 2]

/**
 * A terminal that was closed is a character device still, and no terminal any more. The null device is none either, and
 * needs no answer of `node:tty`, which loads `node:net` and so costs a sixth of a Node start.
 */
const isGone = (fd: number): boolean => {
  try {
    const stats = fstatSync(fd)
    if (!stats.isCharacterDevice() || stats.rdev === statSync('/dev/null').rdev) return false
    return !process.getBuiltinModule('node:tty').isatty(fd)
  } catch {
    return false
  }
}

/** Node gives a terminal its settings back when it exits, and aborts if the terminal has gone; it skips what is closed. */
const closeGoneTerminals = (): void => {
  for (const fd of STANDARD_STREAMS.filter(isGone)) closeSync(fd)
}

const start = async (): Promise<void> => {
  const loaded = loadPieces(require, __dirname, process.env)
  // biome-ignore lint/suspicious/noGlobalAssign: what `import()` becomes in the build asks for pieces by this name
  require = loaded.require
  const { main } = await import('./start.ts')
  const code = await main(argv, loaded.code)
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
