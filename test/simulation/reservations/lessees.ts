/** Callers that reserve phones, extend and end that; requests of theirs take the leaseId from here. */
import type { Answer } from '../../long/trial/answer.ts'
import type { SendRequest } from '../host/clients.ts'
import type { PhoneHost } from '../phone/phone.ts'
import type { Plan } from '../plan/plan.ts'
import type { Scheduler } from '../scheduler.ts'
import type { LeaseAsk } from './plan-leases.ts'

interface LesseesOptions {
  scheduler: Scheduler
  plan: Plan
  phones: readonly PhoneHost[]
  send: SendRequest
}

const call = { context: { caller: 'http' as const } }

export const createLessees = ({ scheduler, plan, phones, send }: LesseesOptions, got: Map<number, string>) => {
  let held = 0
  const begin = (one: LeaseAsk, index: number) => {
    const { place, phone, forMs, waitMs, changeAt } = one
    const client = scheduler.owner(`lessee ${index}`)
    const change = (afterMs: number | undefined, what: 'extend' | 'end', leaseId: string) => {
      if (afterMs === undefined) return
      scheduler.post(client, afterMs, `${what}s lease ${index}`, () =>
        send(
          client,
          changeAt,
          `${what} of lease ${index}`,
          service =>
            what === 'end'
              ? service['leases.end']({ leaseId }, call)
              : service['leases.extend']({ leaseId, forMs }, call),
          () => {},
        ),
      )
    }
    const heard = (_: Answer, said: string, isOk: boolean) => {
      if (!isOk) return
      const { value } = JSON.parse(said) as { value: { lease: { leaseId: string } } }
      const { leaseId } = value.lease
      held += 1
      got.set(index, leaseId)
      change(one.extendAfterMs, 'extend', leaseId)
      change(one.endAfterMs, 'end', leaseId)
    }
    scheduler.post(client, one.at, 'asks for a lease', () =>
      send(
        client,
        place,
        `lease ${index}`,
        service => service['leases.create']({ device: phones[phone]?.serial ?? '', forMs, waitMs }, call),
        heard,
      ),
    )
  }
  return {
    begin: () => (plan.leases ?? []).forEach(begin),
    /** How many were got. */
    held: () => held,
  }
}
