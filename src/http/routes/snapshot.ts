/** POST /snapshot: reads the screen as an execution of one action that the server builds itself. */

import type { IncomingMessage } from 'node:http'
import type * as v from 'valibot'
import type { ErrorObject } from '../../contracts/error.ts'
import { SnapshotBody } from '../../contracts/http.ts'
import { type RequestContext, readContext } from '../../contracts/request-context.ts'
import { snapshotExecution } from '../../executions/synthetic.ts'
import { refuse } from '../answer.ts'
import type { HttpDeps } from '../deps.ts'
import { type BodyOptions, readBody } from '../json-body.ts'
import type { RouteModule } from '../module.ts'
import { namedDevice, type PerformRequest, perform, viewIn } from '../perform.ts'

/** An Idempotency-Key is for executions of the caller's own making. */
export const withoutKey = ({ idempotencyKey: _, ...context }: RequestContext): RequestContext => context

type Target = Pick<PerformRequest, 'deviceId' | 'operatorPackage' | 'context'>
type CaptureRead<B> = { ok: true; body: B; target: Target } | { ok: false; error: ErrorObject }

/** Reads the body and the target of /snapshot and /screenshot. */
export const readCapture = async <const S extends v.GenericSchema<unknown, SnapshotBody>>(
  incoming: IncomingMessage,
  schema: S,
  options: BodyOptions & Pick<HttpDeps, 'isPrivate'>,
): Promise<CaptureRead<v.InferOutput<S>>> => {
  const read = await readBody(incoming, schema, options)
  if (!read.ok) return read
  const asked = readContext(incoming.headers, options)
  if (!asked.ok) return asked
  const { deviceId, operatorPackage } = read.body
  const target = { deviceId: namedDevice(deviceId), operatorPackage, context: withoutKey(asked.context) }
  return { ok: true, body: read.body, target }
}

export const snapshotRoutes: RouteModule = {
  mount(app, context) {
    const { deps } = context
    app.post('/snapshot', async c => {
      const read = await readCapture(c.env.incoming, SnapshotBody, deps)
      if (!read.ok) return refuse(read.error)
      const execution = snapshotExecution({ origin: 'serve', now: deps.clock.now() })
      return perform(context, { execution, input: execution, ...read.target, view: viewIn(read.body) })
    })
  },
}
