/** The kept inputs of a target: small files below `test/fuzz/corpus`, named by their contents. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromRoot } from '../support/root.ts'

const CORPUS = fromRoot('test/fuzz/corpus')
const NAME_CHARS = 12

const folderOf = (target: string): string => join(CORPUS, target)

export const inputName = (input: Buffer): string =>
  createHash('sha256').update(input).digest('hex').slice(0, NAME_CHARS)

/** Those that begin with `defect-` have shown one, and stay whatever code they reach. */
export const DEFECT = 'defect-'

export interface KeptInput {
  name: string
  input: Buffer
}

export const readCorpus = (target: string): KeptInput[] => {
  const folder = folderOf(target)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .map(name => ({ name, input: readFileSync(join(folder, name)) }))
}

/** Defects stay, everything else is replaced. */
export const writeCorpus = (target: string, inputs: readonly Buffer[]): void => {
  const folder = folderOf(target)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (!name.startsWith(DEFECT)) rmSync(join(folder, name))
  for (const input of inputs) writeFileSync(join(folder, inputName(input)), input)
}
