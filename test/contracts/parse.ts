/** How the tests of the shapes ask valibot: the value that comes out, or the places it complains about. */
import * as v from 'valibot'

export const accept = <S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> => {
  const result = v.safeParse(schema, input)
  if (!result.success) throw new Error(`refused: ${v.summarize(result.issues)}\n${JSON.stringify(input)}`)
  return result.output
}

/** The dotted paths of all complaints; none when the value is accepted. */
export const complaints = (schema: v.GenericSchema, input: unknown): string[] =>
  (v.safeParse(schema, input).issues ?? []).map(issue => v.getDotPath(issue) ?? '')
