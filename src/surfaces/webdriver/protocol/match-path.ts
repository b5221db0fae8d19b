/** Finds the command of a path: `/element/:elementId/click` matches, and its parts are decoded. */

interface Branch<T> {
  readonly fixed: Map<string, Branch<T>>
  /** The branch of a part with a name. */
  named: { branch: Branch<T> } | undefined
  readonly commands: Map<string, { command: T; names: readonly string[] }>
}

const branch = <T>(): Branch<T> => ({ fixed: new Map(), named: undefined, commands: new Map() })

const partsOf = (path: string): string[] => (path === '' ? [] : path.slice(1).split('/'))

export const createPathTable = <T extends { readonly method: string; readonly path: string }>(
  commands: readonly T[],
) => {
  const root = branch<T>()
  for (const command of commands) {
    const names: string[] = []
    let at = root
    for (const part of partsOf(command.path)) {
      if (part.startsWith(':')) {
        names.push(part.slice(1))
        at.named ??= { branch: branch<T>() }
        at = at.named.branch
      } else {
        const next = at.fixed.get(part) ?? branch<T>()
        at.fixed.set(part, next)
        at = next
      }
    }
    if (at.commands.has(command.method)) throw new Error(`two commands for ${command.method} ${command.path}`)
    at.commands.set(command.method, { command, names })
  }

  /** A fixed part comes before one with a name: `/element/active` is no element. */
  const find = (
    at: Branch<T>,
    parts: readonly string[],
    values: readonly string[],
  ): [Branch<T>, readonly string[]] | undefined => {
    const [part, ...rest] = parts
    if (part === undefined) return at.commands.size > 0 ? [at, values] : undefined
    const fixed = at.fixed.get(part)
    const found = fixed && find(fixed, rest, values)
    if (found) return found
    return at.named && part !== '' ? find(at.named.branch, rest, [...values, part]) : undefined
  }

  return (
    path: string,
  ):
    | { match(method: string): { command: T; parts: Record<string, string> } | undefined; methods: string[] }
    | undefined => {
    const found = find(root, partsOf(path), [])
    if (!found) return undefined
    const [{ commands: there }, values] = found
    return {
      methods: [...there.keys()],
      match(method) {
        const one = there.get(method)
        return (
          one && {
            command: one.command,
            parts: Object.fromEntries(one.names.map((name, at) => [name, values[at] ?? ''])),
          }
        )
      },
    }
  }
}
