/** The folder of the outputs: which files in it are out of date, and bringing them up to date. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outputs } from './outputs.ts'

export interface Difference {
  file: string
  is: 'missing' | 'stale' | 'left over'
}

/** Only these kinds are removed with their machine: sources live in the same folder. */
const isOutput = (file: string) => /\.(mmd|svg|json)$/.test(file)

export const differences = (folder: string, outputs: Outputs): readonly Difference[] => {
  const present = existsSync(folder) ? readdirSync(folder) : []
  const outdated = [...outputs].flatMap(([file, content]): Difference[] => {
    if (!present.includes(file)) return [{ file, is: 'missing' }]
    return readFileSync(join(folder, file), 'utf8') === content ? [] : [{ file, is: 'stale' }]
  })
  const leftOver = present.filter(file => isOutput(file) && !outputs.has(file)).sort()
  return [...outdated, ...leftOver.map((file): Difference => ({ file, is: 'left over' }))]
}

const update = (folder: string, outputs: Outputs, found: readonly Difference[]) => {
  mkdirSync(folder, { recursive: true })
  for (const { file } of found) {
    const content = outputs.get(file)
    if (content === undefined) rmSync(join(folder, file))
    else writeFileSync(join(folder, file), content)
  }
}

export interface Report {
  said: readonly string[]
  exitCode: 0 | 1
}

/** With `check` nothing is written, and a folder that is out of date is a failure. */
export const bringUpToDate = (folder: string, outputs: Outputs, { check }: { check: boolean }): Report => {
  const found = differences(folder, outputs)
  if (found.length === 0) return { said: ['statecharts: up to date'], exitCode: 0 }
  if (check) {
    return {
      said: [...found.map(({ file, is }) => `statecharts/${file}: ${is}`), 'Run `npm run statecharts`.'],
      exitCode: 1,
    }
  }
  update(folder, outputs, found)
  return {
    said: found.map(({ file, is }) => `statecharts/${file}: ${is === 'left over' ? 'removed' : 'written'}`),
    exitCode: 0,
  }
}
