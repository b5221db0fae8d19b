/** Builds `until-broken.ts` with one line of the sources replaced, and runs it; the sources themselves stay as they are. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build, type Plugin } from 'esbuild'
import { esModules } from '../../../src/build/esbuild.config.js'
import type { ProfileName } from '../plan/profiles.ts'
import type { TrialsResult } from '../until-broken.ts'
import type { Replacement } from './planted.ts'

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

/** The text of a file with the replacement; throws unless there is exactly one place for it. */
export const withReplacement = (text: string, { file, from, to }: Replacement): string => {
  const parts = text.split(from)
  if (parts.length === 2) return parts.join(to)
  throw new Error(`${file} has ${parts.length - 1} places of ${JSON.stringify(from)}, and must have one`)
}

const replacing = (replacement: Replacement): Plugin => ({
  name: 'planted',
  setup: ({ onLoad, onEnd }) => {
    const path = resolve(replacement.file)
    let isLoaded = false
    onLoad({ filter: /\.ts$/ }, loaded => {
      if (loaded.path !== path) return undefined
      isLoaded = true
      return { contents: withReplacement(readFileSync(path, 'utf8'), replacement), loader: 'ts' }
    })
    onEnd(() => (isLoaded ? {} : { errors: [{ text: `${replacement.file} is no part of the simulated world` }] }))
  },
})

/** The folder must be in this repository, where native packages are found. */
export const bundleTrials = async (folder: string, replacement?: Replacement): Promise<string> => {
  const outfile = join(folder, 'until-broken.js')
  await build({
    ...esModules,
    entryPoints: ['test/simulation/until-broken.ts'],
    outfile,
    logLevel: 'silent',
    plugins: replacement ? [replacing(replacement)] : [],
  })
  return outfile
}

const run = promisify(execFile)

export const tryTrials = async (
  bundle: string,
  { profile = 'core', from, count, law }: { profile?: ProfileName; from: number; count: number; law?: number },
): Promise<TrialsResult> => {
  const values = [profile, from, count, ...(law === undefined ? [] : [law])]
  const { stdout } = await run(process.execPath, [bundle, ...values.map(String)], { maxBuffer: OUTPUT_BYTES_MAX })
  return JSON.parse(stdout) as TrialsResult
}
