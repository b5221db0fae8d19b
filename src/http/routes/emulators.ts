/** Section Endpoints, /android: AVDs and emulators are listed, made, started, stopped, deleted and provisioned. */
import * as v from 'valibot'
import { AvdCreateRequest, AvdName, ProvisionRequest, StartRequest } from '../../contracts/avd.ts'
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import { EmptyBody } from '../../contracts/http.ts'
import type { Answered } from '../../emulators/emulators.ts'
import { describeError, errorOf, isKnownError } from '../../executions/error-of.ts'
import { answer, refuse } from '../answer.ts'
import { readBody } from '../json-body.ts'
import type { RouteModule } from '../module.ts'

const ALL = '/android/emulators'
const ONE = '/android/emulators/:name'

const nameProblem = (name: string): ErrorObject | undefined => {
  const result = v.safeParse(AvdName, name)
  if (result.success) return undefined
  return failure('INVALID_BODY', `The name of the AVD ${result.issues[0].message}.`, { details: { field: 'name' } })
}

export const emulatorRoutes: RouteModule = {
  mount(app, { deps }) {
    const { emulators, note } = deps

    const said = async <T extends object>(work: () => Promise<Answered<T>>): Promise<Response> => {
      try {
        const answered = await work()
        return answered.ok ? answer({ ok: true, ...answered.value }) : refuse(answered.error)
      } catch (thrown) {
        if (!isKnownError(thrown)) note(`a request about emulators broke: ${describeError(thrown)}`)
        return refuse(errorOf(thrown, 'INTERNAL_ERROR'))
      }
    }
    const named = (name: string, work: () => Promise<Response>): Response | Promise<Response> => {
      const problem = nameProblem(name)
      return problem ? refuse(problem) : work()
    }
    const optional = { ...deps, mayBeAbsent: true }

    app.get(ALL, () => said(() => emulators.list()))
    app.get(`${ALL}/running`, () => said(() => emulators.running()))
    app.get(ONE, c => named(c.req.param('name'), () => said(() => emulators.get(c.req.param('name')))))
    app.post(`${ALL}/create`, async c => {
      const read = await readBody(c.env.incoming, AvdCreateRequest, optional)
      return read.ok ? said(() => emulators.create(read.body)) : refuse(read.error)
    })
    app.post(`${ONE}/start`, c =>
      named(c.req.param('name'), async () => {
        const read = await readBody(c.env.incoming, StartRequest, optional)
        return read.ok ? said(() => emulators.start(c.req.param('name'), read.body)) : refuse(read.error)
      }),
    )
    app.post(`${ONE}/stop`, c =>
      named(c.req.param('name'), async () => {
        const read = await readBody(c.env.incoming, EmptyBody, optional)
        return read.ok ? said(() => emulators.stop(c.req.param('name'))) : refuse(read.error)
      }),
    )
    app.delete(ONE, c =>
      named(c.req.param('name'), async () => {
        const read = await readBody(c.env.incoming, EmptyBody, optional)
        return read.ok ? said(() => emulators.delete(c.req.param('name'))) : refuse(read.error)
      }),
    )
    app.post('/android/provision/emulator', async c => {
      const read = await readBody(c.env.incoming, ProvisionRequest, optional)
      return read.ok ? said(() => emulators.provision(read.body)) : refuse(read.error)
    })
  },
}
