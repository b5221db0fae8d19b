/** Callers of simulated hosts: they ask, repeat, withdraw, cancel and resume, and note each answer or that none came. */

import type { RequestContext } from '../../../src/contracts/doors/request-context.ts'
import type { ReceiptOutcome } from '../../../src/contracts/executions/evidence.ts'
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import type { Result, Service } from '../../../src/service/service.ts'
import { RESUMED } from '../../laws/ran.ts'
import type { Asked } from '../../laws/story.ts'
import { type Answer, answerOf, broken } from '../../long/trial/answer.ts'
import { EPOCH, ownedIds } from '../clock.ts'
import { tapOf } from '../phone/tap.ts'
import type { Ask, Place } from '../plan/plan.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import type { Life } from './life.ts'

/** A request of a client, from its beginning to its answer. */
interface Call {
  readonly life: Life
  readonly about: string
  settle(answer: Answer, text: string, isOk?: boolean): void
}

/** When the caller of a cancellation had its answer, in virtual time. */
export interface CancelAnswer {
  executionId: string
  at: number
}

/** A caller that waited for nothing any more, as the process that had its request noticed. Virtual time. */
export interface Departure {
  command: string
  at: number
}

/** A receipt as a process told it. Virtual time. */
export interface Look {
  executionId: string
  host: string
  began: number
  answered: number
  state: string
  outcome?: ReceiptOutcome | undefined
  /** The words of the receipt on each step. */
  steps?: Receipt['steps'] | undefined
}

export interface Clients {
  /** Begins what the plan says of this request. */
  ask(ask: Ask): void
  /** One request of any kind; the process is asked once, and heard once. */
  send: SendRequest
  /** One request with one answer, which must be a success. */
  probe(command: string, phone: number, place: Place, hostStep?: Ask['hostStep']): void
  /** The process has died: nobody answers its callers any more. */
  orphan(life: Life): void
  readonly asked: readonly Asked[]
  readonly cancels: readonly CancelAnswer[]
  readonly departures: readonly Departure[]
  readonly looks: readonly Look[]
  /** Looks at a receipt now. */
  look(executionId: string, at: Place, waitMs?: number): void
  /** Requests without an answer. */
  open(): readonly string[]
}

/** Asks one process, and hears its answer, or that it died. */
export type SendRequest = <T>(
  client: Owner,
  place: Place,
  about: string,
  work: (service: Service) => Promise<Result<T>>,
  heard: (answer: Answer, said: string, isOk: boolean, answered: number) => void,
) => Call | undefined

interface ClientsOptions {
  scheduler: Scheduler
  lifeAt(place: Place): Life | undefined
  serials: readonly string[]
  /** What a caller names the device by: its serial unless told. */
  deviceOf?(ask: Ask): string
  /** The leaseId of a reservation of the plan, once a caller has it. */
  leaseIdOf?(lease: number): string | undefined
  /** Where files of a phone come on a host. */
  folderOf?(host: number): string
  /** A process has told a receipt just now. */
  onLook?(look: Look): void
}

const WAY_MS = { min: 0, max: 3 }
export const PROBE_TIMEOUT_MS = 6_000
const FETCHING = ['pull', 'again'] as const
const CLIENT = { kind: 'answered', claim: 'did-not', code: 'ECONNREFUSED' } as const

export const createClients = ({
  scheduler,
  lifeAt,
  serials,
  deviceOf,
  leaseIdOf,
  folderOf,
  onLook,
}: ClientsOptions): Clients => {
  const asked: Asked[] = []
  const cancels: CancelAnswer[] = []
  const departures: Departure[] = []
  const looks: Look[] = []
  const calls = new Set<Call>()
  const hostOf = ({ host }: Place) => `h${host}`
  const text = (value: unknown) => JSON.stringify(value) ?? ''

  const request: SendRequest = (client, place, about, work, heard) => {
    const life = lifeAt(place)
    const way = () => client.random.int(WAY_MS.min, WAY_MS.max)
    if (!life) {
      scheduler.post(client, way(), 'finds nobody', () => heard(CLIENT, 'nobody listens', false, scheduler.now()))
      return undefined
    }
    let isSettled = false
    const call: Call = {
      life,
      about,
      settle(answer, said, isOk = false) {
        if (isSettled) return
        isSettled = true
        calls.delete(call)
        const answered = scheduler.now()
        scheduler.post(client, way(), `hears ${answer.claim} ${answer.code ?? ''}`, () =>
          heard(answer, said, isOk, answered),
        )
      },
    }
    calls.add(call)
    scheduler.post(life.owner, way(), `is asked ${about}`, () => {
      const answered = (result: Result<unknown>) => {
        if (!scheduler.cross(life.owner, `answers ${about}`)) return
        const { executionId } = result
        call.settle(answerOf(result.ok ? result.value : result.error, executionId), text(result), result.ok)
      }
      life
        .service()
        .then(work)
        .then(answered, (error: unknown) => answered({ ok: false, error: { code: 'THROWN', message: String(error) } }))
    })
    return call
  }

  const clientOf = (command: string) => scheduler.owner(`client of ${command}`)

  const look = (client: Owner, executionId: string, at: Place, waitMs?: number) => {
    const began = scheduler.now()
    request(
      client,
      at,
      `looks at ${executionId}`,
      service => service['executions.get']({ executionId, waitMs } as never, { context: { caller: 'http' } }),
      (_, said, isOk, answered) => {
        const { value } = (isOk ? JSON.parse(said) : {}) as { value?: { execution: Receipt } }
        if (!value) return
        const { state, outcome, steps } = value.execution
        const one: Look = { executionId, host: hostOf(at), began, answered, state, outcome, steps }
        looks.push(one)
        onLook?.(one)
      },
    )
  }

  const ask = (one: Ask): void => {
    const { command, place, phone, way, operatorPackage, waitMs, resumeFrom: fromStep } = one
    const waiting = waitMs === undefined ? {} : { waitMs }
    const client = clientOf(command)
    const chosen = ownedIds(client.random).at(EPOCH + one.at)
    const serial = deviceOf?.(one) ?? serials[phone] ?? ''
    const key = way === 'key' || way === 'chosen-key' ? `key-${command}` : undefined
    // Only a caller at the host may have any file of it sent.
    const caller = one.hostStep ? 'cli' : 'http'
    const context: RequestContext = {
      caller,
      ...(key === undefined ? {} : { idempotencyKey: key }),
      ...(way.startsWith('chosen') ? { executionId: chosen } : {}),
    }
    const leased = (): RequestContext => {
      const leaseId = one.lease === undefined ? undefined : leaseIdOf?.(one.lease)
      return leaseId === undefined ? context : { ...context, leaseId }
    }
    const input = {
      execution: tapOf(one, FETCHING.some(kind => kind === one.hostStep?.kind) ? folderOf?.(place.host) : undefined),
      deviceId: serial,
      ...(operatorPackage === null ? {} : { operatorPackage }),
      ...waiting,
    }
    const note = (at: Place, times: Pick<Asked, 'began' | 'answered'>, answer: Answer, said: string, about = command) =>
      asked.push({
        command: about,
        key: about === command ? (key ?? (way === 'chosen' ? chosen : undefined)) : undefined,
        host: hostOf(at),
        device: serial,
        ...times,
        ended: scheduler.now(),
        answer,
        text: said,
      })
    const execute = (at: Place, then: (answer: Answer) => void = () => {}) => {
      const began = scheduler.now()
      const withdrawal = new AbortController()
      const life = lifeAt(at)
      if (one.withdrawAfterMs !== undefined && life) {
        scheduler.post(life.owner, one.withdrawAfterMs, `${command} is withdrawn`, () => withdrawal.abort('withdrawn'))
      }
      const signal = one.withdrawAfterMs === undefined ? {} : { signal: withdrawal.signal }
      const connection = new AbortController()
      const call = request(
        client,
        at,
        command,
        service => service.execute(input as never, { context: leased(), ...signal, leave: connection.signal }),
        (answer, said, _, answered) => {
          note(at, { began, answered }, answer, said)
          then(answer)
        },
      )
      if (one.leaveAfterMs === undefined || !life) return
      scheduler.post(client, one.leaveAfterMs, 'closes its connection', () => {
        call?.settle(broken({ code: 'ECONNRESET' }), 'its caller has left')
        scheduler.post(life.owner, client.random.int(WAY_MS.min, WAY_MS.max), `${command} has left`, () => {
          departures.push({ command, at: scheduler.now() })
          connection.abort('left')
        })
      })
    }
    const again = (answer: Answer) => {
      if (one.againAfterMs !== undefined) {
        const at = one.againAt ?? place
        scheduler.post(client, one.againAfterMs, 'asks again', () => execute(at))
      }
      // A caller that has chosen the id knows it without an answer.
      const executionId = answer.executionId ?? (one.resumeAfterMs === undefined ? undefined : chosen)
      if (one.resumes !== true || executionId === undefined) return
      scheduler.post(client, one.resumeAfterMs ?? 0, 'resumes', () => {
        const began = scheduler.now()
        request(
          client,
          place,
          `resumes ${command}`,
          service => service['executions.resume']({ executionId, fromStep, waitMs } as never, { context: { caller } }),
          (resumed, said, _, answered) => note(place, { began, answered }, resumed, said, command + RESUMED),
        )
      })
    }
    scheduler.post(client, one.at - scheduler.now(), 'asks', () => {
      execute(place, again)
      if (one.twin) execute(one.twin)
      if (one.lookAfterMs !== undefined)
        scheduler.post(client, one.lookAfterMs, 'looks', () =>
          look(client, chosen, one.lookAt ?? place, one.lookWaitMs),
        )
      if (one.cancelAfterMs === undefined) return
      const at = one.cancelAt ?? place
      scheduler.post(client, one.cancelAfterMs, 'cancels', () =>
        request(
          client,
          at,
          `cancel ${command}`,
          service => service['executions.cancel']({ executionId: chosen } as never, { context: { caller: 'http' } }),
          (_, said, isOk) => {
            // That an id which nobody has is cancelled promises that nothing will run under it.
            if (isOk || said.includes('"cancelled":true')) cancels.push({ executionId: chosen, at: scheduler.now() })
          },
        ),
      )
    })
  }

  return {
    ask,
    look: (executionId, at, waitMs) => look(scheduler.owner(`looks at ${executionId}`), executionId, at, waitMs),
    send: request,
    probe(command, phone, place, hostStep) {
      ask({
        command,
        at: scheduler.now(),
        place,
        phone,
        way: 'plain',
        timeoutMs: PROBE_TIMEOUT_MS,
        operatorPackage: 'com.svc.operator',
        beforeMs: 0,
        afterMs: 0,
        ...(hostStep ? { hostStep } : {}),
      })
    },
    orphan(life) {
      for (const call of [...calls]) if (call.life === life) call.settle(broken({ code: 'ECONNRESET' }), 'it died')
    },
    asked,
    cancels,
    departures,
    looks,
    open: () => [...calls].map(({ about, life }) => `${about} at ${life.owner.name}`),
  }
}
