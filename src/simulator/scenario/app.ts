/** An app of a scenario: its screens, and the intents that open it. */
import * as v from 'valibot'
import { closedObject, dictionary, keyedBy } from '../../contracts/json/objects.ts'
import { count, integer } from '../../contracts/json/scalars.ts'
import { NotificationWord } from './app-words.ts'
import { withDialogIds } from './dialog-ids.ts'
import {
  ACTIVITY_NAME,
  BoundsList,
  Colour,
  Name,
  PACKAGE_NAME,
  PermissionName,
  PermissionState,
} from './field-schemas.ts'
import { KeyReactions, listedByKey, ScenarioNode } from './node.ts'
import { CounterValue, effectEntries, listed, Reactions } from './reaction.ts'

const PackageName = v.pipe(v.string(), v.regex(PACKAGE_NAME, 'must be a package name such as com.example.notes'))

/** A window of its own over the screen before it; BACK and a tap beside it close it. */
const Dialog = closedObject({
  /** Left out, as high as what is in it. */
  bounds: v.exactOptional(BoundsList),
  at: v.exactOptional(v.picklist(['center', 'bottom']), 'center'),
  /** False: a tap beside it does nothing. */
  cancelable: v.exactOptional(v.boolean(), true),
})

const Screen = closedObject({
  /** `.Name` in the package of the app, or in full; left out, it is made of the name of the screen. */
  activity: v.exactOptional(v.pipe(v.string(), v.regex(ACTIVITY_NAME, 'must be an activity such as .MainActivity'))),
  nodes: v.array(ScenarioNode),
  onKey: v.exactOptional(KeyReactions),
  /** Done when an intent opens the app with this screen. */
  onStart: v.exactOptional(Reactions),
  /** False: only the app itself may start its activity. */
  exported: v.exactOptional(v.boolean(), true),
  background: v.exactOptional(Colour, '#F8F9FC'),
  dialog: v.exactOptional(Dialog),
  /** False: its nodes are the window itself, as in the dump of a device, and begin at the top edge of the screen. */
  frame: v.exactOptional(v.boolean(), true),
  /** Quarter turns. */
  rotation: v.exactOptional(integer({ min: 0, max: 3 }), 0),
  /** `resize` ends the screen above the keyboard, `cover` does not; left out, a screen with a list is resized. */
  keyboard: v.exactOptional(v.picklist(['resize', 'cover'])),
})

/** Matches an intent that has this action (none means android.intent.action.VIEW) and, when given, such a uri. */
const IntentRule = v.pipe(
  closedObject({
    action: v.exactOptional(Name),
    /** `*` stands for anything. */
    uri: v.exactOptional(Name),
    ...effectEntries,
  }),
  v.check(({ action, uri }) => action !== undefined || uri !== undefined, 'needs an action or a uri to match'),
  v.metadata({ anyOf: [{ required: ['action'] }, { required: ['uri'] }] }),
)

/** `{text}` and `{uri}` mean something else in a text. */
const CounterName = v.pipe(
  v.string(),
  v.regex(/^(?!(?:text|uri)$)[A-Za-z]\w*$/, 'must be a name such as tries, and not text or uri'),
)
/** Starts at a number, and ends with the app unless it is kept. */
const CounterRule = closedObject({ start: v.exactOptional(CounterValue, 0), kept: v.exactOptional(v.boolean(), false) })
const Counter = v.union([CounterValue, CounterRule])

/** A permission that the app asks for: its name, or with the state in the beginning. */
const AskedPermission = v.pipe(
  v.union([
    PermissionName,
    closedObject({
      name: PermissionName,
      state: v.exactOptional(PermissionState, 'unset'),
      fixed: v.exactOptional(v.picklist(['system', 'policy'])),
    }),
  ]),
  v.transform(permission =>
    typeof permission === 'string' ? { name: permission, state: 'unset' as const } : permission,
  ),
)

const WrittenApp = closedObject({
  package: PackageName,
  label: Name,
  versionName: v.exactOptional(Name, '1.0'),
  versionCode: v.exactOptional(count, 1),
  /** The screen it opens with; left out, the first one. */
  start: v.exactOptional(Name),
  screens: v.pipe(dictionary(Screen), v.minEntries(1, 'needs a screen')),
  counters: v.exactOptional(keyedBy(CounterName, Counter), () => ({})),
  intents: v.exactOptional(v.array(IntentRule), () => []),
  permissions: v.exactOptional(v.array(AskedPermission), () => []),
  /** Notifications that it has posted before the phone is looked at. */
  notifications: v.exactOptional(v.array(NotificationWord), () => []),
  /** The colour of its tile on the launcher. */
  icon: v.exactOptional(Colour, '#1A73E8'),
})

export const everyNode = (nodes: readonly ScenarioNode[]): ScenarioNode[] =>
  nodes.flatMap(node => [node, ...everyNode(node.nodes)])

const activityOf = (name: string): string => {
  const words = name.replace(/(^|\W+)(\w)/g, (_, _gap, letter: string) => letter.toUpperCase())
  return `.${words.replace(/\W/g, '')}Activity`
}

const isGated = ({ appearsAfter, disappearsAfter }: ScenarioNode) =>
  appearsAfter !== undefined || disappearsAfter !== undefined

const counts = ({ text, hint, contentDesc }: ScenarioNode) =>
  [text, hint, contentDesc].some(template => /\{\w+\}/.test(template))

const filledScreen = (name: string, screen: v.InferOutput<typeof Screen>, hasCounters: boolean) => {
  // One that has a place of its own is a window as it was seen somewhere, such as in a dump.
  const isAlert = screen.dialog !== undefined && screen.dialog.bounds === undefined
  const roots = isAlert ? withDialogIds(screen.nodes) : screen.nodes
  const nodes = everyNode(roots)
  const {
    keyboard = nodes.some(node => node.scrollable) ? 'resize' : 'cover',
    dialog,
    activity,
    onKey,
    onStart,
    ...rest
  } = screen
  return {
    ...rest,
    nodes: roots,
    name,
    activity: activity ?? activityOf(name),
    dialog,
    onKey: listedByKey(onKey),
    onStart: listed(onStart),
    /** Ends above the keyboard. */
    resizes: keyboard === 'resize' || dialog !== undefined,
    /** Some node comes or goes by itself. */
    gated: nodes.some(isGated),
    /** The picture depends on more than the changes to its own nodes. */
    varies: nodes.some(node => node.showIf !== undefined || (hasCounters && counts(node))),
  }
}
export type ScenarioScreen = ReturnType<typeof filledScreen>

const filledIn = (app: v.InferOutput<typeof WrittenApp>) => {
  const counters = new Map(
    Object.entries(app.counters).map(([name, counter]) => [
      name,
      typeof counter === 'number' ? { start: counter, kept: false } : counter,
    ]),
  )
  const screens = Object.entries(app.screens).map(([name, screen]): [string, ScenarioScreen] => [
    name,
    filledScreen(name, screen, counters.size > 0),
  ])
  const nodes = screens.flatMap(([, screen]) => everyNode(screen.nodes))
  const ids = nodes.flatMap(node => (node.id === undefined ? [] : [[node.id, node] as const]))
  return {
    ...app,
    start: app.start ?? screens[0]?.[0] ?? '',
    screens: new Map(screens),
    /** Nodes that reactions can name. */
    ids: new Map(ids),
    counters,
  }
}
export type ScenarioApp = ReturnType<typeof filledIn>

export const App = v.pipe(WrittenApp, v.transform(filledIn))
export type WrittenApp = v.InferInput<typeof WrittenApp>
