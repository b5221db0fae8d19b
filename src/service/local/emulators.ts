/** The AVDs and emulators of this host. */
import * as v from 'valibot'
import { AvdName } from '../../contracts/device/avd.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { Answered } from '../emulators/emulators.ts'
import type { Parts } from '../parts.ts'
import { failed, type Result, success } from '../service.ts'
import type { Requests } from './groups.ts'
import { answering } from './run.ts'

const nameProblem = (name: string): ErrorObject | undefined => {
  const result = v.safeParse(AvdName, name)
  if (result.success) return undefined
  return failure('INVALID_BODY', `The name of the AVD ${result.issues[0].message}.`, { details: { field: 'name' } })
}

export const requests = ({ emulators, note }: Parts): Requests<'emulators'> => {
  const ask = <T extends object>(work: () => Promise<Answered<T>>): Promise<Result<{ ok: true } & T>> =>
    answering<{ ok: true } & T>(
      async () => {
        const answered = await work()
        return answered.ok ? success({ ok: true, ...answered.value }) : failed(answered.error)
      },
      { what: 'a request about emulators', note },
    )
  const askOf = async <T extends object>(name: string, work: () => Promise<Answered<T>>) => {
    const problem = nameProblem(name)
    return problem ? failed(problem) : ask(work)
  }
  return {
    'emulators.list': (_, { signal }) => ask(() => emulators().list(signal)),
    'emulators.running': (_, { signal }) => ask(() => emulators().running(signal)),
    'emulators.get': ({ name }, { signal }) => askOf(name, () => emulators().get(name, signal)),
    'emulators.create': request => ask(() => emulators().create(request)),
    'emulators.start': ({ name, ...request }) => askOf(name, () => emulators().start(name, request)),
    'emulators.stop': ({ name }) => askOf(name, () => emulators().stop(name)),
    'emulators.delete': ({ name }) => askOf(name, () => emulators().delete(name)),
    'emulators.provision': (request, { onProgress }) =>
      ask(() =>
        emulators().provision(request, requestId => onProgress?.({ kind: 'begun', actor: `provision:${requestId}` })),
      ),
  }
}
