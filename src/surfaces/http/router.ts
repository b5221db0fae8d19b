/** Finds the handlers of a request: those of a path without parameters by its text, all others by one regular expression. */
import type { ParamIndexMap, Result, Router } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'

/** Hono's own expression cannot hold `/emulators/running` beside `/emulators/:name`, and would give way to a slower search. */
export const createRouter = <T>(): Router<T> => {
  const fixed = new Map<string, Map<string, [[T, ParamIndexMap][], string[]]>>()
  const varying = new RegExpRouter<T>()
  return {
    name: 'FixedPathRouter',
    add(method, path, handler) {
      if (/[:*]/.test(path)) return varying.add(method, path, handler)
      const paths = fixed.get(method) ?? new Map()
      fixed.set(method, paths)
      const [handlers] = paths.get(path) ?? [[]]
      paths.set(path, [[...handlers, [handler, {}]], []])
    },
    match: (method, path): Result<T> => fixed.get(method)?.get(path) ?? varying.match(method, path),
  }
}
