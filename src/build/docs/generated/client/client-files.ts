/** Writes the files of the library that are generated from the contract; the build does it first of all. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { factsFile } from './facts-file.ts'
import { shapesFile } from './shapes-file.ts'

const FILES: Readonly<Record<string, () => string>> = { 'shapes.ts': shapesFile, 'facts.ts': factsFile }

/** A file that is as it should be stays as it is: its time says when the contract changed. */
export const writeClientFiles = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
  for (const [file, textOf] of Object.entries(FILES)) {
    const path = join(folder, file)
    const text = textOf()
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
  }
}
