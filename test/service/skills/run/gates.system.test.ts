/** What can say no before something is spawned, in its order, and how it is answered. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { failure } from '../../../../src/contracts/failures/failures.ts'
import { SkillRunOutcome, SkillRunResponse } from '../../../../src/contracts/skills/skill-run.ts'
import { refuse } from '../../../../src/service/skills/refusal.ts'
import { GATES_MS } from '../../../../src/service/skills/run/gate.ts'
import { runAnswer, runOutcome } from '../../../../src/service/skills/run/run-answer.ts'
import { manualClock, RUNTIME_TIMERS } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'
import { createSkillLab, type LabRun } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-gates-')
const lab = () => createSkillLab(folder())

const no = {
  validate: async () => refuse('SKILL_VALIDATION_FAILED', 'invalid', { details: { missingFiles: ['x'] } }),
  checkDevice: async () => refuse('DEVICE_NOT_FOUND', 'no device', { details: { connected: [] } }),
  loadRegistry: () => refuse('REGISTRY_READ_FAILED', 'no registry'),
} satisfies LabRun

describe('gates', () => {
  test.each<[string, LabRun, string, number]>([
    ['validation first', no, 'SKILL_VALIDATION_FAILED', 400],
    ['not when it is skipped', { ...no, skipValidate: true }, 'DEVICE_NOT_FOUND', 404],
    ['then the device', { checkDevice: no.checkDevice, loadRegistry: no.loadRegistry }, 'DEVICE_NOT_FOUND', 404],
    ['then the entry', { loadRegistry: no.loadRegistry }, 'REGISTRY_READ_FAILED', 500],
    ['an id that nobody knows', { skillId: 'com.lab.other' }, 'SKILL_NOT_FOUND', 404],
  ])('%s', async (_name, more, code, status) => {
    const skills = lab()
    const finished = await skills.sh('echo never', more)
    const [outcome, answer] = [runOutcome(finished), runAnswer(finished)]
    expect(v.parse(SkillRunOutcome, outcome)).toMatchObject({ status: 'failed', code })
    expect(v.parse(SkillRunResponse, answer.body)).toMatchObject({ ok: false, error: { code } })
    expect(answer.status).toBe(status)
    for (const absent of ['stdout', 'exitCode', 'skillResult']) expect(outcome).not.toHaveProperty(absent)
    expect(skills.events(finished.runId).map(({ type }) => type)).toEqual([
      'actor.created',
      'run.requested',
      'run.refused',
    ])
  })

  test('what a gate knows is handed on', async () => {
    expect(runOutcome(await lab().sh('echo never', no))).toMatchObject({
      message: 'invalid',
      details: { missingFiles: ['x'] },
      skillId: 'com.lab.do',
    })
  })

  test('the device gate hears of a device only when one was named', async () => {
    const asked: unknown[] = []
    const checkDevice = async (deviceId: string | undefined) => {
      asked.push(deviceId)
      return { ok: true } as const
    }
    for (const deviceId of [undefined, '', ' ', 'd1']) await lab().sh('true', { checkDevice, deviceId })
    expect(asked).toEqual([undefined, undefined, undefined, 'd1'])
  })

  test('the policy is asked once more when the device is known, also for a run without one', async () => {
    const asked: unknown[] = []
    const policy: LabRun['policy'] = async ({ found }) => {
      asked.push(found && (await found.serials()))
      return found && failure('EXECUTION_DENIED', 'no')
    }
    const atDevice: LabRun['checkDevice'] = async (_, __, ___, { permit } = {}) =>
      (await permit?.({ serials: async () => ['d1', 'HW1'] })) ?? { ok: true }
    for (const checkDevice of [undefined, atDevice]) {
      const finished = await lab().sh('echo never', { policy, ...(checkDevice ? { checkDevice } : {}) })
      expect(finished.error).toMatchObject({ code: 'EXECUTION_DENIED' })
    }
    expect(asked).toEqual([undefined, [], undefined, ['d1', 'HW1']])
  })

  test('one that breaks ends in an answer', async () => {
    const validate = async () => {
      throw new Error('the worker died')
    }
    expect((await lab().sh('echo never', { validate })).error).toMatchObject({
      code: 'SKILL_EXECUTION_FAILED',
      message: expect.stringContaining('the worker died'),
    })
  })

  test('one that never answers is given up, and told so', async () => {
    const clock = manualClock()
    const skills = createSkillLab(folder(), { clock })
    let told: AbortSignal | undefined
    const validate = (_id: string, signal: AbortSignal) => {
      told = signal
      return new Promise<never>(() => {})
    }
    const running = skills.sh('echo never', { validate })
    await settled()
    clock.advance(GATES_MS + 1)
    expect((await running).error).toMatchObject({
      code: 'SKILL_EXECUTION_FAILED',
      message: expect.stringContaining('nothing was started'),
    })
    expect(told?.aborted).toBe(true)
    expect(clock.pending()).toBeLessThanOrEqual(RUNTIME_TIMERS)
  })
})

describe('scripts that may not run, when validation was skipped', () => {
  const skip = { skipValidate: true }

  test.each<[string, string[]]>([
    ['no script listed', []],
    ['a missing one', ['skills/com.lab.do/scripts/gone.js']],
    ['a directory', ['skills/com.lab.do/scripts']],
    ['outside of the repo', ['../outside.js']],
    ['outside, by a detour', ['skills/../../outside.js']],
    ['absolute', ['/bin/sh']],
    ['a name with NUL', ['skills/a\0.js']],
    ['blank', ['']],
  ])('%s', async (_name, scripts) => {
    const skills = lab()
    writeFileSync(join(skills.root, '..', 'outside.js'), 'console.log("ran")')
    skills.add({ files: { 'scripts/run.js': '' }, entry: { scripts } })
    const finished = await skills.run(skip)
    expect(runOutcome(finished)).toMatchObject({ code: 'SKILL_SCRIPT_NOT_FOUND', skillId: 'com.lab.do' })
    expect(runAnswer(finished).status).toBe(400)
  })

  test('a link that leads out of the repo', async () => {
    const skills = lab()
    const path = skills.add({ files: { 'scripts/other.js': '' }, scripts: ['scripts/run.js'] })
    writeFileSync(join(skills.root, '..', 'outside.js'), 'console.log("ran")')
    symlinkSync(join(skills.root, '..', 'outside.js'), join(path, 'scripts', 'run.js'))
    expect((await skills.run(skip)).error).toMatchObject({
      code: 'SKILL_SCRIPT_NOT_FOUND',
      message: expect.stringContaining('symbolic link'),
    })
  })

  test('a skill directory outside of the repo', async () => {
    const skills = lab()
    mkdirSync(join(skills.root, '..', 'elsewhere'), { recursive: true })
    skills.add({ files: { 'scripts/run.js': '' }, entry: { path: '../elsewhere' } })
    expect((await skills.run(skip)).error?.code).toBe('SKILL_SCRIPT_NOT_FOUND')
  })
})

describe('skill.json, when validation was skipped', () => {
  const skip = { skipValidate: true }

  test('a missing one makes a plain script of the skill', async () => {
    expect(await lab().sh('echo ran', skip, { skillJson: null })).toMatchObject({ captured: { stdout: 'ran\n' } })
  })

  test.each([
    ['no JSON', '{"agent":'],
    ['an agent without a CLI', '{"agent":{}}'],
    ['an agent that is a text', '{"agent":"codex"}'],
    ['a contract of another shape', '{"contract":{"verification":{"kind":"magic"}}}'],
    ['an array', '[]'],
  ])('a damaged one never makes something else of it: %s', async (_name, text) => {
    const skills = lab()
    const path = skills.add({ files: { 'scripts/run.sh': '#!/bin/sh\necho ran\n' } })
    writeFileSync(join(path, 'skill.json'), text)
    expect((await skills.run(skip)).error?.code).toBe('SKILL_VALIDATION_FAILED')
  })

  test('an agent whose program is gone', async () => {
    const skills = lab()
    const files = { 'scripts/run.js': '', 'bin/agent': '#!/bin/sh\n' }
    const path = skills.add({
      files,
      scripts: ['scripts/run.js'],
      skillJson: { agent: { cli: 'x', cliPath: 'bin/agent' } },
    })
    rmSync(join(path, 'SKILL.md'))
    expect((await skills.run(skip)).error?.code).toBe('SKILL_SCRIPT_NOT_FOUND')
  })
})
