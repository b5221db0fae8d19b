/** What the documents for developers name is there, and a bare file name means one file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proseOf, spansOf } from '../build/docs/documents.ts'
import { ROOT } from './sources.ts'

const FOLDERS = ['src', 'machines', 'statecharts', 'test']
/** Kept inputs and samples: no document sends anybody to one of them by its bare name. */
const DATA = /^test\/(fixtures|fuzz\/corpus)\//

const files = FOLDERS.flatMap(folder =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(ROOT.length + 1)),
)

const READMES = files.filter(path => basename(path) === 'README.md' && !DATA.test(path))
const DOCUMENTS = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...READMES]

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const PATH = /^(?:\.?[\w-][\w.-]*\/)+[\w.-]*$|^[\w-][\w.-]*\.(?:tsx?|js|json|md)$/
/** Made by the build, and paths of requests and media types, are no files of the sources. */
const NO_SOURCE = /^(?:dist|application|text|image)\//

const pathsIn = (text: string): string[] => spansOf(text).filter(span => PATH.test(span) && !NO_SOURCE.test(span))

/** A folder means itself; a bare name is one file below the folder of its document, or one of the root. */
const problemOf = (document: string, path: string): string | undefined => {
  const folder = dirname(document)
  if (existsSync(join(ROOT, path)) || existsSync(join(ROOT, folder, path))) return undefined
  if (path.includes('/')) return `${document}: ${path} is not there`
  const below = files.filter(
    file => basename(file) === path && !DATA.test(file) && (folder === '.' || file.startsWith(`${folder}/`)),
  )
  if (below.length === 1) return undefined
  return `${document}: ${path} is ${below.length === 0 ? 'not there' : `one of ${below.length} files`}`
}

describe('the documents for developers', () => {
  test.each(DOCUMENTS)('%s names what is there, and each file by one name', document => {
    const problems = pathsIn(textOf(document)).flatMap(path => problemOf(document, path) ?? [])
    expect(problems).toEqual([])
  })

  test('a path that leads nowhere, and a name of several files, are found', () => {
    expect(problemOf('ARCHITECTURE.md', 'src/nowhere/')).toBeDefined()
    expect(problemOf('ARCHITECTURE.md', 'thread.ts')).toBeDefined()
    expect(problemOf('src/runtime/README.md', 'journal/journal.ts')).toBeUndefined()
    expect(pathsIn('See `src/runtime/host.ts` and `GET /docs`.')).toEqual(['src/runtime/host.ts'])
  })

  test('links lead to what is there', () => {
    const broken = DOCUMENTS.flatMap(document =>
      [...proseOf(textOf(document)).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
        .map(([, path = '']) => path)
        .filter(path => !existsSync(join(ROOT, dirname(document), path)))
        .map(path => `${document}: ${path}`),
    )
    expect(broken).toEqual([])
  })

  test('ARCHITECTURE.md has at most 12 KB, and a README of a folder 20 to 60 lines', () => {
    expect(Buffer.byteLength(textOf('ARCHITECTURE.md'))).toBeLessThanOrEqual(12 * 1_024)
    const lines = (path: string) => textOf(path).split('\n').length - 1
    expect(READMES.filter(path => lines(path) < 20 || lines(path) > 60)).toEqual([])
  })
})
