/** One caller: asks for a tap by one of the surfaces, and notes what it was told and when. */
import { setTimeout as pause } from 'node:timers/promises'
import { call } from '../../support/http/http-client.ts'
import { type Answer, answerOf, broken, hung, killed, skillAnswerOf } from './answer.ts'
import { askByFlow } from './ask-by-flow.ts'
import { askByMcp, askByMcpOverHttp } from './ask-by-mcp.ts'
import { askByWebDriver } from './ask-by-webdriver.ts'
import { givenUpAfter, timeOf } from './bounds.ts'
import { payloadOf } from './payload.ts'
import type { Step, Surface } from './plan.ts'
import type { Server } from './server.ts'
import { TAP_SKILL } from './tap-skill.ts'
import type { Ask } from './timeline.ts'
import type { World } from './world.ts'

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
  const { signal, stdout } = await world.cli([...words.slice(0, 2), ...direct, ...words.slice(2)], step).ended
  if (signal !== null) return killed
  return isSkill ? skillAnswerOf(jsonIn(stdout)) : answerOf(jsonIn(stdout))
}

const BY_SERVER: Partial<Record<Surface, (step: Step, serial: string, server: Server) => Promise<Answer>>> = {
  http: overHttp,
  'mcp-http': askByMcpOverHttp,
  webdriver: askByWebDriver,
}
const BY_PROCESS: Partial<Record<Surface, (step: Step, serial: string, world: World) => Promise<Answer>>> = {
  mcp: askByMcp,
  flow: askByFlow,
}

/** `other` instead of the server that the step names: to ask again elsewhere. */
export const ask = async (step: Step, world: World, other?: Server): Promise<Ask> => {
  const { command, surface, keyed } = step
  const timeoutMs = timeOf(step)
  const serial = world.serials[step.device] ?? ''
  const overServer = BY_SERVER[surface]
  const server = overServer && (other ?? world.servers[step.server])
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
  const byProcess = BY_PROCESS[surface] ?? byCommand
  const asking = server && overServer ? overServer(step, serial, server) : byProcess(step, serial, world)
  const answer = await Promise.race([asking, limit])
  done.abort()
  return { ...asked, ended: Date.now(), answer }
}
