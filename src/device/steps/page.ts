/** read_page, change_page and page_script. */
import type { Performers } from './performer.ts'

/** Few executions have a step about a page: the first one loads them. */
const pages = () => import('../pages/page-steps.ts')

export const PAGE_STEPS = {
  read_page: { link: async (params, options) => (await pages()).readPage(params, options) },
  change_page: { link: async (params, options) => (await pages()).changePage(params, options) },
  page_script: { link: async (params, options) => (await pages()).runPageScript(params, options) },
} as const satisfies Partial<Performers>
