/** The scripts of a flow over the built program, ended after each test. */
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { createSecrets } from '../../../../src/runtime/secrets.ts'
import type { ScriptAnswer, ScriptPlace } from '../../../../src/service/flows/script/script-answer.ts'
import { scriptProgram } from '../../../../src/service/flows/script/script-process.ts'
import { createFlowScripts, type FlowScriptsOptions } from '../../../../src/service/flows/script/scripts.ts'

/** Found from the built command, as the product finds it. */
export const PROGRAM = scriptProgram(fileURLToPath(new URL('../../../../dist/svc.cjs', import.meta.url))) ?? ''

export const startScripts = (options: Partial<FlowScriptsOptions> = {}) => {
  const { digest: digestOf } = createSecrets(() => Buffer.alloc(32, 7))
  const scripts = createFlowScripts({ seed: 'seed', clock: systemClock(), program: PROGRAM, digestOf, ...options })
  onTestFinished(() => scripts.end())
  const interpolate = async (text: string, at: ScriptPlace) => (await scripts.fillIn(text, at)).join('')
  return { ...scripts, interpolate }
}

export const place = (more: Partial<ScriptPlace> = {}): ScriptPlace => ({
  file: '/flows/login.yaml',
  line: 7,
  env: {},
  ...more,
})

/** The text of a value, or the problem. */
export const outcomeOf = (answer: ScriptAnswer): string => (answer.ok ? answer.text : answer.problem)
