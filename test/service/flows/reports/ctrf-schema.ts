/** The facts of the CTRF schema (github.com/ctrf-io/ctrf, `schema/ctrf.schema.json`) that concern a report of svc. */

const string = { type: 'string' }
const integer = { type: 'integer' }
const object = { type: 'object' }
const strings = { type: 'array', items: string }
const uuid = { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' }
const status = { enum: ['passed', 'failed', 'skipped', 'pending', 'other'] }

/** Nothing but these properties, of which some are required. */
const closed = (properties: object, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const attachments = {
  type: 'array',
  items: closed({ name: string, contentType: string, path: string, extra: object }, ['name', 'contentType', 'path']),
}

const retryAttempt = closed(
  {
    attempt: { type: 'integer', minimum: 1 },
    status,
    duration: integer,
    message: string,
    trace: string,
    line: integer,
    snippet: string,
    stdout: strings,
    stderr: strings,
    start: integer,
    stop: integer,
    attachments,
    extra: object,
  },
  ['attempt', 'status'],
)

const test = closed(
  {
    id: uuid,
    name: { type: 'string', minLength: 1 },
    status,
    duration: integer,
    start: integer,
    stop: integer,
    suite: { type: 'array', minItems: 1, items: string },
    message: string,
    trace: string,
    snippet: string,
    line: integer,
    rawStatus: string,
    tags: strings,
    labels: { type: 'object', additionalProperties: string },
    type: string,
    filePath: string,
    retries: integer,
    retryAttempts: { type: 'array', items: retryAttempt },
    flaky: { type: 'boolean' },
    stdout: strings,
    stderr: strings,
    threadId: string,
    device: string,
    attachments,
    parameters: object,
    steps: { type: 'array', items: closed({ name: string, status, extra: object }, ['name', 'status']) },
    extra: object,
  },
  ['name', 'status', 'duration'],
)

const counts = { tests: integer, passed: integer, failed: integer, skipped: integer, pending: integer, other: integer }

export const CTRF_SCHEMA = closed(
  {
    reportFormat: { const: 'CTRF' },
    specVersion: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' },
    reportId: uuid,
    timestamp: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$' },
    generatedBy: string,
    extra: object,
    results: closed(
      {
        tool: closed({ name: { type: 'string', minLength: 1 }, version: string, extra: object }, ['name']),
        summary: closed(
          {
            ...counts,
            flaky: integer,
            suites: integer,
            start: integer,
            stop: integer,
            duration: integer,
            extra: object,
          },
          [...Object.keys(counts), 'start', 'stop'],
        ),
        tests: { type: 'array', items: test },
        environment: closed({ reportName: string, testEnvironment: string, extra: object }, []),
        extra: object,
      },
      ['tool', 'summary', 'tests'],
    ),
  },
  ['results', 'reportFormat', 'specVersion'],
)
