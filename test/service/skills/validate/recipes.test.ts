import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkSkillInSlices } from '../../../../src/service/skills/validate/check-skill.ts'
import { validateSkill } from '../../../../src/service/skills/validate/validate.ts'
import { actions, execution } from '../../../contracts/samples/execution.ts'
import { type Entry, entryFor, refused, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-recipes-')
const ID = 'com.lab.do'

const repoWith = (more: Partial<Entry> = {}, skillJson: object = {}) => {
  const repo = skillRepo(folder())
  const entry = entryFor(ID, more)
  repo.list([entry])
  repo.add(entry, skillJson)
  const validate = (dryRun = false) => validateSkill({ registry: repo.load(), skillId: ID, dryRun })
  return { ...repo, entry, validate, at: (file: string) => join(repo.root, 'skills', ID, file) }
}

const recipe = (more: object = {}) => ({
  source: 'test',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
  actions: [{ id: 'open', type: 'open_app', params: { applicationId: '{{APP}}' } }],
  ...more,
})
const ARTIFACT = `skills/${ID}/artifacts/open.recipe.json`

describe('--dry-run', () => {
  test.each([
    ['an unknown action', recipe({ actions: [{ id: 'a', type: 'fly' }] }), { actionId: 'a', actionType: 'fly' }],
    ['an unknown key', recipe({ extra: 1 }), { invalidKeys: ['extra'] }],
    ['a text with a placeholder where a number belongs', recipe({ timeoutMs: '1{{T}}' }), { path: 'timeoutMs' }],
    ['a placeholder and a problem', recipe({ timeoutMs: '{{T}}', extra: 1 }), { invalidKeys: ['extra'] }],
    ['a literal brace where a number belongs', recipe({ timeoutMs: '{{{{T}}}}' }), { path: 'timeoutMs' }],
    ['no actions', recipe({ actions: [] }), { path: 'actions' }],
  ])('refuses a recipe with %s', (_, content, details) => {
    const { validate, write, at } = repoWith({ artifacts: [ARTIFACT] })
    write(ARTIFACT, content)
    expect(validate()).toMatchObject({ ok: true })
    const error = refused(validate(true))
    expect(error).toMatchObject({
      code: 'SKILL_VALIDATION_FAILED',
      details: { artifactPath: at('artifacts/open.recipe.json'), ...details },
    })
    expect(error.message).toContain('open.recipe.json')
  })

  test.each(['', '{', '[]', `${'['.repeat(10_000)}`])('refuses a recipe that is not a JSON object: %#', text => {
    const { validate, write } = repoWith({ artifacts: [ARTIFACT] })
    write(ARTIFACT, text)
    expect(refused(validate(true)).code).toBe('SKILL_VALIDATION_FAILED')
  })

  /** Each action of the samples, with one of its values after the other as a placeholder. */
  const opened = (value: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null) return ['{{ANY}}']
    const parts = Object.entries(value)
    const put = (key: string, part: unknown) =>
      Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [key]: part })
    return parts.flatMap(([key, part]) => opened(part).map(each => put(key, each)))
  }

  test('takes a placeholder alone for a value of any type, wherever a value is', () => {
    const { validate, write } = repoWith({ artifacts: [ARTIFACT] })
    const variants = opened({ ...execution, actions: [] }).concat(
      actions.flatMap(action => opened(action).map(each => ({ ...execution, actions: [each] }))),
    )
    expect(variants.length).toBeGreaterThan(100)
    for (const variant of variants) {
      write(ARTIFACT, {
        ...(variant as object),
        ...((variant as { actions: unknown[] }).actions.length ? {} : { actions: actions.slice(0, 1) }),
      })
      expect(validate(true), JSON.stringify(variant)).toMatchObject({ ok: true })
    }
  })

  test('takes a text with placeholders for a text of any form', () => {
    const { validate, write } = repoWith({ artifacts: [ARTIFACT] })
    const log = {
      id: 'a',
      type: 'set_on_screen_log',
      params: { template: '{{WHO}} on {{device.model}}', textColor: '#{{HEX}}' },
    }
    const regex = {
      id: 'b',
      type: 'read_text',
      params: { matcher: { textContains: 'a{{X}}' }, validator: 'regex', validatorPattern: '^{{X}}$' },
    }
    write(ARTIFACT, recipe({ actions: [log, regex] }))
    expect(validate(true)).toMatchObject({ ok: true })
  })

  test('looks at every recipe', () => {
    const second = `skills/${ID}/artifacts/second.recipe.json`
    const { validate, write } = repoWith({ artifacts: [ARTIFACT, second] })
    write(ARTIFACT, recipe())
    write(second, recipe({ timeoutMs: 1 }))
    expect(refused(validate(true)).message).toContain('second.recipe.json')
  })
})

describe('in slices of time, as before a run', () => {
  /** Each look at this clock is the end of a slice. */
  const hasty = () => {
    let now = 0
    return {
      elapsed: () => {
        now += 1_000
        return now
      },
    }
  }
  const many = (first: object) => {
    const repo = repoWith({ artifacts: Array.from({ length: 50 }, () => ARTIFACT) })
    repo.write(ARTIFACT, first)
    const judge = (signal: AbortSignal) => {
      const registry = repo.load()
      const [skill] = registry.skills
      if (!skill) throw new Error('there is no skill')
      return checkSkillInSlices(skill, registry, { clock: hasty(), signal })
    }
    return { ...repo, judge }
  }

  test('the result is the same', async () => {
    const signal = new AbortController().signal
    expect(await many(recipe()).judge(signal)).toMatchObject({ ok: true, dryRun: { payloadValidation: 'passed' } })
    const wrong = many(recipe({ timeoutMs: 1 }))
    expect(await wrong.judge(signal)).toEqual(wrong.validate(true))
  })

  test('others get their turn meanwhile, and there is none once nobody waits', async () => {
    const leave = new AbortController()
    setImmediate(() => setImmediate(() => leave.abort()))
    expect(await many(recipe()).judge(leave.signal)).toBeUndefined()
  })
})
