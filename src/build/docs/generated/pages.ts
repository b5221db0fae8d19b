/** The pages of `docs/` with their generated parts as they should be. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillRegions, type Regions } from './regions.ts'

export interface StalePage {
  file: string
  text: string
}

/** Pages whose text differs from what the declarations say now. */
export const stalePages = (folder: string, regions: Regions): StalePage[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.md'))
    .flatMap(file => {
      const source = readFileSync(join(folder, file), 'utf8')
      const text = fillRegions(source, regions)
      return text === source ? [] : [{ file, text }]
    })
