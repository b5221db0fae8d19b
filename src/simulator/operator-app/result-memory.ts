/** The last requests of the operator app, and what became of them: the results of RESULTS_KEPT of them, for RESULTS_KEPT_MS. */

import { RESULTS_KEPT, RESULTS_KEPT_MS } from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { RequestName } from './session.ts'

export interface RequestState {
  /** Under way, or the first while the request waits for its turn. */
  step: number
  /** The envelope as it was or would have been written, and since when it is there. */
  result: { json: string; since: number } | undefined
  readonly lies: Lies
}

/** The fault of an app that is asked about the request. */
interface Lies {
  /** In the place of the nonce of the request. */
  nonce?: string | undefined
  /** Performs the request again. */
  repeat?: (() => void) | undefined
}

const keyOf = ({ commandId, nonce }: RequestName): string => JSON.stringify([commandId, nonce])

export const createResultMemory = (clock: Pick<Clock, 'elapsed'>) => {
  const requests = new Map<string, RequestState>()

  const isOver = ({ result }: RequestState) => result !== undefined && result.since <= clock.elapsed() - RESULTS_KEPT_MS

  /** Requests that have not ended are kept: the app bounds their number. They end in their order, so the oldest are first. */
  const dropOld = () => {
    for (const [key, request] of requests) {
      const isOneTooMany = requests.size > RESULTS_KEPT
      if (request.result && (isOneTooMany || isOver(request))) requests.delete(key)
      else if (!isOneTooMany) break
    }
  }

  return {
    begin(name: RequestName, lies: Lies): RequestState {
      const request: RequestState = { step: 0, result: undefined, lies }
      requests.set(keyOf(name), request)
      dropOld()
      return request
    },
    end(request: RequestState, json: string) {
      request.result = { json, since: clock.elapsed() }
      dropOld()
    },
    /** Undefined also for the name of a request with another nonce. */
    find(name: RequestName): RequestState | undefined {
      const request = requests.get(keyOf(name))
      return request && isOver(request) ? undefined : request
    },
    size: () => requests.size,
  }
}
