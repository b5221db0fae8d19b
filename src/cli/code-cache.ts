/** Pieces of the quick half come compiled from the build: to compile them costs a call of `svc` more than to run them. */
import { readFileSync } from 'node:fs'
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

/** V8 itself refuses the code of another version of V8; then the piece is compiled as ever. */
export const useCodeCache = (extensions: NodeJS.RequireExtensions): void => {
  const usual = extensions['.js']
  extensions['.cjs'] = (module, filename) => {
    const cachedData = codeOf(filename)
    if (!cachedData) return usual?.(module, filename)
    const script = new Script(wrapped(readFileSync(filename, 'utf8')), { filename, cachedData })
    script.runInThisContext().call(module.exports, module.exports, (id: string) => module.require(id), module)
  }
}
