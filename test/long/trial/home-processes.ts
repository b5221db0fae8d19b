/** The processes of one home, found by their environment: also those that their starter did not live to end. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Kind } from './plan.ts'

export interface HomeProcess {
  pid: number
  /** An adb server that a command has started goes on after it. */
  kind: Kind | 'adb'
  words: readonly string[]
}

const kindOf = (words: readonly string[]): HomeProcess['kind'] => {
  if (words[0] === 'adb' || words[0]?.endsWith('/adb')) return 'adb'
  if (words.includes('serve')) return 'serve'
  return words.includes('daemon') && words.includes('run') ? 'daemon' : 'client'
}

const wordsIn = (path: string) => readFileSync(path, 'utf8').split('\0')

const processOf = (pid: number, home: string): HomeProcess | undefined => {
  try {
    if (!wordsIn(`/proc/${pid}/environ`).includes(`SVC_HOME=${home}`)) return undefined
    const words = wordsIn(`/proc/${pid}/cmdline`).filter(word => word !== '')
    // A process that was killed and not yet waited for has no command line.
    return words.length === 0 ? undefined : { pid, kind: kindOf(words), words }
  } catch {
    return undefined
  }
}

export const processesOf = (home: string): HomeProcess[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(pid => processOf(Number(pid), home) ?? [])

export const kill = (pid: number, signal: NodeJS.Signals = 'SIGKILL'): boolean => {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
