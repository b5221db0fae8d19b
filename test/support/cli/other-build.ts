/** Another build of the same program, in a folder of its own: what a user has who upgrades, or has two on the PATH. */
import { appendFileSync, cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLI } from './run-cli.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The path of its program. */
export const otherBuild = (folder: string): string => {
  const copy = join(realpathSync(folder), 'other')
  mkdirSync(copy)
  cpSync(dirname(CLI), join(copy, 'dist'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const program = join(copy, 'dist', 'svc.cjs')
  appendFileSync(program, '// of another time\n')
  return program
}
