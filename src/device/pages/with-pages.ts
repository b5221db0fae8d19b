/** A driver whose trees have the pages of web views in them where a step asks for these. */
import type { Link } from '../link/link.ts'
import type { ShellOptions } from '../operators/shell/device-shell.ts'
import type { UiDriver } from '../screen/driver.ts'

/** The reading of pages is loaded with the first step that needs it. */
export const withPages = (driver: UiDriver, link: Link | (() => Promise<Link>), options: ShellOptions): UiDriver => ({
  ...driver,
  async tree(how = {}) {
    const tree = await driver.tree(how)
    const { web, until = options.deadline } = how
    if (!tree || !web) return tree
    const { readPages } = await import('./read-pages.ts')
    return await readPages(tree, { link: typeof link === 'function' ? await link() : link, options, query: web, until })
  },
})
