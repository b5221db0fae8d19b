/** Callers of the fleet: each request has an answer or is given up, and what it was told is kept. */

import type { Asked } from '../../laws/story.ts'
import { answerOf, broken, hung } from '../../long/trial/answer.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import type { AskPlan, Target } from './plan.ts'
import { type World, within } from './world.ts'

/** Longer than any answer may take: the execution, the way, and a host that stood still meanwhile. */
const HUNG_MS = 75_000

const actionsOf = ({ sleepMs, isLong }: Pick<AskPlan, 'sleepMs' | 'isLong'>) => {
  const sleep = (id: string) => ({ id, type: 'sleep', params: { durationMs: Math.max(1, sleepMs) } })
  return isLong ? [sleep('first'), { id: 'picture', type: 'take_screenshot' }, sleep('second')] : [sleep('only')]
}

export const deviceOf = (world: World, target: Target): string => {
  if (target.kind === 'any') return target.host === undefined ? 'any' : `any:host=${world.host(target.host).id}`
  const { phone, as } = target
  const host = world.host(as === 'plugged' ? world.pluggedAt(phone) : as)
  return `${host.serial(phone)}@${host.id}`
}

export interface Errand extends Pick<AskPlan, 'command' | 'timeoutMs' | 'sleepMs' | 'isLong'> {
  host: number
  device: string
  key: string | undefined
}

export const ask = async (world: World, { host: index, device, key, ...asked }: Errand): Promise<Asked> => {
  const { command, timeoutMs } = asked
  const host = world.host(index)
  const began = Date.now()
  const execution = payloadOf(actionsOf(asked), { commandId: command, timeoutMs })
  const told = { command, key, host: host.id, device, began }
  try {
    const sent = call(`${host.url()}/execute`, {
      body: { execution, deviceId: device },
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    })
    const got = await within(sent, HUNG_MS)
    const id = got?.headers['svc-execution-id']
    const answer = got ? answerOf(got.json, typeof id === 'string' ? id : undefined) : hung
    return { ...told, ended: Date.now(), answer, text: got?.text ?? '' }
  } catch (error) {
    return { ...told, ended: Date.now(), answer: broken(error), text: String(error) }
  }
}
