/** A caller that is a test: `svc test` with a flow of one command. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestRun } from '../../../src/contracts/flows/test-run.ts'
import { type Answer, claimOfError, killed } from './answer.ts'
import type { Step } from './plan.ts'
import type { World } from './world.ts'

const runIn = (stdout: string): TestRun | undefined => {
  try {
    return (JSON.parse(stdout) as { testRun?: TestRun }).testRun
  } catch {
    return undefined
  }
}

const answerOfRun = (run: TestRun): Answer => {
  const [flow] = run.flows
  const attempt = flow?.attempts.at(-1)
  if (run.verdict === 'passed') return { kind: 'answered', claim: 'did' }
  const error = attempt?.error ?? run.error
  const wasAsked = attempt?.commands?.some(({ executionIds }) => executionIds.length > 0)
  // The command has one execution, whose failure it has.
  const claim =
    wasAsked === false ? 'did-not' : claimOfError({ code: error?.code ?? '', details: error?.details ?? {} })
  return { kind: 'answered', claim, code: error?.code ?? run.verdict ?? 'NO_VERDICT' }
}

export const askByFlow = async ({ command }: Step, serial: string, world: World): Promise<Answer> => {
  const folder = join(world.folder, 'flows', command)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'tap.yaml')
  writeFileSync(file, `appId: com.example.counter\n---\n- tapOn: ${command}\n`)
  const { signal, stdout } = await world.cli(['test', file, '--device', serial, '--output-dir', folder]).ended
  if (signal !== null) return killed
  const run = runIn(stdout)
  return run ? answerOfRun(run) : { kind: 'answered', claim: 'doubt', code: 'NO_RUN' }
}
