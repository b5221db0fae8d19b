/**
 * Loads the pieces of the program, compiled where an earlier process kept their code: to compile them costs a call of `svc`
 * more than to run them. Node 22 has `enableCompileCache` for this, 20 has nothing.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { codeFolder, codeOrigin, codePath, isTrustedFolder, nodeBuild, readCode } from './code-cache.ts'
import type { LoadedCode, LoadedPiece } from './keep-code.ts'

/** A smaller piece is compiled sooner than its code is read. */
const SMALLEST = 16_384

/** Wraps a source like Node wraps a CommonJS module. */
const wrapped = (source: string): string => `(function (exports, require, module) {${source}\n})`

/**
 * Gives a `require` that takes the path of a piece as it is written: to look where Node would look for a module costs as
 * much as reading it. The pieces ask by the same way.
 */
export const loadPieces = (ordinary: NodeJS.Require, root: string, env: NodeJS.ProcessEnv) => {
  const { cache } = ordinary
  const build = nodeBuild()
  const folder = codeFolder(env)
  const isTrusted = folder !== undefined && isTrustedFolder(folder)
  const pieces: LoadedPiece[] = []

  const compile = (file: string): Script => {
    const source = readFileSync(file)
    // The build writes ASCII alone, and decoding three megabytes of UTF-8 costs a fifth of a Node start.
    const text = wrapped(source.toString('latin1'))
    if (folder === undefined || source.length < SMALLEST) return new Script(text, { filename: file })
    const origin = codeOrigin(source, build)
    const path = codePath(folder, file, origin)
    const kept = isTrusted ? readCode(path, origin) : undefined
    const script = new Script(text, { filename: file, ...(kept ? { cachedData: kept.code } : {}) })
    const used = script.cachedDataRejected === false ? kept : undefined
    const { lookedAtMs = 0, code } = used ?? {}
    pieces.push({ path, origin, sourceBytes: source.length, script, lookedAtMs, keptBytes: code?.length ?? 0 })
    return script
  }

  const loadPiece = (file: string): unknown => {
    const loaded = cache[file]
    if (loaded) return loaded.exports
    const module = { exports: {}, filename: file } as NodeJS.Module
    const script = compile(file)
    cache[file] = module
    script.runInThisContext().call(module.exports, module.exports, requireFrom(dirname(file)), module)
    return module.exports
  }

  const requireFrom = (folder: string): NodeJS.Require => {
    const take = (id: string): unknown => (id.startsWith('.') ? loadPiece(join(folder, id)) : ordinary(id))
    return Object.assign(take, ordinary)
  }

  return { require: requireFrom(root), code: { folder, pieces } satisfies LoadedCode }
}
