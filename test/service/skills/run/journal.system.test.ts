/** What the journal has of a run that went through. */
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { SkillRunEvent } from '../../../../src/contracts/events/skill-run.ts'
import { createSkillLab } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-journal-')
const lab = () => createSkillLab(folder())

test('the journal has the request, the script with its digest, the argv, the process and the exit', async () => {
  const skills = lab()
  const finished = await skills.sh('echo out; exit 3', { args: ['a b'], deviceId: 'd1', timeoutMs: 5_000 })
  const events = skills.events(finished.runId)
  expect(events.map(({ type }) => type)).toEqual([
    'actor.created',
    'run.requested',
    'run.cleared',
    'child.spawned',
    'child.exited',
  ])
  for (const event of events.slice(1)) expect(v.parse(SkillRunEvent, event)).toEqual(event)
  const script = `${skills.root}/skills/com.lab.do/scripts/run.sh`
  expect(events[1]).toMatchObject({ skillId: 'com.lab.do', deviceId: 'd1', argv: ['a b'], timeoutMs: 5_000 })
  expect(events[2]).toMatchObject({
    script,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    argv: [script, 'd1', 'a b'],
  })
  expect(events[3]).toMatchObject({ pid: expect.any(Number), started: expect.stringMatching(/\d/) })
  expect(events[4]).toMatchObject({ exitCode: 3, signal: null, frame: 'none', verification: 'undeclared' })
  const ended = skills.journal.last(`skill-run:${finished.runId}`)
  expect(ended && skills.journal.body(ended)).toEqual({ stdout: 'out\n', stderr: '', skillResult: null })
  expect(skills.journal.leases.list()).toEqual([])
  expect(skills.runs.size).toBe(0)
})
