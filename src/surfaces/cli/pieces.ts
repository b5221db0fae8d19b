/**
 * Loads the pieces of the program, compiled where an earlier process kept their code: to compile them costs a call of `svc`
 * more than to run them. Node 22 has `enableCompileCache` for this, 20 has nothing.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { codeFolder, codeOrigin, codePath, isTrustedFolder, nodeBuild, readCode } from './code-cache.ts'
import type { KeepOptions, LoadedPiece } from './keep-code.ts'

/** A smaller piece is compiled sooner than its code is read. */
const SMALLEST = 16_384

/** After this time a command looks whether it compiled more than is kept. */
const LOOK_AGAIN_MS = 60 * 60 * 1_000

/** A command that has ended spends this part of its time on it, or the time of one piece: the next one goes on. */
const SHARE = 0.05
const MS_PER_S = 1_000

/** A process that lasts has done its usual work by then: first its start, then what it was asked. */
const LASTING_MS = [5_000, 60_000]
/** The event loop counts as idle when it worked for less than a tenth of this time. */
const WATCHED_MS = 500
const IDLE = 0.1

/** As Node itself wraps a CommonJS module. */
const wrapped = (source: string): string => `(function (exports, require, module) {${source}\n})`

/** Does not keep the process. */
const idlePause = (clock: Clock, ms: number): Promise<void> =>
  new Promise(resolve => clock.at(clock.now() + ms, resolve, { idle: true }))

const untilIdle = async (clock: Clock): Promise<true> => {
  const { performance } = process.getBuiltinModule('node:perf_hooks')
  const before = performance.eventLoopUtilization()
  await idlePause(clock, WATCHED_MS)
  return performance.eventLoopUtilization(before).utilization > IDLE ? untilIdle(clock) : true
}

/**
 * Gives a `require` that takes the path of a piece as it is written: to look where Node would look for a module costs as
 * much as reading it. The pieces ask by the same way.
 */
export const loadPieces = (ordinary: NodeJS.Require, root: string, env: NodeJS.ProcessEnv) => {
  const clock = systemClock()
  const { cache } = ordinary
  const build = nodeBuild()
  const folder = codeFolder(env)
  const isTrusted = folder !== undefined && isTrustedFolder(folder)
  const known: LoadedPiece[] = []

  const compile = (file: string): Script => {
    const source = readFileSync(file)
    // The build writes ASCII alone, and decoding three megabytes of UTF-8 costs a fifth of a Node start.
    const text = wrapped(source.toString('latin1'))
    if (folder === undefined || source.length < SMALLEST) return new Script(text, { filename: file })
    const origin = codeOrigin(source, build)
    const path = codePath(folder, file, origin)
    const kept = isTrusted ? readCode(path, origin) : undefined
    const script = new Script(text, { filename: file, ...(kept ? { cachedData: kept.code } : {}) })
    const isUsed = kept !== undefined && script.cachedDataRejected === false
    const isDue = !isUsed || clock.now() - kept.lookedAtMs > LOOK_AGAIN_MS
    known.push({ path, origin, sourceBytes: source.length, script, isDue, keptBytes: isUsed ? kept.code.length : 0 })
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

  const keep = async (pieces: readonly LoadedPiece[], isTime: KeepOptions['isTime']): Promise<void> => {
    if (folder === undefined || pieces.length === 0) return
    try {
      const { keepCode } = await import('./keep-code.ts')
      await keepCode(pieces, { folder, clock, isTime })
    } catch {
      // The program was replaced meanwhile.
      return
    }
  }

  return {
    require: requireFrom(root),
    /** For the end of a command, when all is printed. */
    keep(): Promise<void> {
      const due = known.filter(({ isDue }) => isDue)
      const until = clock.elapsed() + process.uptime() * MS_PER_S * SHARE
      return keep(due, () => clock.elapsed() < until || due.every(({ isDue }) => isDue))
    },
    /** For a process that lasts: it keeps what it compiled when nobody asks it for anything. */
    async keepWhileLasting(): Promise<void> {
      for (const ms of LASTING_MS) {
        await idlePause(clock, ms)
        await keep([...known], () => untilIdle(clock))
      }
    },
  }
}
