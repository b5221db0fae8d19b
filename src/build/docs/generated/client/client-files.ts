/** The generated files of the library, and those of them that are not as the contract says now. */
import { existsSync, readFileSync } from 'node:fs'
import { factsFile } from './facts-file.ts'
import { shapesFile } from './shapes-file.ts'

const FILES: Readonly<Record<string, () => string>> = { 'shapes.ts': shapesFile, 'facts.ts': factsFile }

export const staleClientFiles = (folder: string): { file: string; text: string }[] =>
  Object.entries(FILES).flatMap(([file, textOf]) => {
    const text = textOf()
    const isCurrent = existsSync(folder + file) && readFileSync(folder + file, 'utf8') === text
    return isCurrent ? [] : [{ file, text }]
  })
