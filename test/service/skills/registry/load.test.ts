import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { RegistryFile, SKILLS_ARRAY_REQUIRED } from '../../../../src/contracts/skills/registry.ts'
import { getSkill } from '../../../../src/service/skills/registry/find.ts'
import { checkRegistry, loadRegistry } from '../../../../src/service/skills/registry/load.ts'
import { propertyRuns } from '../../../support/property-runs.ts'
import { entryFor, output, refused, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-registry-')
const SUBPATH = 'skills/skills-registry.json'

/** A working directory two levels below a place where the second default is looked for, and a home of its own. */
const world = () => {
  const top = mkdtempSync(join(folder(), 'world-'))
  const cwd = join(top, 'a', 'b')
  const home = join(top, 'home')
  mkdirSync(cwd, { recursive: true })
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  return {
    cwd,
    home,
    put,
    first: join(cwd, SUBPATH),
    second: join(top, SUBPATH),
    third: join(home, 'skills', SUBPATH),
    explicit: join(top, 'elsewhere', 'catalog', 'mine.json'),
  }
}

const registryOf = (id: string) => JSON.stringify({ skills: [entryFor(id)] })
const idIn = (options: Parameters<typeof loadRegistry>[0]) => {
  const loaded = loadRegistry(options)
  if (!loaded.ok) throw new Error(loaded.error.message)
  return loaded.registry.skills[0]?.id
}

describe('the registry is looked for', () => {
  test('where the caller says, then where the environment says, then at the three usual places', () => {
    const { cwd, home, put, first, second, third, explicit } = world()
    put(third, registryOf('in.third'))
    expect(idIn({ cwd, home })).toBe('in.third')
    put(second, registryOf('in.second'))
    expect(idIn({ cwd, home })).toBe('in.second')
    put(first, registryOf('in.first'))
    expect(idIn({ cwd, home })).toBe('in.first')
    put(explicit, registryOf('in.env'))
    expect(idIn({ cwd, home, registryEnv: explicit })).toBe('in.env')
    const other = put(join(cwd, 'other', 'r.json'), registryOf('in.explicit'))
    expect(idIn({ cwd, home, registryEnv: explicit, registry: other })).toBe('in.explicit')
    expect(idIn({ cwd, home, registryEnv: '  ', registry: join('other', 'r.json') })).toBe('in.explicit')
  })

  test('from the working directory when the path is relative, with the parent of its folder as root', () => {
    const { cwd, home, put } = world()
    put(join(cwd, 'x', 'catalog', 'r.json'), registryOf('a.b'))
    const loaded = loadRegistry({ cwd, home, registryEnv: 'x/catalog/r.json' })
    expect(loaded).toMatchObject({
      ok: true,
      registry: { path: join(cwd, 'x', 'catalog', 'r.json'), root: join(cwd, 'x') },
    })
  })
})

describe('a configured registry', () => {
  const cases = [
    ['missing', (w: ReturnType<typeof world>) => w.explicit],
    ['a directory', (w: ReturnType<typeof world>) => w.cwd],
    ['below a file', (w: ReturnType<typeof world>) => join(w.put(join(w.cwd, 'f'), ''), 'r.json')],
    ['invalid', (w: ReturnType<typeof world>) => w.put(w.explicit, '{}')],
    ['no JSON', (w: ReturnType<typeof world>) => w.put(w.explicit, '{"skills": [}')],
    [
      'not UTF-8',
      (w: ReturnType<typeof world>) => {
        mkdirSync(dirname(w.explicit), { recursive: true })
        writeFileSync(w.explicit, Buffer.from([0x7b, 0xff, 0x7d]))
        return w.explicit
      },
    ],
  ] as const

  test.each(cases)('that is %s fails at once and is named', (_, make) => {
    const w = world()
    w.put(w.first, registryOf('in.first'))
    w.put(w.third, registryOf('in.third'))
    const path = make(w)
    for (const configured of [{ registry: path }, { registryEnv: path }]) {
      const error = refused(loadRegistry({ cwd: w.cwd, home: w.home, ...configured }))
      expect(error).toMatchObject({ code: 'REGISTRY_READ_FAILED', details: { path } })
      expect(error.message).toContain(path)
      expect(error.hint).toBeDefined()
    }
  })

  test('that is relative is named as it was written, and where that is', () => {
    const { cwd, home } = world()
    const { message } = refused(loadRegistry({ cwd, home, registryEnv: 'x/../none.json' }))
    expect(message).toContain('x/../none.json')
    expect(message).toContain(join(cwd, 'none.json'))
  })

  test.each([
    ['', 'SVC_SKILLS_REGISTRY'],
    [' \t', 'SVC_SKILLS_REGISTRY'],
  ])('%j in the environment fails at once', (blank, name) => {
    const { cwd, home, put, first } = world()
    put(first, registryOf('in.first'))
    const error = refused(loadRegistry({ cwd, home, registryEnv: blank }))
    expect(error.code).toBe('REGISTRY_READ_FAILED')
    expect(error.message).toContain(name)
    expect(refused(loadRegistry({ cwd, home, registry: blank })).message).toContain('--registry')
  })

  test('that is a pipe nobody writes to does not wait', async () => {
    const { cwd, home } = world()
    const { execFileSync } = await import('node:child_process')
    const pipe = join(cwd, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(refused(loadRegistry({ cwd, home, registry: pipe })).message).toContain('not a regular file')
  })
})

describe('a default registry', () => {
  test('that is there and invalid fails at once, at each of the three places', () => {
    for (const place of ['first', 'second', 'third'] as const) {
      const w = world()
      if (place !== 'third') w.put(w.third, registryOf('in.third'))
      w.put(w[place], '{"skills": 1}')
      const error = refused(loadRegistry(w))
      expect(error.message).toContain(w[place])
      expect(error.message).toContain(SKILLS_ARRAY_REQUIRED)
      expect(error.hint).toMatch(/^Correct that file/)
    }
  })

  test('that is a directory, or a link that leads nowhere, gives way to the next', () => {
    const w = world()
    mkdirSync(w.first, { recursive: true })
    mkdirSync(dirname(w.second), { recursive: true })
    symlinkSync('/nowhere/at/all', w.second)
    w.put(w.third, registryOf('in.third'))
    expect(idIn(w)).toBe('in.third')
  })

  test.skipIf(process.getuid?.() === 0)('that may not be read gives way to the next', () => {
    const w = world()
    chmodSync(w.put(w.first, registryOf('in.first')), 0)
    w.put(w.third, registryOf('in.third'))
    expect(idIn(w)).toBe('in.third')
  })

  test('that is there and cannot be read is named before the places that have none', () => {
    const w = world()
    mkdirSync(w.third, { recursive: true })
    const error = refused(loadRegistry(w))
    expect(error.message).toContain(`${w.third} is a directory`)
    expect(error.details?.tried).toHaveLength(3)
    expect(error.hint).not.toContain('svc skills install')
  })

  test('that is nowhere names the first place and all that were tried', () => {
    const { cwd, home, first, second, third } = world()
    const error = refused(loadRegistry({ cwd, home }))
    expect(error.message).toContain(SUBPATH)
    const tried = error.details?.tried as { path: string }[]
    expect(tried.map(({ path }) => path)).toEqual([first, second, third])
    expect(error.hint).toContain('svc skills install')
  })
})

const checkFolder = temporary('svc-check-')

describe('what counts as a registry', () => {
  const entry = fc.oneof(
    { weight: 3, arbitrary: fc.constant(entryFor('a.b')) },
    fc.record(
      {
        id: fc.oneof(fc.constant('a.b'), fc.constant(''), fc.integer()),
        applicationId: fc.oneof(fc.string(), fc.constant(null)),
        intent: fc.string(),
        summary: fc.oneof(fc.string(), fc.integer()),
        path: fc.string(),
        skillFile: fc.string(),
        scripts: fc.oneof(
          fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 2 }),
          fc.string(),
          fc.constant({}),
        ),
        artifacts: fc.array(fc.string(), { maxLength: 2 }),
        keywords: fc.oneof(fc.array(fc.string(), { maxLength: 2 }), fc.constant(null)),
        more: fc.jsonValue(),
      },
      { requiredKeys: ['intent', 'path', 'skillFile'] },
    ),
    fc.jsonValue(),
  )
  const file = fc.oneof(
    fc.record({ skills: fc.array(entry, { maxLength: 3 }) }),
    fc.jsonValue(),
    fc.record({ skills: fc.jsonValue() }),
  )

  test('is what the schema says', () => {
    fc.assert(
      fc.property(file, value => {
        const parsed = v.safeParse(RegistryFile, value)
        const checked = checkRegistry(value)
        expect(checked.ok).toBe(parsed.success)
        if (checked.ok && parsed.success) expect(checked.skills).toEqual(parsed.output.skills)
        if (!checked.ok) expect(checked.problem).toMatch(/^Invalid registry: /)
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })

  test.each([
    [{}, SKILLS_ARRAY_REQUIRED],
    [[], SKILLS_ARRAY_REQUIRED],
    [{ skills: {} }, SKILLS_ARRAY_REQUIRED],
    [{ skills: [entryFor('a.b'), 7] }, 'Invalid registry: skills[1]: an object is required'],
    [{ skills: [{ ...entryFor('a.b'), id: '' }] }, 'Invalid registry: skills[0].id: a non-empty string is required'],
    [
      { skills: [{ ...entryFor('a.b'), summary: 1 }] },
      'Invalid registry: skills[0] (a.b).summary: a string is required',
    ],
    [
      { skills: [{ ...entryFor('a.b'), scripts: 'x' }] },
      'Invalid registry: skills[0] (a.b).scripts: an array of strings is required',
    ],
    [
      { skills: [{ ...entryFor('a.b'), keywords: [1] }] },
      'Invalid registry: skills[0] (a.b).keywords: an array of strings is required',
    ],
  ])('%#: is named', (value, problem) => {
    expect(checkRegistry(value)).toEqual({ ok: false, problem })
  })

  test.each(['contract', 'owner'])(
    'a %s that nests without end is not a registry, for it could not be printed',
    key => {
      const repo = skillRepo(checkFolder())
      const deep = `${'{"a":['.repeat(20_000)}${']}'.repeat(20_000)}`
      repo.write(
        'skills/skills-registry.json',
        `{"skills":[${JSON.stringify(entryFor('a.b')).slice(0, -1)},"${key}":${deep}}]}`,
      )
      const error = refused(loadRegistry({ registry: repo.registryPath, cwd: repo.root, home: repo.root }))
      expect(error.code).toBe('REGISTRY_READ_FAILED')
      expect(error.message).toContain(`skills[0] (a.b).${key}: nested deeper than 64 levels`)
    },
  )

  test('keeps the fields that we do not know', () => {
    const repo = skillRepo(checkFolder())
    repo.list([entryFor('a.b', { owner: { team: 'x' } })], { schemaVersion: 3, extra: true })
    expect(output(getSkill(repo.load(), 'a.b')).skill).toEqual(entryFor('a.b', { owner: { team: 'x' } }))
  })

  test('says line and column of what is not JSON', () => {
    const repo = skillRepo(checkFolder())
    repo.write('skills/skills-registry.json', '{\n  "skills": [,]\n}')
    const error = refused(loadRegistry({ registry: repo.registryPath, cwd: repo.root, home: repo.root }))
    expect(error.message).toMatch(/is wrong in line 2, column 14: not valid JSON/)
  })
})
