/** Callers that record screens, stop it, and in the calm ask for the end of all recordings. */
import type { Answer } from '../../long/trial/answer.ts'
import type { Clients } from '../host/clients.ts'
import type { PhoneHost } from '../phone/phone.ts'
import type { Place, Plan } from '../plan/plan.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import type { RecordAsk } from './plan-recordings.ts'

/** A request about a recording, and its answer. */
export interface AskedRecording {
  about: string
  phone: number
  what: 'start' | 'stop' | 'end'
  began: number
  ended: number
  answer: Answer
  isOk: boolean
  text: string
}

/** As low as may be asked for: a phone need not have room for more. */
const BIT_RATE = 100_000

interface RecordersOptions {
  scheduler: Scheduler
  harness: Owner
  plan: Plan
  phones: readonly PhoneHost[]
  clients: Pick<Clients, 'send'>
}

export const createRecorders = ({ scheduler, harness, plan, phones, clients }: RecordersOptions) => {
  const asked: AskedRecording[] = []
  let open = 0
  const serialOf = (phone: number) => phones[phone]?.serial ?? ''

  const request = (what: AskedRecording['what'], phone: number, place: Place, name: string, input: object) => {
    const began = scheduler.now()
    const about = `${what} of ${name}`
    const client = scheduler.owner(`client of ${about}`)
    open += 1
    clients.send(
      client,
      place,
      about,
      service => {
        const call = { context: { caller: 'http' as const } }
        const about = { deviceId: serialOf(phone), ...input } as never
        return what === 'start' ? service['recording.start'](about, call) : service['recording.stop'](about, call)
      },
      (answer, text, isOk) => {
        open -= 1
        asked.push({ about, phone, what, began, ended: scheduler.now(), answer, isOk, text })
      },
    )
  }

  return {
    asked: asked as readonly AskedRecording[],
    isQuiet: () => open === 0,
    begin() {
      for (const [index, one] of (plan.recordings ?? []).entries()) beginOne(one, `recording ${index}`)
      for (const { at, phone, rotation } of plan.turns ?? [])
        scheduler.post(harness, at, `turns phone ${phone}`, () => phones[phone]?.video?.turn(rotation))
    },
    /** Of all phones, at the first process of their hosts. */
    end() {
      const recorded = new Set((plan.recordings ?? []).map(({ phone }) => phone))
      for (const phone of recorded)
        request('end', phone, { host: plan.phones[phone]?.host ?? 0, process: 0 }, `phone ${phone}`, {})
    },
  }

  function beginOne({ at, phone, place, forMs, stopAfterMs, stopAt }: RecordAsk, name: string) {
    scheduler.post(harness, at, `asks for ${name}`, () =>
      request('start', phone, place, name, { forMs, bitRate: BIT_RATE }),
    )
    if (stopAfterMs === undefined) return
    scheduler.post(harness, at + stopAfterMs, `stops ${name}`, () => request('stop', phone, stopAt ?? place, name, {}))
  }
}
