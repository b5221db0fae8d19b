/** The root of the repository, from the sources and from the bundles in `dist` alike, which lie at other depths. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const rootAbove = (folder: string): string => {
  if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'node_modules'))) return folder
  if (dirname(folder) === folder) throw new Error('the tests are in no repository')
  return rootAbove(dirname(folder))
}

export const ROOT_FOLDER = rootAbove(dirname(fileURLToPath(import.meta.url)))

/** `dist/svc.cjs`, `test/fixtures/...` */
export const fromRoot = (path: string): string => join(ROOT_FOLDER, path)
