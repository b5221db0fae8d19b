/**
 * The parts of a page that are generated, between `<!-- generated: name -->` and `<!-- end -->`, and the pages where
 * they are out of date.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

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

export type Regions = Readonly<Record<string, () => string>>

const REGION = /^<!-- generated: ([a-z-]+) -->\n[\s\S]*?^<!-- end -->$/gm

/** A region that nobody generates is an error: it would stay as it is for ever. */
export const fillRegions = (source: string, regions: Regions): string =>
  source.replace(REGION, (_, name: string) => {
    const text = regions[name]?.()
    if (text === undefined) throw new Error(`Nothing generates the region "${name}".`)
    return `<!-- generated: ${name} -->\n\n${text.trim()}\n\n<!-- end -->`
  })
