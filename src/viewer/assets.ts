/** The files of the page as the build left them beside the program, each with the form that travels compressed. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'

export interface Asset {
  content: Buffer
  gzip: Buffer | undefined
  type: string
  etag: string
}

export type Assets = ReadonlyMap<string, Asset>

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const GZIP = '.gz'

/** Beside the program that was started; undefined where the page was not built. */
export const viewerFolder = (program: string | undefined): string | undefined => {
  if (program === undefined || !existsSync(program)) return undefined
  const folder = join(dirname(realpathSync(program)), 'inspector')
  return existsSync(folder) ? folder : undefined
}

export const loadAssets = (folder: string): Assets => {
  const names = readdirSync(folder)
  const read = (name: string) => readFileSync(join(folder, name))
  return new Map(
    names.flatMap((name): [string, Asset][] => {
      const type = TYPES[extname(name)]
      if (type === undefined) return []
      const content = read(name)
      const gzip = names.includes(name + GZIP) ? read(name + GZIP) : undefined
      const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
      return [[name, { content, gzip, type, etag }]]
    }),
  )
}
