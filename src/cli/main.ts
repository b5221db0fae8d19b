#!/usr/bin/env node
/**
 * The thin entry. This half of the command line is bundled as CommonJS, because an empty ES module alone costs a sixth of
 * a Node start, and in small pieces, because reading what is not needed costs as well. The build names the modules where the other half begins.
 */
import { writeSync } from 'node:fs'
import { withPieces } from './code-cache.ts'
import { closeGoneTerminals } from './gone-terminal.ts'

const STDOUT = 1
const argv = process.argv.slice(2)

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
