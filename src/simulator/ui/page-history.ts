/** Goes back and forward among the pages of an app, as the history of its web view does: never to a screen without a page. */
import { everyNode } from '../scenario/app.ts'
import type { Tasks } from './foreground.ts'
import type { OpenScreen } from './open-screen.ts'

interface Here {
  entry: OpenScreen
  tasks: Pick<Tasks, 'back' | 'reopen' | 'stackOf'>
}

const hasPage = ({ screen }: OpenScreen): boolean => everyNode(screen.nodes).some(({ page }) => page !== undefined)

/** At the first page it does nothing, as in a browser. */
export const pageBack = ({ entry, tasks }: Here): void => {
  const [below, front] = tasks.stackOf(entry.app).slice(-2)
  if (!below || front !== entry || !hasPage(entry) || !hasPage(below)) return
  tasks.back()
  below.ahead = [entry, ...(entry.ahead ?? [])]
  entry.ahead = undefined
}

export const pageForward = ({ entry, tasks }: Here): void => {
  const [next, ...further] = entry.ahead ?? []
  if (!next || tasks.stackOf(entry.app).at(-1) !== entry) return
  tasks.reopen(next)
  next.ahead = further
  entry.ahead = undefined
}
