#!/usr/bin/env node
/**
 * The thin entry. The program is bundled as CommonJS, because an empty ES module alone costs a sixth of a Node start and a
 * hundred of them cost more than what they do, and in pieces, because reading what is not needed costs as well.
 */
import { closeSync, fstatSync, readFileSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { openCode } from './code-cache.ts'

/** A piece with its code, or undefined where it is to be compiled as ever. */
const compiledPiece = (file: string): { source: Buffer; cachedData: Buffer } | undefined => {
  try {
    const sealed = readFileSync(`${file}.code`)
    const source = readFileSync(file)
    const cachedData = openCode(source, sealed)
    return cachedData && { source, cachedData }
  } catch {
    return undefined
  }
}

/** Node 22 has `enableCompileCache` for this, 20 has nothing. As Node itself wraps a CommonJS module, and as the build does. */
const wrapped = (source: string): string => `(function (exports, require, module) {${source}\n})`

/**
 * Pieces come compiled from the build: to compile them costs a call of `svc` more than to run them. Gives a `require` that takes the path of a piece as it is written: to look where Node would look for a module costs as much as
 * reading it. The pieces ask by the same way.
 */
const withPieces = (ordinary: NodeJS.Require, folder: string): NodeJS.Require => {
  const { cache } = ordinary

  const loadPiece = (file: string): unknown => {
    const known = cache[file]
    if (known) return known.exports
    const piece = compiledPiece(file)
    if (!piece) return ordinary(file)
    const { source, cachedData } = piece
    const module = { exports: {}, filename: file } as NodeJS.Module
    cache[file] = module
    // The build writes ASCII alone, and decoding three megabytes of UTF-8 costs a fifth of a Node start.
    const script = new Script(wrapped(source.toString('latin1')), { filename: file, cachedData })
    script.runInThisContext().call(module.exports, module.exports, withPieces(ordinary, dirname(file)), module)
    return module.exports
  }

  const take = (id: string): unknown => (id.startsWith('.') ? loadPiece(join(folder, id)) : ordinary(id))
  return Object.assign(take, ordinary)
}

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
