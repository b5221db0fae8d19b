/** A row of a table of runs: a script, how it is requested, and what both surfaces must answer. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { until } from '../until.ts'
import type { createSkillLab, NewSkill } from './skill-lab.ts'
import { asOutcome, type RunAsked, runTwiceAtOnce, type Surfaces, timelessOutcome } from './skill-surfaces.ts'

export const SKILL = 'com.lab.do'

export interface Row {
  name: string
  /** A shell script, or with `js` one for Node. What appends its pid to PIDS is gone afterwards. */
  script: string
  js?: boolean
  skill?: Partial<NewSkill>
  asked?: Partial<RunAsked>
  /** What the outcome holds. */
  says: Record<string, unknown>
  httpStatus?: number
}

export const failed = (code: string, more: Record<string, unknown> = {}) => ({ status: 'failed', code, ...more })

type SkillLab = ReturnType<typeof createSkillLab>

const addSkill = (lab: SkillLab, { script, js, skill }: Row, pids: string) => {
  const text = script.replaceAll('PIDS', pids)
  const files: Record<string, string> = js ? { 'scripts/run.js': text } : { 'scripts/run.sh': `#!/bin/sh\n${text}\n` }
  lab.add({ files, ...skill })
}

const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

/** Each door says its hint in the words of its callers. */
export const withoutHint = (outcome: object): object => ({ ...outcome, hint: undefined })

export const runRow = async (row: Row, lab: SkillLab, surfaces: Surfaces): Promise<void> => {
  const pids = join(lab.root, 'pids')
  rmSync(pids, { force: true })
  addSkill(lab, row, pids)
  const { cli, http } = await runTwiceAtOnce(surfaces, { skillId: SKILL, ...row.asked })
  expect(cli.outcome).toMatchObject(row.says)
  expect(cli.code).toBe(row.says.status === 'success' ? 0 : 1)
  expect(http.status).toBe(row.httpStatus ?? (row.says.status === 'success' ? 200 : 400))
  expect(withoutHint(asOutcome(http.body))).toEqual(withoutHint(timelessOutcome(cli.outcome)))
  if (!row.script.includes('PIDS')) return
  const wrote = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
  expect(wrote).toHaveLength(2)
  await until(() => !wrote.some(isAlive), 'the groups to be gone')
}
