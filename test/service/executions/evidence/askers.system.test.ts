/** Two processes of one home that want to know what became of the same executions: one asks at a time, and one records. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OperatorInput } from '../../../../machines/device/device-setup.ts'
import type { Action } from '../../../../src/contracts/executions/action.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { openJournal } from '../../../../src/runtime/journal/sqlite.ts'
import type { Port } from '../../../../src/runtime/port.ts'
import { isAlive, thisProcess } from '../../../../src/runtime/processes/processes.ts'
import { deviceHost, request, target } from '../../../support/executions/device-host.ts'
import { actionsOf, BACK, NAP, recordedOf, TAP } from '../../../support/executions/recorded-execution.ts'
import { linesIn } from '../../../support/lines.ts'
import { ready } from '../../../support/ready.ts'
import { startProgram } from '../../../support/run-program.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-askers-')
const clock = systemClock()
const ASKERS = ['one', 'two', 'three']

interface Fact {
  by: string
  asks?: string
  asked?: string
  knows?: string
  outcome?: string
  evidence?: object
}

/** Executions that were sent, and whose process went away. */
const inDoubt = async (path: string, ids: readonly string[], actions: Action[], sent: object) => {
  const journal = openJournal({ path, alive: isAlive, clock })
  const operator: Port<OperatorInput> = async ({ executionId }, { commit }) => {
    await commit({ type: 'execution.dispatched', executionId, segment: 0, ...sent })
  }
  const body = recordedOf(actions).dispatch
  for (const executionId of ids) {
    const host = deviceHost({ journal, clock, operator, ...thisProcess() })
    const { operatorPackage } = body
    await host.tell(target(), request(executionId, clock, { operatorPackage, body }))
    await until(() => journal.receipt(executionId)?.dispatchedAt !== undefined, 'the dispatch')
    await host.stop({ graceMs: 0 })
  }
  journal.close()
}

const askAll = async (path: string, log: string, ids: readonly string[]): Promise<Fact[]> => {
  const askers = ASKERS.map(name => startProgram('evidence-asker', [path, log, name, ...ids]))
  await Promise.all(askers.map(({ child }) => ready(child)))
  for (const { child } of askers) child.stdin?.write('go\n')
  for (const { ended } of askers) expect(await ended).toMatchObject({ code: 0, stderr: '' })
  return linesIn<Fact>(log)
}

const evidenceIn = (path: string) => {
  const journal = openJournal({ path, alive: isAlive, clock, readOnly: true })
  const records = journal.records({ actor: 'device:d1' })
  journal.close()
  return records.flatMap(({ event }) => (event.type === 'execution.evidenced' ? [event.executionId] : []))
}

test.each([
  ['the phone knows', actionsOf(TAP, TAP), { nonce: '1'.repeat(32) }, 'done'],
  ['the records decide', actionsOf(NAP, BACK, BACK), { stepped: true }, 'failed'],
] as const)(
  'what %s is asked for by one at a time, recorded once, and the same for all',
  async (name, actions, sent, outcome) => {
    const path = join(folder(), name, 'journal.db')
    const log = join(folder(), `${name}.log`)
    const ids = Array.from({ length: 6 }, (_, index) => `e${index}`)
    await inDoubt(path, ids, [...actions], sent)
    const facts = await askAll(path, log, ids)
    const questions = facts.filter(({ knows }) => knows === undefined)
    const begun = questions.filter((_, index) => index % 2 === 0)
    const ended = questions.filter((_, index) => index % 2 === 1)
    expect(ended.map(({ by, asked }) => [by, asked])).toEqual(begun.map(({ by, asks }) => [by, asks]))
    expect(begun.every(({ asks }) => asks !== undefined)).toBe(true)
    expect(evidenceIn(path).sort()).toEqual(ids)
    for (const id of ids) {
      const answers = facts.filter(({ knows }) => knows === id)
      expect(answers.map(({ by }) => by).sort()).toEqual([...ASKERS].sort())
      expect(answers[0]).toMatchObject({ outcome, evidence: { outcome } })
      for (const { evidence } of answers) expect(evidence).toEqual(answers[0]?.evidence)
    }
  },
)
