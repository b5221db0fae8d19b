/** Loads the steps about pages with the first one: few executions have any. */
import type { Action } from '../../contracts/executions/action.ts'
import type { HostStepOptions } from '../host-steps.ts'

export type PageAction = Extract<Action, { type: 'read_page' | 'change_page' | 'page_script' }>

export const performInPage = async (action: PageAction, options: HostStepOptions): Promise<Record<string, string>> => {
  const { changePage, readPage, runPageScript } = await import('./page-steps.ts')
  if (action.type === 'read_page') return readPage(action.params, options)
  if (action.type === 'change_page') return changePage(action.params, options)
  return runPageScript(action.params, options)
}
