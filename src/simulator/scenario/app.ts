/** An app of a scenario: its screens, and the intents that open it. */
import * as v from 'valibot'
import { count } from '../../contracts/numbers.ts'
import { closedObject } from '../../contracts/objects.ts'
import { Colour, KeyReactions, ScenarioNode } from './node.ts'
import { effectEntries, Name, type Reaction } from './reaction.ts'

const PackageName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z]\w*(\.\w+)*$/, 'must be a package name such as com.example.notes'),
)

const screenEntries = {
  /** `.Name` in the package of the app, or in full; left out, it is made of the name of the screen. */
  activity: v.exactOptional(
    v.pipe(v.string(), v.regex(/^\.?[\w$]+(\.[\w$]+)*$/, 'must be an activity such as .MainActivity')),
  ),
  nodes: v.array(ScenarioNode),
  onKey: v.exactOptional(KeyReactions, () => ({})),
  background: v.exactOptional(Colour, '#F8F9FC'),
}
const Screen = closedObject(screenEntries)

/** Matches an intent that has this action (none means android.intent.action.VIEW) and, when given, such a uri. */
const intentEntries = {
  action: v.exactOptional(Name),
  /** `*` stands for anything. */
  uri: v.exactOptional(Name),
  ...effectEntries,
}
const IntentRule = v.pipe(
  closedObject(intentEntries),
  v.check(({ action, uri }) => action !== undefined || uri !== undefined, 'needs an action or a uri to match'),
)

const appEntries = {
  package: PackageName,
  label: Name,
  versionName: v.exactOptional(Name, '1.0'),
  versionCode: v.exactOptional(count, 1),
  /** The screen it opens with; left out, the first one. */
  start: v.exactOptional(Name),
  screens: v.pipe(v.record(v.string(), Screen), v.minEntries(1, 'needs a screen')),
  intents: v.exactOptional(v.array(IntentRule), () => []),
  /** The colour of its tile on the launcher. */
  icon: v.exactOptional(Colour, '#1A73E8'),
}
const WrittenApp = closedObject(appEntries)

export interface ScenarioScreen {
  name: string
  activity: string
  nodes: readonly ScenarioNode[]
  onKey: Readonly<Record<string, readonly Reaction[]>>
  background: string
  /** Some node comes or goes by itself. */
  gated: boolean
}

export interface ScenarioApp {
  package: string
  label: string
  versionName: string
  versionCode: number
  start: string
  screens: ReadonlyMap<string, ScenarioScreen>
  intents: readonly v.InferOutput<typeof IntentRule>[]
  icon: string
  /** Nodes that reactions can name. */
  ids: ReadonlyMap<string, ScenarioNode>
}

const everyNode = (nodes: readonly ScenarioNode[]): ScenarioNode[] =>
  nodes.flatMap(node => [node, ...everyNode(node.nodes)])

const activityOf = (name: string): string =>
  `.${name.replace(/(^|\W+)(\w)/g, (_, _gap, letter: string) => letter.toUpperCase())}Activity`

const isGated = ({ appearsAfter, disappearsAfter }: ScenarioNode) =>
  appearsAfter !== undefined || disappearsAfter !== undefined

const filledIn = (app: v.InferOutput<typeof WrittenApp>): ScenarioApp => {
  const screens = Object.entries(app.screens).map(([name, screen]): [string, ScenarioScreen] => {
    const gated = everyNode(screen.nodes).some(isGated)
    return [name, { ...screen, name, activity: screen.activity ?? activityOf(name), gated }]
  })
  const nodes = screens.flatMap(([, screen]) => everyNode(screen.nodes))
  const ids = nodes.flatMap(node => (node.id === undefined ? [] : [[node.id, node] as const]))
  return { ...app, start: app.start ?? screens[0]?.[0] ?? '', screens: new Map(screens), ids: new Map(ids) }
}

export const App = v.pipe(WrittenApp, v.transform(filledIn))
export type WrittenApp = v.InferInput<typeof WrittenApp>

export const APP_KEYS = Object.keys(appEntries)
export const SCREEN_KEYS = Object.keys(screenEntries)
export const INTENT_KEYS = Object.keys(intentEntries)
