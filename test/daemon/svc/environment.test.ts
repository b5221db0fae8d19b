/** What a daemon inherits of the command that happens to start it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { svcLab } from '../../support/svc-lab.ts'

const labOf = svcLab()

test('neither the token of a server nor the skill run of its caller', async () => {
  const lab = await labOf()
  const marks = {
    SVC_SERVE_TOKEN: 'a-token-of-the-server',
    SVC_SKILL_RUN_ID: 'run-1',
    SVC_SKILLS_REGISTRY: '/none.json',
  }
  expect((await lab.svc(['snapshot'], { env: marks })).code).toBe(0)
  const [pid] = lab.daemons()
  const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .map(entry => entry.split('=')[0])
  expect(names).toEqual(expect.arrayContaining(['SVC_HOME', 'SVC_SKILLS_REGISTRY']))
  expect(names.filter(name => name === 'SVC_SERVE_TOKEN' || name?.startsWith('SVC_SKILL_'))).toEqual([])
})
