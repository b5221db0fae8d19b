/** The project's own source files, as text and as imports. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

export interface Source {
  /** Path from the top of the project. */
  path: string
  text: string
  /** The text with comments and string contents blanked, so that words in them do not count. */
  code: string
  imports: Import[]
}

export interface Import {
  specifier: string
  /** Path from the top of the project, for a relative import. */
  path: string | undefined
  typeOnly: boolean
}

const STATEMENT =
  /^(?:import|export)\s+(type\s+)?[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm

const importsOf = (path: string, text: string): Import[] =>
  [...text.matchAll(STATEMENT)].map(match => {
    const specifier = match[2] ?? match[3] ?? match[4] ?? ''
    const local = specifier.startsWith('.')
    return {
      specifier,
      path: local ? relative(ROOT, resolve(ROOT, dirname(path), specifier)) : undefined,
      typeOnly: match[1] !== undefined,
    }
  })

const blank = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/\/\/.*$/gm, '')

const filesUnder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesUnder(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })

export const sourcesUnder = (...folders: string[]): Source[] =>
  folders.flatMap(filesUnder).map(path => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    return { path, text, code: blank(text), imports: importsOf(path, text) }
  })
