/** Pieces of the quick half come compiled from the build: to compile them costs a call of `svc` more than to run them. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

const codeOf = (file: string): Buffer | undefined => {
  try {
    return readFileSync(`${file}.code`)
  } catch {
    return undefined
  }
}

/** Node 22 has `enableCompileCache` for this, 20 has nothing. As Node itself wraps a CommonJS module, and as the build does. */
const wrapped = (source: string): string => `(function (exports, require, module) {${source}\n})`

/**
 * A `require` that takes the path of a piece as it is written: to look where Node would look for a module costs as much as
 * reading it. The pieces ask by the same way.
 */
export const withPieces = (ordinary: NodeJS.Require, folder: string): NodeJS.Require => {
  const { cache } = ordinary

  const loadPiece = (file: string): unknown => {
    const known = cache[file]
    if (known) return known.exports
    const cachedData = codeOf(file)
    if (!cachedData) return ordinary(file)
    const module = { exports: {} } as NodeJS.Module
    cache[file] = module
    // V8 itself refuses the code of another version of V8; then the piece is compiled as ever.
    const script = new Script(wrapped(readFileSync(file, 'utf8')), { filename: file, cachedData })
    script.runInThisContext().call(module.exports, module.exports, withPieces(ordinary, dirname(file)), module)
    return module.exports
  }

  const take = (id: string): unknown => (id.startsWith('.') ? loadPiece(join(folder, id)) : ordinary(id))
  return Object.assign(take, ordinary)
}
