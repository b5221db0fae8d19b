/** The files of a page as the build left them beside the program, each with the form that travels compressed. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

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
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

const GZIP = '.gz'

/** Beside the program that was started; undefined where the page was not built. */
const folderOf =
  (page: string) =>
  (program: string | undefined): string | undefined => {
    if (program === undefined || !existsSync(program)) return undefined
    const folder = join(dirname(realpathSync(program)), page)
    return existsSync(folder) ? folder : undefined
  }

export const viewerFolder = folderOf('inspector')

export const docsFolder = folderOf('docs')

/** A large file may be there in its compressed form alone. */
export const loadAssets = (folder: string): Assets => {
  const files = new Set(readdirSync(folder))
  const names = new Set([...files].map(name => (name.endsWith(GZIP) ? name.slice(0, -GZIP.length) : name)))
  const read = (name: string) => (files.has(name) ? readFileSync(join(folder, name)) : undefined)
  return new Map(
    [...names].flatMap((name): [string, Asset][] => {
      const type = TYPES[extname(name)]
      const gzip = read(name + GZIP)
      const content = read(name) ?? (gzip && gunzipSync(gzip))
      if (type === undefined || !content) return []
      const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
      return [[name, { content, gzip, type, etag }]]
    }),
  )
}
