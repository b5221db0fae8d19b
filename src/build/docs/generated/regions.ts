/** The parts of a page that are generated: what stands between `<!-- generated: name -->` and `<!-- end -->`. */

export type Regions = Readonly<Record<string, () => string>>

const REGION = /^<!-- generated: ([a-z-]+) -->\n[\s\S]*?^<!-- end -->$/gm

/** A region that nobody generates is an error: it would stay as it is for ever. */
export const fillRegions = (source: string, regions: Regions): string =>
  source.replace(REGION, (_, name: string) => {
    const text = regions[name]?.()
    if (text === undefined) throw new Error(`Nothing generates the region "${name}".`)
    return `<!-- generated: ${name} -->\n\n${text.trim()}\n\n<!-- end -->`
  })
