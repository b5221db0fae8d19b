/** The request for a run of flows. */
import * as v from 'valibot'
import { closedObject, namedValues, openObject } from '../json/objects.ts'
import { integer, nonBlank, visibleText } from '../json/scalars.ts'

export const FLOW_RETRIES = { min: 0, max: 10, default: 0 } as const
const PATHS_MAX = 1_000
const NAMES_MAX = 1_000
const FLOW_TEXT_CHARS_MAX = 1_048_576

const names = v.exactOptional(v.pipe(v.array(nonBlank), v.maxLength(NAMES_MAX)))

const VARIABLE = /^[A-Za-z_]\w*$/

export const FlowVariables = v.pipe(
  namedValues(v.string()),
  v.check(
    variables => Object.keys(variables).every(name => VARIABLE.test(name)),
    'must have names such as USER_NAME: letters, digits and underscores',
  ),
)

const runEntries = {
  /** Files and folders of the host that runs them. */
  paths: v.exactOptional(v.pipe(v.array(visibleText(4_096)), v.minLength(1), v.maxLength(PATHS_MAX))),
  /** One flow as text, in place of files. */
  yaml: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(FLOW_TEXT_CHARS_MAX))),
  env: v.exactOptional(FlowVariables),
  /** The names in env whose values stay out of everything that is kept or told. */
  secrets: names,
  includeTags: names,
  excludeTags: names,
  devices: v.exactOptional(v.pipe(v.array(nonBlank), v.minLength(1), v.maxLength(NAMES_MAX))),
  retries: v.exactOptional(integer(FLOW_RETRIES)),
  shardAll: v.exactOptional(v.boolean()),
  failFast: v.exactOptional(v.boolean()),
}

/** A shorter one would be found in every text. */
export const SECRET_CHARS_MIN = 4

export const TestRunRequest = v.pipe(
  closedObject(runEntries),
  v.check(
    ({ paths, yaml }) => (paths === undefined) !== (yaml === undefined),
    'exactly one of paths and yaml is needed',
  ),
  v.metadata({ oneOf: [{ required: ['paths'] }, { required: ['yaml'] }] }),
)
export type TestRunRequest = v.InferOutput<typeof TestRunRequest>

export const TestRunBegun = openObject({ ok: v.literal(true), testRunId: v.string() })
