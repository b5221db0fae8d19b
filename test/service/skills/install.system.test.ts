import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { SkillsSynced } from '../../../src/contracts/skills/skill-commands.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { installSkills, syncSkills, updateSkills } from '../../../src/service/skills/install/install.ts'
import { loadRegistry } from '../../../src/service/skills/registry/load.ts'
import { newSkill } from '../../../src/service/skills/scaffold/new-skill.ts'
import { needs, programOnPath } from '../../support/needs.ts'
import { entryFor, output, refused } from '../../support/skills/skill-repo.ts'
import { temporary } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const folder = temporary('svc-install-')
const clock = systemClock()
const path = process.env.PATH
const EMPTY = '{"schemaVersion":"1.0","skills":[]}'

const world = () => {
  const home = join(mkdtempSync(join(folder(), 'h-')), '.svc')
  const workspace = join(home, 'skills')
  const registryPath = join(workspace, 'skills', 'skills-registry.json')
  const put = (text: string) => {
    mkdirSync(dirname(registryPath), { recursive: true })
    writeFileSync(registryPath, text)
  }
  const install = (more: object = {}) => installSkills({ home, path, clock, ...more })
  const git = (...args: string[]) => execFileSync('git', ['-C', workspace, ...args], { encoding: 'utf8' }).trim()
  return { home, workspace, registryPath, put, install, git }
}

const isThere = (group: number): boolean => {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

/** A folder for the path with one program called git. */
const fakeGit = (script: string): string => {
  const dir = mkdtempSync(join(folder(), 'bin-'))
  writeFileSync(join(dir, 'git'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(dir, 'git'), 0o755)
  return `${dir}:/usr/bin:/bin`
}

describe.skipIf(!needs('git'))('install', () => {
  test('makes an empty registry in a local repository on branch main', async () => {
    const { home, workspace, registryPath, install, git } = world()
    const result = output(await install())
    expect(result).toEqual({ synced: true, message: expect.any(String), registryPath })
    expect(v.is(SkillsSynced, result)).toBe(true)
    expect(readFileSync(registryPath, 'utf8')).toBe(EMPTY)
    expect([git('symbolic-ref', '--short', 'HEAD'), git('rev-parse', '--abbrev-ref', 'HEAD')]).toEqual(['main', 'main'])
    expect([git('remote'), git('status', '--porcelain'), git('ls-files')]).toEqual([
      '',
      '',
      'skills/skills-registry.json',
    ])
    expect([home, workspace].map(path => statSync(path).mode & 0o777)).toEqual([0o700, 0o700])
    expect(readdirSync(workspace).sort()).toEqual(['.git', 'skills'])
    expect(loadRegistry({ cwd: '/', home })).toMatchObject({ ok: true, registry: { root: workspace, skills: [] } })
  })

  test('twice changes nothing', async () => {
    const { install, git, registryPath } = world()
    const first = output(await install())
    const head = git('rev-parse', 'HEAD')
    const second = output(await install())
    expect(second).toEqual({ ...first, message: expect.stringContaining('0 skills') })
    expect([git('rev-parse', 'HEAD'), readFileSync(registryPath, 'utf8')]).toEqual([head, EMPTY])
  })

  test('keeps the skills that are there', async () => {
    const { home, install } = world()
    output(await install())
    output(await newSkill({ skillId: 'a.b', cwd: '/', home, clock }))
    expect(output(await install()).message).toContain('1 skill;')
    expect(loadRegistry({ cwd: '/', home })).toMatchObject({ ok: true, registry: { skills: [{ id: 'a.b' }] } })
  })

  test('keeps a registry and a repository that somebody made himself', async () => {
    const { put, install, git, registryPath, workspace } = world()
    const text = `{ "mine": 1, "skills": [${JSON.stringify(entryFor('a.b'))}] }`
    put(text)
    execFileSync('git', ['init', '--quiet', workspace])
    git('checkout', '--quiet', '-b', 'work')
    output(await install())
    expect([readFileSync(registryPath, 'utf8'), git('symbolic-ref', '--short', 'HEAD')]).toEqual([text, 'work'])
  })

  test('several times at once makes one workspace', async () => {
    const { install, git } = world()
    for (const result of await Promise.all([install(), install(), install()])) output(result)
    expect(git('rev-list', '--count', 'HEAD')).toBe('1')
  })

  test('is not misled by the git command or the settings that it runs under', async () => {
    const { install, workspace, git, home } = world()
    const hooks = mkdtempSync(join(folder(), 'hooks-'))
    writeFileSync(join(hooks, 'pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    mkdirSync(home, { recursive: true })
    writeFileSync(join(dirname(home), '.gitconfig'), `[core]\n\thooksPath = ${hooks}\n[commit]\n\tgpgSign = true\n`)
    const before = { ...process.env }
    Object.assign(process.env, { GIT_DIR: '/nowhere', GIT_WORK_TREE: '/nowhere', HOME: dirname(home) })
    try {
      output(await install())
    } finally {
      for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'HOME']) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }
    expect(existsSync(join(workspace, '.git', 'HEAD'))).toBe(true)
    expect(git('log', '--format=%an')).toBe('svc')
  })

  test('finishes what a crash began', async () => {
    const { install, workspace, put, git } = world()
    put(EMPTY)
    mkdirSync(join(workspace, '.svc-new-repository', '.git'), { recursive: true })
    output(await install())
    expect(git('symbolic-ref', '--short', 'HEAD')).toBe('main')
    expect(readdirSync(workspace).sort()).toEqual(['.git', 'skills'])
  })
})

describe('install refuses', () => {
  test.each(['{}', '{"skills": [1]}', 'x', '\ufeff{"skills": []}'])(
    'an invalid registry, and leaves it as it is: %j',
    async text => {
      const { put, install, registryPath, workspace } = world()
      put(text)
      const error = refused(await install({ path: fakeGit('exit 0') }))
      expect(error).toMatchObject({ code: 'REGISTRY_READ_FAILED', details: { path: registryPath } })
      expect(error.message).toContain(registryPath)
      expect([readFileSync(registryPath, 'utf8'), existsSync(join(workspace, '.git'))]).toEqual([text, false])
    },
  )

  test.each([undefined, '', '/nowhere', 'bin:.'])('without git on the path, and makes nothing: %j', async nowhere => {
    const { install, home } = world()
    expect(refused(await install({ path: nowhere })).code).toBe('SKILLS_GIT_NOT_FOUND')
    expect(existsSync(home)).toBe(false)
  })

  test('a git that is a folder or no program', async () => {
    const dir = mkdtempSync(join(folder(), 'bin-'))
    mkdirSync(join(dir, 'git'))
    const other = mkdtempSync(join(folder(), 'bin-'))
    writeFileSync(join(other, 'git'), 'text')
    const { install } = world()
    expect(refused(await install({ path: `${dir}:${other}` })).code).toBe('SKILLS_GIT_NOT_FOUND')
  })

  test('what git refuses, in its words, and leaves no half repository', async () => {
    const { install, workspace } = world()
    const error = refused(await install({ path: fakeGit('echo "fatal: no luck" >&2; exit 128') }))
    expect(error.code).toBe('SKILLS_SYNC_FAILED')
    expect(error.message).toContain('git init failed (128): fatal: no luck')
    expect(readdirSync(workspace)).toEqual(['skills'])
  })

  test('to wait for a git that does not end, nor for what it started', async () => {
    const { install, workspace } = world()
    const start = clock.elapsed()
    const pidFile = join(folder(), 'git.pid')
    const path = fakeGit(`echo $$ > ${pidFile}; sleep 60 & sleep 60`)
    const error = refused(await install({ path, gitMs: 1_000 }))
    expect(error.message).toContain('did not end within 1000 ms')
    expect(clock.elapsed() - start).toBeLessThan(20_000)
    const group = Number(readFileSync(pidFile, 'utf8'))
    await until(() => !isThere(group), 'the whole group to be gone')
    expect(readdirSync(workspace)).toEqual(['skills'])
  })

  test('a home that cannot be written to', async () => {
    const { install, home } = world()
    writeFileSync(home, 'a file')
    expect(refused(await install({ path: fakeGit('exit 0') })).code).toBe('SKILLS_SYNC_FAILED')
  })
})

describe('update and sync', () => {
  const withGit = () => fakeGit('exit 1')

  test('check the workspace and change nothing; git is asked for by update only, and never run', () => {
    const { home, put } = world()
    put(`{"skills": [${JSON.stringify(entryFor('a.b'))}]}`)
    const wanted = { synced: true, message: expect.stringContaining('1 skill;') }
    expect(output(updateSkills({ home, path: withGit() }))).toEqual(wanted)
    expect(output(updateSkills({ home, path: withGit(), ref: 'main' }))).toEqual(wanted)
    expect(output(syncSkills({ home, ref: 'main' }))).toEqual(wanted)
    expect(refused(updateSkills({ home, path: '' })).code).toBe('SKILLS_GIT_NOT_FOUND')
  })

  test.each(['', 'master', 'Main', 'main ', 'HEAD', 'v1', '--upload-pack=x'])('accept no ref %j', ref => {
    const { home, put } = world()
    put(EMPTY)
    for (const result of [updateSkills({ home, path: withGit(), ref }), syncSkills({ home, ref })]) {
      expect(refused(result)).toMatchObject({ code: 'SKILLS_SYNC_FAILED', details: { ref } })
    }
  })

  test('sync without a ref is USAGE', () => {
    expect(refused(syncSkills({ home: '/nowhere' }))).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('svc skills sync --ref main'),
    })
  })

  test('before any install, and with an invalid registry, are SKILLS_SYNC_FAILED with a hint', () => {
    const { home, put, registryPath } = world()
    const both = () => [updateSkills({ home, path: withGit() }), syncSkills({ home, ref: 'main' })].map(refused)
    for (const error of both()) {
      expect(error).toMatchObject({ code: 'SKILLS_SYNC_FAILED', hint: expect.stringContaining('svc skills install') })
    }
    put('{"skills": 7}')
    for (const error of both()) {
      expect(error).toMatchObject({ code: 'SKILLS_SYNC_FAILED', hint: expect.stringContaining('Correct that file') })
      expect(error.message).toContain(registryPath)
    }
  })
})

test.skipIf(programOnPath('git') === undefined)('git is found through a link', async () => {
  const dir = mkdtempSync(join(folder(), 'bin-'))
  symlinkSync(programOnPath('git') ?? '', join(dir, 'git'))
  expect(output(await world().install({ path: `${dir}:/usr/bin:/bin` })).synced).toBe(true)
})
