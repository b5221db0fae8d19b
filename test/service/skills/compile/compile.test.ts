import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { CompiledArtifact } from '../../../../src/contracts/skills/skill-commands.ts'
import { compileArtifact } from '../../../../src/service/skills/compile/compile.ts'
import { type Entry, entryFor, output, refused, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-compile-')
const ID = 'com.lab.do'
const ARTIFACT = `skills/${ID}/artifacts/open.recipe.json`

const recipe = (more: object = {}) => ({
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
  actions: [{ id: 'open', type: 'open_app', params: { applicationId: '{{APP}}' } }],
  ...more,
})

const repoWith = (content: string | object = recipe(), more: Partial<Entry> = {}) => {
  const repo = skillRepo(folder())
  repo.list([entryFor(ID, { artifacts: [ARTIFACT], ...more })])
  repo.write(ARTIFACT, content)
  const compile = (vars?: string | object, artifact = 'open', skillId = ID) =>
    compileArtifact({
      registry: repo.load(),
      skillId,
      artifact,
      vars: typeof vars === 'object' ? JSON.stringify(vars) : vars,
    })
  return { ...repo, compile, execution: (vars?: object) => output(compile(vars)).execution }
}

describe('a string that is one placeholder and nothing else', () => {
  const timed = {
    timeoutMs: '{{T}}',
    actions: [
      { id: 'wait', type: 'sleep', params: { durationMs: '{{ MS }}' } },
      { id: 'go', type: 'scroll', params: { findFirstScrollableChild: '{{FIRST}}', distanceRatio: '{{RATIO}}' } },
    ],
  }

  test('becomes a number or a boolean where the value is one', () => {
    const { execution } = repoWith(recipe(timed))
    expect(execution({ T: 5_000, MS: 500, FIRST: false, RATIO: 0.5 })).toMatchObject({
      timeoutMs: 5_000,
      actions: [{ params: { durationMs: 500 } }, { params: { findFirstScrollableChild: false, distanceRatio: 0.5 } }],
    })
  })

  test('stays text where the value is text', () => {
    const { compile } = repoWith(recipe(timed))
    const wrong = refused(compile({ T: 5_000, MS: '500', FIRST: false, RATIO: 0.5 }))
    expect(wrong).toMatchObject({ code: 'COMPILE_VALIDATION_FAILED', details: { path: 'actions.0.params.durationMs' } })
  })

  test('makes another command where the type is another one', () => {
    const { execution } = repoWith(recipe({ actions: [{ id: 'a', type: 'show_toast', params: { text: 'x{{A}}' } }] }))
    expect(execution({ A: 5 }).commandId).not.toBe(execution({ A: '5' }).commandId)
  })
})

describe('a recipe', () => {
  test('becomes an execution that can be sent', () => {
    const compiled = output(repoWith().compile({ APP: 'com.x' }))
    expect(compiled).toEqual({
      execution: {
        commandId: expect.stringMatching(/^cmd-[0-9a-f]{12}$/),
        taskId: expect.stringMatching(/^task-[0-9a-f]{12}$/),
        source: 'skill-artifact',
        expectedFormat: 'android-ui-automator',
        timeoutMs: 30_000,
        actions: [
          {
            id: 'open',
            type: 'open_app',
            params: { applicationId: 'com.x', skipNavigationWait: false, navigationTimeoutMs: 15_000 },
          },
        ],
        mode: 'artifact_compiled',
      },
    })
    expect(v.is(CompiledArtifact, compiled)).toBe(true)
  })

  test('is named with and without its ending, and is the same either way', () => {
    const { compile } = repoWith()
    expect(compile({ APP: 'x' }, 'open.recipe.json')).toEqual(compile({ APP: 'x' }, 'open'))
  })

  test('keeps the ids, the source and the spelling it has, and gives up its mode', () => {
    const literal = { command_id: 'mine', taskId: 'ours', source: 'me', mode: 'direct' }
    expect(repoWith(recipe(literal)).execution({ APP: 'x' })).toMatchObject({
      commandId: 'mine',
      taskId: 'ours',
      source: 'me',
      mode: 'artifact_compiled',
    })
  })

  test('may put the derived ids where it likes, and callers may give their own', () => {
    const { execution } = repoWith(recipe({ commandId: 'x-{{COMMAND_ID}}', taskId: '{{TASK_ID}}' }))
    const derived = repoWith().execution({ APP: 'a' })
    expect(execution({ APP: 'a' })).toMatchObject({ commandId: `x-${derived.commandId}`, taskId: derived.taskId })
    expect(execution({ APP: 'a', TASK_ID: 'given' })).toMatchObject({ taskId: 'given' })
  })
})

describe('derived ids', () => {
  test('are the same for the same skill, recipe and vars, in whatever order', () => {
    const { execution } = repoWith()
    expect(execution({ APP: 'x', B: 'y' })).toEqual(execution({ B: 'y', APP: 'x' }))
  })

  test('differ with the vars, the recipe and the skill', () => {
    const ids = [
      repoWith().execution({ APP: 'x' }),
      repoWith().execution({ APP: 'y' }),
      repoWith().execution({ APP: 'x', B: '' }),
    ].map(({ commandId }) => commandId)
    const other = 'skills/other.recipe.json'
    const two = repoWith(recipe(), { artifacts: [ARTIFACT, other] })
    two.write(other, recipe())
    ids.push(output(two.compile({ APP: 'x' }, 'other')).execution.commandId)
    const repo = skillRepo(folder())
    repo.list([entryFor('com.lab.second', { artifacts: [ARTIFACT] })])
    repo.write(ARTIFACT, recipe())
    const options = { registry: repo.load(), skillId: 'com.lab.second', artifact: 'open', vars: '{"APP":"x"}' }
    ids.push(output(compileArtifact(options)).execution.commandId)
    expect(new Set(ids).size).toBe(5)
  })
})

describe('ARTIFACT_NOT_FOUND', () => {
  test.each(['close', '', '.recipe.json', '../open', `artifacts/open`, `${'x'.repeat(5_000)}`])('for %#', name => {
    expect(refused(repoWith().compile({ APP: 'x' }, name))).toMatchObject({
      code: 'ARTIFACT_NOT_FOUND',
      details: { skillId: ID, artifacts: [ARTIFACT] },
    })
  })

  test('for one that is listed and not there', () => {
    const { compile } = repoWith(recipe(), { artifacts: ['skills/none.recipe.json'] })
    expect(refused(compile({}, 'none'))).toMatchObject({ code: 'ARTIFACT_NOT_FOUND' })
  })

  test('and a skill that is not there is SKILL_NOT_FOUND', () => {
    expect(refused(repoWith().compile({}, 'open', 'no.such')).code).toBe('SKILL_NOT_FOUND')
  })

  test('and one outside of the repository is never read', () => {
    const { compile, root } = repoWith(recipe(), {
      artifacts: ['../open.recipe.json', '/etc/passwd', 'skills/link.recipe.json', 'skills/dir/x.recipe.json'],
    })
    symlinkSync('/etc/passwd', join(root, 'skills', 'link.recipe.json'))
    mkdirSync(join(root, 'skills', 'd'))
    symlinkSync('/etc', join(root, 'skills', 'dir'))
    for (const name of ['open', 'passwd', 'link', 'x']) {
      const error = refused(compile({}, name))
      expect(error).toMatchObject({ code: 'SKILL_VALIDATION_FAILED', details: { root } })
    }
  })
})

describe('COMPILE_VARS_PARSE_FAILED', () => {
  test('that is a number is called one', () => {
    const { compile } = repoWith(recipe({}))
    expect(compile('5')).toMatchObject({ error: { message: '--vars: must be a JSON object, but is a number' } })
    expect(compile('{"a": 1e999}')).toMatchObject({ error: { message: expect.stringContaining('out of range') } })
  })

  test.each(['', '[]', '["a"]', 'null', '7', '"x"', '{"a":', "{'a': 1}", '{"a": null}', '{"a": []}', '{"a": {}}'])(
    'for %s',
    vars => {
      const error = refused(repoWith().compile(vars))
      expect(error.code).toBe('COMPILE_VARS_PARSE_FAILED')
      expect(error.message).toContain('--vars')
    },
  )

  test('but numbers and booleans inside a longer text are taken as their text', () => {
    const { execution } = repoWith(recipe({ commandId: 'c{{A}}', taskId: ' {{B}}', source: '{{C}}{{C}}' }))
    expect(execution({ APP: 'x', A: 1.5, B: true, C: 0 })).toMatchObject({
      commandId: 'c1.5',
      taskId: ' true',
      source: '00',
    })
  })
})

describe('COMPILE_VAR_MISSING', () => {
  test('names every variable without a value, once', () => {
    const { compile } = repoWith(
      recipe({ source: '{{B}}{{A}}{{B}}', taskId: '{{toString}}', commandId: '{{__proto__}}' }),
    )
    const error = refused(compile())
    expect(error).toMatchObject({
      code: 'COMPILE_VAR_MISSING',
      details: { skillId: ID, artifact: 'open', missingVars: ['APP', 'B', 'A', 'toString', '__proto__'] },
    })
  })

  test('stays readable whatever the recipe holds', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `{{V${index}}}`).join('')
    const error = refused(repoWith(recipe({ source: many, taskId: `{{${'x'.repeat(50_000)}}}` })).compile())
    expect(JSON.stringify(error).length).toBeLessThan(4_000)
  })
})

describe('COMPILE_VALIDATION_FAILED', () => {
  test('says what the execution schema says', () => {
    const { compile } = repoWith(recipe({ actions: [{ id: 'key', type: 'press_key', params: { key: '{{KEY}}' } }] }))
    expect(output(compile({ KEY: 'HOME' })).execution.actions).toEqual([
      { id: 'key', type: 'press_key', params: { key: 'home' } },
    ])
    expect(refused(compile({ KEY: 'nope' }))).toMatchObject({
      code: 'COMPILE_VALIDATION_FAILED',
      message: expect.stringContaining('nope'),
      details: {
        skillId: ID,
        artifact: 'open',
        actionId: 'key',
        actionType: 'press_key',
        cause: 'EXECUTION_VALIDATION_FAILED',
      },
    })
  })

  test.each(['', '{', '[]', `${'['.repeat(50_000)}`, `{"a": "${'x'.repeat(2_000_000)}"}`])(
    'for a file that is not a recipe: %#',
    text => {
      expect(refused(repoWith(text).compile({})).code).toBe('COMPILE_VALIDATION_FAILED')
    },
  )

  test('for values that multiply without measure', () => {
    const bomb = recipe({ source: '{{A}}'.repeat(100_000) })
    const error = refused(repoWith(bomb).compile({ APP: 'x', A: 'x'.repeat(100_000) }))
    expect(error).toMatchObject({ code: 'COMPILE_VALIDATION_FAILED' })
    expect(error.message).toContain('102400')
  })
})
