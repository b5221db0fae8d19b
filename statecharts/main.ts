/** `npm run statecharts`: writes the pictures of all machines, or with `--check` says which are out of date. */
import { fileURLToPath } from 'node:url'
import { CHARTS } from '../machines/charts.ts'
import { bringUpToDate } from './folder.ts'
import { outputsOf } from './outputs.ts'

/** Seen from the bundle in `dist/dev`. */
const FOLDER = fileURLToPath(new URL('../../statecharts/', import.meta.url))

const { said, exitCode } = bringUpToDate(FOLDER, await outputsOf(CHARTS), {
  check: process.argv.includes('--check'),
})

for (const line of said) console.log(line)
process.exitCode = exitCode
