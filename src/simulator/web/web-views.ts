/** The web views of a simulated phone: their sockets, and what is behind each. */

import { normalPath } from '../files.ts'
import type { AppSocket, PhoneFiles } from '../phone-parts.ts'
import { everyNode, type ScenarioApp } from '../scenario/app.ts'
import type { PlacedNode } from '../ui/layout.ts'
import type { Ui } from '../ui/ui.ts'
import { connectInspector, type InspectedPage } from './inspector.ts'
import type { PageHands } from './page-asks.ts'
import { createPageHandles, type PageHandles } from './page-handles.ts'

interface WebViewsOptions {
  apps: readonly ScenarioApp[]
  ui: Pick<Ui, 'scene' | 'isRunning' | 'openPage' | 'pageBack' | 'pageForward' | 'setText'>
  density: number
  isAwake(): boolean
  pidOf(packageName: string): number
  /** Further inspectors by the package of their app, such as one of a real browser. */
  inspectors?: Inspectors | undefined
}

/** Listed as sockets of web views while the app runs, in the place of the scenario's own. */
export type Inspectors = Readonly<Record<string, () => AppSocket>>

export const UNIX_SOCKETS = '/proc/net/unix'
const CHROME = 'com.android.chrome'
const HEADER = 'Num       RefCount Protocol Flags    Type St Inode Path'
const FIRST_INODE = 31_000

const isInspected = (app: ScenarioApp): boolean =>
  [...app.screens.values()].some(({ nodes }) => everyNode(nodes).some(({ page }) => page?.debuggable))

const pagesIn = (roots: readonly PlacedNode[], density: number, handles: PageHandles): InspectedPage[] =>
  roots.flatMap(view => {
    const { page } = view.source
    if (!page?.debuggable) return pagesIn(view.children, density, handles)
    return [{ view, density, handles, title: page.title, url: page.url, bounds: view.bounds }]
  })

export const createWebViews = ({ apps, ui, density, isAwake, pidOf, inspectors = {} }: WebViewsOptions) => {
  const socketOf = ({ package: name }: ScenarioApp) =>
    name === CHROME ? 'chrome_devtools_remote' : `webview_devtools_remote_${pidOf(name)}`
  const open = () =>
    apps.filter(app => ui.isRunning(app.package) && (isInspected(app) || inspectors[app.package] !== undefined))
  /** A screen that is opened anew is another document, and so is one whose page was loaded again. */
  const documents = new WeakMap<object, PageHandles>()
  let count = 0
  const newDocument = (entry: object): PageHandles => {
    count += 1
    const handles = createPageHandles(`sim${count}`)
    documents.set(entry, handles)
    return handles
  }
  /** Only the screen in front has pages; those of other screens are not shown. */
  const pagesOf = (app: ScenarioApp) => () => {
    const { entry, roots } = ui.scene()
    return isAwake() && entry.app === app ? pagesIn(roots, density, documents.get(entry) ?? newDocument(entry)) : []
  }
  const hands: PageHands = {
    navigate: ui.openPage,
    back: ui.pageBack,
    forward: ui.pageForward,
    reload: () => void newDocument(ui.scene().entry),
    clear: node => ui.setText(node, '', { append: false, submit: false }),
  }
  const table = () =>
    [
      HEADER,
      ...open().map(
        (app, at) => `0000000000000000: 00000002 00000000 00010000 0001 01 ${FIRST_INODE + at} @${socketOf(app)}`,
      ),
      '',
    ].join('\n')

  return {
    connect(name: string): AppSocket | undefined {
      const app = open().find(each => socketOf(each) === name)
      if (!app) return undefined
      return inspectors[app.package]?.() ?? connectInspector(pagesOf(app), hands)
    },
    /** Puts the list of the phone's sockets among its files, as it is at each reading. */
    listIn(files: PhoneFiles): void {
      const { read, entry } = files
      const isTable = (path: string) => normalPath(path) === UNIX_SOCKETS
      const file = () => ({ content: Buffer.from(table()), mode: 0o444, mtime: 0 })
      files.read = path => (isTable(path) ? file() : read(path))
      files.entry = path => (isTable(path) ? { kind: 'file', ...file() } : entry(path))
    },
  }
}
