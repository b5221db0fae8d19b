/** One caller: asks for a tap by one of the surfaces, and notes what it was told and when. */
import { setTimeout as pause } from 'node:timers/promises'
import { call } from '../support/http-client.ts'
import { type Answer, answerOf, broken, hung, killed, skillAnswerOf } from './answer.ts'
import { givenUpAfter } from './bounds.ts'
import type { Step } from './plan.ts'
import type { Server } from './server.ts'
import { TAP_SKILL } from './tap-skill.ts'
import type { Ask } from './timeline.ts'
import type { World } from './world.ts'

type Tap = Pick<Step, 'command' | 'timeoutMs' | 'beforeMs' | 'afterMs' | 'picture'>

const payloadOf = ({ command, timeoutMs, beforeMs, afterMs, picture }: Tap) => {
  const sleep = (id: string, durationMs: number) =>
    durationMs > 0 ? [{ id, type: 'sleep', params: { durationMs } }] : []
  const actions = [
    ...sleep('before', beforeMs),
    { id: 'tap', type: 'click', params: { matcher: { textEquals: command } } },
    ...sleep('after', afterMs),
    ...(picture ? [{ id: 'picture', type: 'take_screenshot' }] : []),
  ]
  return {
    commandId: command,
    taskId: 'oracle',
    source: 'oracle',
    expectedFormat: 'android-ui-automator',
    timeoutMs,
    actions,
  }
}

const overHttp = async (step: Step, serial: string, server: Server): Promise<Answer> => {
  const { command, operatorPackage, keyed } = step
  const body = { execution: payloadOf(step), deviceId: serial, operatorPackage }
  try {
    const headers: Record<string, string> = keyed ? { 'Idempotency-Key': `key-${command}` } : {}
    const { json, headers: got } = await call(`${server.url}/execute`, { body, headers })
    const id = got['svc-execution-id']
    return answerOf(json, typeof id === 'string' ? id : undefined)
  } catch (error) {
    return broken(error)
  }
}

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const byCommand = async (step: Step, serial: string, world: World): Promise<Answer> => {
  const execution = JSON.stringify(payloadOf(step))
  const device = ['--device', serial]
  const isSkill = step.surface === 'skill'
  const words = isSkill
    ? ['skills', 'run', '--registry', world.registry, ...device, TAP_SKILL, '--', execution]
    : ['exec', execution, ...device, '--operator-package', step.operatorPackage]
  const direct = step.surface === 'direct' ? ['--no-daemon'] : []
  const { signal, stdout } = await world.cli([...words.slice(0, 2), ...direct, ...words.slice(2)]).ended
  if (signal !== null) return killed
  return isSkill ? skillAnswerOf(jsonIn(stdout)) : answerOf(jsonIn(stdout))
}

/** `server` instead of the one that the step names: to ask again elsewhere. */
export const ask = async (step: Step, world: World, other?: Server): Promise<Ask> => {
  const { command, surface, timeoutMs, keyed } = step
  const serial = world.phones.serials[step.device] ?? ''
  const server = surface === 'http' ? (other ?? world.servers[step.server]) : undefined
  const began = Date.now()
  const asked = {
    command,
    surface,
    serial,
    timeoutMs,
    key: keyed ? `key-${command}` : undefined,
    server: server && { index: server.index, life: server.life() },
    began,
  }
  const done = new AbortController()
  const limit = pause(givenUpAfter(timeoutMs), hung, { signal: done.signal }).catch(() => hung)
  const answer = await Promise.race([server ? overHttp(step, serial, server) : byCommand(step, serial, world), limit])
  done.abort()
  return { ...asked, ended: Date.now(), answer }
}
