/** Whether everything that a scenario names is there: screens, nodes, apps; and whether names that must differ do. */
import type { ScenarioApp, ScenarioScreen } from './app.ts'
import { didYouMean } from './nearest.ts'
import type { ScenarioNode } from './node.ts'
import type { Problem } from './problem.ts'
import type { Reaction } from './reaction.ts'

type Path = readonly PropertyKey[]

interface Referring {
  apps: readonly ScenarioApp[]
  home?: string
  front?: string
}

const missing = (path: Path, kind: string, name: string, known: readonly string[]): Problem => ({
  path,
  message: `there is no ${kind} \`${name}\`${didYouMean(name, known)}`,
})

const reactionProblems = (path: Path, reaction: Reaction, app: ScenarioApp, packages: readonly string[]): Problem[] => {
  const { set = {}, toggle, goTo, openApp } = reaction
  const [ids, screens] = [[...app.ids.keys()], [...app.screens.keys()]]
  const problems = Object.keys(set)
    .filter(id => !app.ids.has(id))
    .map(id => missing([...path, 'set', id], 'node with the id', id, ids))
  if (toggle !== undefined && !app.ids.has(toggle)) {
    problems.push(missing([...path, 'toggle'], 'node with the id', toggle, ids))
  } else if (toggle !== undefined && !app.ids.get(toggle)?.checkable) {
    problems.push({ path: [...path, 'toggle'], message: `the node \`${toggle}\` is not checkable` })
  }
  if (goTo !== undefined && !app.screens.has(goTo)) problems.push(missing([...path, 'goTo'], 'screen', goTo, screens))
  if (openApp !== undefined && !packages.includes(openApp)) {
    problems.push(missing([...path, 'openApp'], 'app with the package', openApp, packages))
  }
  return problems
}

type Reactions = readonly (readonly [Path, readonly Reaction[]])[]

const keyReactions = (path: Path, onKey: ScenarioNode['onKey']): Reactions =>
  Object.entries(onKey).map(([key, reactions]) => [[...path, 'onKey', key], reactions] as const)

const nodeReactions = (path: Path, nodes: readonly ScenarioNode[]): Reactions =>
  nodes.flatMap((node, index) => {
    const at = [...path, 'nodes', index]
    return [
      [[...at, 'onTap'], node.onTap] as const,
      [[...at, 'onLongPress'], node.onLongPress] as const,
      [[...at, 'onText'], node.onText] as const,
      [[...at, 'onScroll'], node.onScroll] as const,
      ...keyReactions(at, node.onKey),
      ...nodeReactions(at, node.nodes),
    ]
  })

const screenReactions = (path: Path, screen: ScenarioScreen): Reactions => [
  ...keyReactions(path, screen.onKey),
  ...nodeReactions(path, screen.nodes),
]

const idPaths = (path: Path, nodes: readonly ScenarioNode[]): [string, Path][] =>
  nodes.flatMap((node, index) => {
    const at = [...path, 'nodes', index]
    const own: [string, Path][] = node.id === undefined ? [] : [[node.id, [...at, 'id']]]
    return [...own, ...idPaths(at, node.nodes)]
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
  const screens = [...app.screens.entries()].map(([name, screen]) => [[...at, 'screens', name], screen] as const)
  const reactions = screens.flatMap(([path, screen]) => screenReactions(path, screen))
  const known = [...app.screens.keys()]
  return [
    ...(app.screens.has(app.start) ? [] : [missing([...at, 'start'], 'screen', app.start, known)]),
    ...repeated(
      screens.flatMap(([path, screen]) => idPaths(path, screen.nodes)),
      'the id',
    ),
    ...reactions.flatMap(([path, list]) =>
      list.flatMap((reaction, i) => reactionProblems([...path, i], reaction, app, packages)),
    ),
    ...app.intents.flatMap((rule, i) => reactionProblems([...at, 'intents', i], rule, app, packages)),
  ]
}

export const referenceProblems = ({ apps, home, front }: Referring): Problem[] => {
  const packages = apps.map(app => app.package)
  const named = Object.entries({ home, front }).flatMap(([key, name]) =>
    name === undefined || packages.includes(name) ? [] : [missing([key], 'app with the package', name, packages)],
  )
  const places = packages.map((name, index) => [name, ['apps', index, 'package']] as const)
  return [
    ...named,
    ...repeated(places, 'the package'),
    ...apps.flatMap((app, index) => appProblems(app, index, packages)),
  ]
}
