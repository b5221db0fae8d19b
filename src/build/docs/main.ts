/** `npm run docs`: writes the generated parts of `docs/`, or with `--check` says which are out of date. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stalePages } from './generated/regions.ts'
import { regionsOfDocs } from './generated/regions-of-docs.ts'

/** Seen from the bundle in `dist/dev`. */
const folder = (name: string) => fileURLToPath(new URL(`../../${name}/`, import.meta.url))

const isCheck = process.argv.includes('--check')
const stale = stalePages(folder('docs'), await regionsOfDocs())
for (const { file, text } of stale) {
  if (!isCheck) writeFileSync(folder('docs') + file, text)
  console.log(`docs/${file}: ${isCheck ? 'stale' : 'written'}`)
}
if (stale.length === 0) console.log('docs: up to date')
else if (isCheck) {
  console.log('Run `npm run docs`.')
  process.exitCode = 1
}
