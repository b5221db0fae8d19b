/** Finds the command of a path: `/element/:elementId/click` matches, and its parts are as they came. */
import { TrieRouter } from 'hono/router/trie-router'

/** Two paths of one shape differ in the names of their parts at most. */
const shapeOf = ({ path }: { readonly path: string }): string => path.replace(/:[^/]+/g, '\uffff')

export const createPathTable = <T extends { readonly method: string; readonly path: string }>(
  commands: readonly T[],
) => {
  const router = new TrieRouter<T>()
  const shapes = new Set<string>()
  // A fixed part comes before one with a name: `/element/active` is no element.
  for (const command of commands.toSorted((a, b) => (shapeOf(a) < shapeOf(b) ? -1 : 1))) {
    const { method, path } = command
    const shape = `${method} ${shapeOf(command)}`
    if (shapes.has(shape)) throw new Error(`two commands for ${method} ${path}`)
    shapes.add(shape)
    router.add('ALL', path, command)
  }
  return (path: string) => {
    const [found] = router.match('ALL', path)
    const [first] = found
    if (!first) return undefined
    const there = found.filter(([command]) => shapeOf(command) === shapeOf(first[0]))
    return {
      methods: there.map(([{ method }]) => method),
      match(method: string) {
        const [command, parts] = there.find(([each]) => each.method === method) ?? []
        return command && { command, parts: { ...parts } as Record<string, string> }
      },
    }
  }
}
