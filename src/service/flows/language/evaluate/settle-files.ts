/** Commands that name files: the names are looked up when their turn comes, for they may be expressions. */

import { circleOf } from '../check-flows.ts'
import type { Action, Flow } from '../command.ts'
import { SUBFLOW_LEVELS_MAX } from '../limits.ts'
import { object } from './context.ts'
import type { Values } from './values.ts'

const RETRIES = { default: 1, max: 3 } as const

/** Undefined without a file, and where it is no flow: then the problems say why. */
const subflowOf = async ({ paths, work }: Values): Promise<Flow | undefined> => {
  const [file] = await paths('file')
  if (file === undefined) return undefined
  const { path, param } = file
  const { running, library } = work.context
  const circle = circleOf(running, path)
  if (circle !== undefined) return object(work, param.place, `The flows run each other in a circle: ${circle}.`)
  if (running.length > SUBFLOW_LEVELS_MAX) {
    return object(work, param.place, `Flows run each other over more than ${SUBFLOW_LEVELS_MAX} levels.`)
  }
  const found = await library.find(path)
  if (!found.ok) return object(work, param.place, found.message)
  const read = await library.flow(path)
  if (read.ok) return read.flow
  work.problems.push(...read.problems)
  return undefined
}

export const runFlowOf = async (values: Values): Promise<Action> => {
  const flow = await subflowOf(values)
  return { name: 'runFlow', flow, commands: flow?.commands ?? values.commands(), env: await values.env() }
}

export const retryOf = async (values: Values): Promise<Action> => {
  const retries = (await values.integer('maxRetries')) ?? RETRIES.default
  const flow = await subflowOf(values)
  return {
    name: 'retry',
    maxRetries: Math.min(Math.max(retries, 0), RETRIES.max),
    flow,
    commands: flow?.commands ?? values.commands(),
    env: await values.env(),
  }
}

export const runScriptOf = async (values: Values): Promise<Action> => {
  const [script] = await values.paths('file')
  const env = await values.env()
  const read = script && (await values.work.context.library.script(script.path))
  if (script !== undefined && read?.ok === false) object(values.work, script.param.place, read.message)
  return { name: 'runScript', file: script?.path ?? '', source: read?.ok === true ? read.text : '', env }
}

export const mediaOf = async ({ paths, work }: Values): Promise<Action> => {
  const media = await paths('files')
  for (const { path, param } of media) {
    const found = await work.context.library.find(path)
    if (!found.ok) object(work, param.place, found.message)
  }
  return { name: 'addMedia', files: media.map(({ path }) => path) }
}
