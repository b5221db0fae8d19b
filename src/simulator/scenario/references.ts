/** Checks that all that a scenario names exists: screens, nodes, counters, apps; and that names differ if they must. */
import type { ScenarioApp, ScenarioScreen } from './app.ts'
import { LAUNCHER_PACKAGE } from './launcher.ts'
import type { ScenarioNode } from './node.ts'
import { didYouMean, type Problem } from './problem.ts'
import type { Condition, Effects } from './reaction.ts'

type Path = readonly PropertyKey[]

interface Referring {
  apps: readonly ScenarioApp[]
  home?: string
  front?: string
}

/** The names that an app may refer to. */
interface Known {
  app: ScenarioApp
  packages: readonly string[]
}

/** Written into the app, it declares the counter. */
const declared = (name: string) => `; declare it in the app: "counters": {${JSON.stringify(name)}: 0}`

const missing = (path: Path, kind: string, name: string, known: Iterable<string>): Problem => ({
  path,
  message: `there is no ${kind} \`${name}\`${didYouMean(name, [...known])}${kind === COUNTER ? declared(name) : ''}`,
})

const missingKeys = (path: Path, kind: string, entries: object, known: ReadonlyMap<string, unknown>): Problem[] =>
  Object.keys(entries)
    .filter(name => !known.has(name))
    .map(name => missing([...path, name], kind, name, known.keys()))

const NODE = 'node with the id'
const APP = 'app with the package'
const COUNTER = 'counter'
const PERMISSION = 'permission that the app asks for,'
/** Apps that may be in front although the scenario does not define them. */
const SYSTEM_APPS = ['com.android.systemui', LAUNCHER_PACKAGE]

const missingScreen = (path: Path, name: string | undefined, { app }: Known): Problem[] =>
  name === undefined || app.screens.has(name) ? [] : [missing(path, 'screen', name, app.screens.keys())]

const missingApp = (path: Path, name: string | undefined, packages: readonly string[]): Problem[] =>
  name === undefined || packages.includes(name) ? [] : [missing(path, APP, name, packages)]

const missingPermissions = (path: Path, names: readonly string[], { permissions }: ScenarioApp): Problem[] => {
  const known = permissions.map(({ name }) => name)
  return names.filter(name => !known.includes(name)).map(name => missing(path, PERMISSION, name, known))
}

const conditionProblems = (path: Path, condition: Condition | undefined, known: Known): Problem[] => {
  if (!condition) return []
  const { node = {}, counter = {}, permission = {}, screen, app, all = [], any = [], not } = condition
  const inner = { all, any }
  return [
    ...missingKeys([...path, 'node'], NODE, node, known.app.ids),
    ...missingKeys([...path, 'counter'], COUNTER, counter, known.app.counters),
    ...missingPermissions([...path, 'permission'], Object.keys(permission), known.app),
    ...missingScreen([...path, 'screen'], screen, known),
    ...missingApp([...path, 'app'], app, [...known.packages, ...SYSTEM_APPS]),
    ...Object.entries(inner).flatMap(([key, list]) =>
      list.flatMap((one, index) => conditionProblems([...path, key, index], one, known)),
    ),
    ...conditionProblems([...path, 'not'], not, known),
  ]
}

const toggleProblems = (path: Path, id: string | undefined, { ids }: ScenarioApp): Problem[] => {
  if (id === undefined) return []
  const node = ids.get(id)
  if (!node) return [missing(path, NODE, id, ids.keys())]
  return node.checkable ? [] : [{ path, message: `the node \`${id}\` is not checkable` }]
}

const reactionProblems = (path: Path, reaction: Effects, known: Known): Problem[] => {
  const { set = {}, count = {}, toggle, goTo, openApp, stopApp, askPermission = [], firstOf = [] } = reaction
  const { app, packages } = known
  return [
    ...conditionProblems([...path, 'if'], reaction.if, known),
    ...missingKeys([...path, 'count'], COUNTER, count, app.counters),
    ...missingKeys([...path, 'set'], NODE, set, app.ids),
    ...Object.entries(set).flatMap(([id, { bounds }]) => boundsProblems([...path, 'set', id, 'bounds'], bounds)),
    ...toggleProblems([...path, 'toggle'], toggle, app),
    ...missingScreen([...path, 'goTo'], goTo, known),
    ...missingApp([...path, 'openApp'], openApp, packages),
    ...missingPermissions([...path, 'askPermission'], [askPermission].flat(), app),
    ...missingApp([...path, 'stopApp'], stopApp, packages),
    ...firstOf.flatMap((one, index) => reactionProblems([...path, 'firstOf', index], one, known)),
  ]
}

const boundsProblems = (path: Path, bounds: ScenarioNode['bounds']): Problem[] => {
  if (!bounds) return []
  const { left, top, right, bottom } = bounds
  if (left < right && top < bottom) return []
  return [{ path, message: 'must be [left, top, right, bottom] in pixels, with left < right and top < bottom' }]
}

type Reacting = Pick<ScenarioNode, 'onKey'> &
  Partial<Pick<ScenarioNode, 'onTap' | 'onLongPress' | 'onText' | 'onScroll'>> &
  Partial<Pick<ScenarioScreen, 'onStart'>>

const reactionLists = (path: Path, node: Reacting) => [
  ...(['onTap', 'onLongPress', 'onText', 'onScroll', 'onStart'] as const).map(
    key => [[...path, key], node[key] ?? []] as const,
  ),
  ...Object.entries(node.onKey).map(([key, reactions]) => [[...path, 'onKey', key], reactions] as const),
]

const reacting = (path: Path, holder: Reacting, known: Known): Problem[] =>
  reactionLists(path, holder).flatMap(([at, list]) =>
    list.flatMap((reaction, index) => reactionProblems([...at, index], reaction, known)),
  )

const pageProblems = (path: Path, { page, element }: ScenarioNode, isInPage: boolean): Problem[] => {
  if (element && !isInPage) return [{ path: [...path, 'element'], message: 'no node around it has a `page`' }]
  return page && isInPage ? [{ path: [...path, 'page'], message: 'is inside of another page' }] : []
}

const nodeProblems = (path: Path, nodes: readonly ScenarioNode[], known: Known, isInPage = false): Problem[] =>
  nodes.flatMap((node, index) => {
    const at = [...path, 'nodes', index]
    return [
      ...pageProblems(at, node, isInPage),
      ...conditionProblems([...at, 'showIf'], node.showIf, known),
      ...(node.clip ? boundsProblems([...at, 'bounds'], node.bounds) : []),
      ...reacting(at, node, known),
      ...nodeProblems(at, node.nodes, known, isInPage || node.page !== undefined),
    ]
  })

const screenProblems = (path: Path, screen: ScenarioScreen, known: Known): Problem[] => [
  ...boundsProblems([...path, 'dialog', 'bounds'], screen.dialog?.bounds),
  ...reacting(path, screen, known),
  ...nodeProblems(path, screen.nodes, known),
]

const idPaths = (path: Path, nodes: readonly ScenarioNode[]): [string, Path][] =>
  nodes.flatMap((node, index) => {
    const at = [...path, 'nodes', index]
    const ownIds: [string, Path][] = node.id === undefined ? [] : [[node.id, [...at, 'id']]]
    return [...ownIds, ...idPaths(at, node.nodes)]
  })

/** The second and later places of a name that must be unique. */
const repeated = (places: readonly (readonly [string, Path])[], what: string): Problem[] => {
  const seen = new Set<string>()
  return places.flatMap(([name, path]) => {
    if (!seen.has(name)) {
      seen.add(name)
      return []
    }
    return [{ path, message: `${what} \`${name}\` is already taken` }]
  })
}

const appProblems = (app: ScenarioApp, index: number, packages: readonly string[]): Problem[] => {
  const at: Path = ['apps', index]
  const known = { app, packages }
  const screens = [...app.screens].map(([name, screen]) => [[...at, 'screens', name], screen] as const)
  return [
    ...missingScreen([...at, 'start'], app.start, known),
    ...repeated(
      screens.flatMap(([path, screen]) => idPaths(path, screen.nodes)),
      'the id',
    ),
    ...screens.flatMap(([path, screen]) => screenProblems(path, screen, known)),
    ...repeated(
      app.permissions.map(({ name }, place) => [name, [...at, 'permissions', place]] as const),
      'the permission',
    ),
    ...app.intents.flatMap((rule, i) => reactionProblems([...at, 'intents', i], rule, known)),
  ]
}

export const referenceProblems = ({ apps, home, front }: Referring): Problem[] => {
  const packages = apps.map(app => app.package)
  const places = packages.map((name, index) => [name, ['apps', index, 'package']] as const)
  return [
    ...missingApp(['home'], home, packages),
    ...missingApp(['front'], front, packages),
    ...repeated(places, 'the package'),
    ...apps.flatMap((app, index) => appProblems(app, index, packages)),
  ]
}
