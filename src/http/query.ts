/** Query parameters: each known to the route and given at most once, checked against its schema. */
import * as v from 'valibot'
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'
import { quoted } from '../executions/validation/show.ts'
import { namesOf, unknownNameProblem } from './unknown-names.ts'

export type Query<T> = { ok: true; query: T } | { ok: false; error: ErrorObject }

const problem = (name: string, said: string): { ok: false; error: ErrorObject } => ({
  ok: false,
  error: failure('INVALID_QUERY', `The query parameter ${JSON.stringify(name.slice(0, 60))} ${said}.`, {
    details: { parameter: name.slice(0, 60) },
  }),
})

/** `target` is the path with its query, as it was sent. */
export const readQuery = <const S extends v.GenericSchema>(target: string, schema: S): Query<v.InferOutput<S>> => {
  const at = target.indexOf('?')
  const pairs = at < 0 ? [] : [...new URLSearchParams(target.slice(at))]
  const names = new Set<string>()
  for (const [name] of pairs) {
    if (names.has(name)) return problem(name, 'must be given at most once')
    names.add(name)
  }
  const unknown = unknownNameProblem('parameter', [...names], namesOf(schema))
  if (unknown) return { ok: false, error: unknown }
  const result = v.safeParse(schema, Object.fromEntries(pairs), { abortEarly: true })
  if (result.success) return { ok: true, query: result.output }
  const [issue] = result.issues
  const name = String(issue.path?.[0]?.key ?? '')
  return problem(name, `${issue.message}; got ${quoted(Object.fromEntries(pairs)[name] ?? '')}`)
}
