/** Writes the sources that are generated from the contract and from the documentation; the build does it first of all. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { factsFile } from './client/facts-file.ts'
import { shapesFile } from './client/shapes-file.ts'
import { topicTextsFile } from './help-topics.ts'

const FILES: Readonly<Record<string, (docs: string) => string>> = {
  'src/surfaces/library/generated/shapes.ts': shapesFile,
  'src/surfaces/library/generated/facts.ts': factsFile,
  'src/surfaces/cli/help/topic-texts.ts': topicTextsFile,
}

/** A file that is as it should be stays as it is: its time says when the contract changed. */
export const writeGeneratedFiles = (root: string): void => {
  for (const [file, textOf] of Object.entries(FILES)) {
    const path = join(root, file)
    const text = textOf(join(root, 'docs'))
    mkdirSync(dirname(path), { recursive: true })
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
  }
}
