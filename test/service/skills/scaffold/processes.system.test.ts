/** Several processes that make skills in one registry: none is lost, whatever happens to the processes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { newSkill } from '../../../../src/service/skills/scaffold/new-skill.ts'
import { validateAll } from '../../../../src/service/skills/validate/validate.ts'
import { runProgram, startProgram } from '../../../support/run-program.ts'
import { output, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-makers-')
const clock = systemClock()
const range = (length: number) => Array.from({ length }, (_, index) => index)

interface Fact {
  made?: string
  refused?: string
}

const factsIn = (stdout: string): Fact[] =>
  stdout
    .split('\n')
    .filter(line => line.startsWith('{') && line.endsWith('}'))
    .map(line => JSON.parse(line))

const emptyRepo = () => {
  const repo = skillRepo(folder())
  repo.write('skills/skills-registry.json', '{"schemaVersion":"1.0","mine":1e400,"skills":[]}')
  return repo
}

const idsIn = (path: string): string[] =>
  JSON.parse(readFileSync(path, 'utf8')).skills.map(({ id }: { id: string }) => id)

describe('six processes that make skills at once', () => {
  test('lose none, and leave nothing behind', async () => {
    const { registryPath, load } = emptyRepo()
    const ended = await Promise.all(
      range(6).map(index => runProgram('skill-maker', [registryPath, `com.p${index}.skill`, '8'])),
    )
    for (const { code, stderr } of ended) expect([code, stderr]).toEqual([0, ''])
    const made = ended.flatMap(({ stdout }) => factsIn(stdout)).map(fact => fact.made)
    expect(made).toHaveLength(48)
    expect([...idsIn(registryPath)].sort()).toEqual([...made].sort())
    expect(readFileSync(registryPath, 'utf8')).toMatch(/^\{"schemaVersion":"1\.0","mine":1e400,"skills":\[/)
    expect(output(await validateAll({ registry: load(), dryRun: true })).totalSkills).toBe(48)
    expect(readdirSync(join(registryPath, '..')).filter(name => !name.startsWith('com.'))).toEqual([
      'skills-registry.json',
    ])
  })

  test('that want the same ids make each one once', async () => {
    const { registryPath } = emptyRepo()
    const ended = await Promise.all(
      range(4).map(() => runProgram('skill-maker', [registryPath, 'com.same.skill', '5'])),
    )
    const facts = ended.flatMap(({ stdout }) => factsIn(stdout))
    expect(facts.filter(({ made }) => made !== undefined)).toHaveLength(5)
    expect(facts.filter(({ refused }) => refused === 'SKILL_ALREADY_EXISTS')).toHaveLength(15)
    expect(new Set(idsIn(registryPath)).size).toBe(5)
  })
})

describe('a process that is killed', () => {
  test('while it holds the lock is replaced at once', async () => {
    const { registryPath, root } = emptyRepo()
    const holder = startProgram('skill-maker', [registryPath, 'x.y', '1', 'hold'])
    const lock = `${registryPath}.lock`
    await until(() => existsSync(lock), 'the lock to be held')
    const options = { registry: registryPath, cwd: root, home: root, clock }
    const waiting = await newSkill({ ...options, skillId: 'com.lab.early', lockWaitMs: 50 })
    expect(waiting).toMatchObject({ ok: false, error: { code: 'SKILLS_SCAFFOLD_FAILED' } })
    if (!waiting.ok) expect(waiting.error.message).toContain(`process ${holder.child.pid}`)
    holder.child.kill('SIGKILL')
    await holder.ended
    expect(existsSync(lock)).toBe(true)
    output(await newSkill({ ...options, skillId: 'com.lab.late' }))
    expect([idsIn(registryPath), existsSync(lock)]).toEqual([['com.lab.late'], false])
  })

  test('at any time leaves a registry that can be read, with every skill that was answered', async () => {
    const { registryPath, load } = emptyRepo()
    const answered: string[] = []
    for (const round of range(4)) {
      const makers = range(3).map(index =>
        startProgram('skill-maker', [registryPath, `com.r${round}.p${index}`, '200']),
      )
      let said = 0
      for (const { child } of makers) child.stdout?.on('data', chunk => (said += String(chunk).split('\n').length - 1))
      await until(() => said >= 8 + round, 'some skills to be made')
      for (const { child } of makers) child.kill('SIGKILL')
      const ended = await Promise.all(makers.map(maker => maker.ended))
      answered.push(...ended.flatMap(({ stdout }) => factsIn(stdout)).flatMap(({ made }) => made ?? []))
    }
    const listed = idsIn(registryPath)
    expect(answered.length).toBeGreaterThan(10)
    expect(answered.filter(id => !listed.includes(id))).toEqual([])
    // Listed means whole: the files were there before the entry was.
    expect(output(await validateAll({ registry: load() })).totalSkills).toBe(listed.length)
  })
})
