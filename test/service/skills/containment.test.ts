import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createRootGuard, repoPlaceOf } from '../../../src/service/skills/containment.ts'
import { skillRepo } from '../../support/skills/skill-repo.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-containment-')

const repo = () => {
  const made = skillRepo(folder())
  made.list([])
  made.write('skills/a/SKILL.md', 'x')
  made.write('shared/x.js', 'x')
  const link = (target: string, path: string) => {
    mkdirSync(join(made.root, path, '..'), { recursive: true })
    symlinkSync(target, join(made.root, path))
  }
  return { ...made, link, look: createRootGuard(repoPlaceOf(made.registryPath)) }
}

describe('a path of an entry', () => {
  test('is a file inside the root, wherever it is there', () => {
    const { root, look } = repo()
    for (const path of ['skills/a/SKILL.md', './skills//a/./SKILL.md', 'skills/b/../a/SKILL.md', 'shared/x.js']) {
      expect(look(path)).toEqual({ kind: 'file', path: join(root, path) })
    }
  })

  test.each([
    '..',
    '../x',
    'skills/../../x',
    'skills/a/../../../x',
    '../repo-x/skills',
    '/etc/passwd',
    '',
    '  ',
    'a\0b',
  ])('%j leaves it', path => {
    expect(repo().look(path)).toMatchObject({ kind: 'outside' })
  })

  test('may begin with two dots that are part of a name', () => {
    const { write, look } = repo()
    write('..a/x', 'x')
    expect(look('..a/x')).toMatchObject({ kind: 'file' })
  })

  test('that is absolute leaves it, also when it leads inside', () => {
    const { root, look } = repo()
    expect(look(join(root, 'shared', 'x.js'))).toMatchObject({
      kind: 'outside',
      problem: expect.stringContaining('absolute'),
    })
  })

  test('may be a link inside the root, and not one that leads out, as a file, as a folder, or over two links', () => {
    const { link, look } = repo()
    link('../shared/x.js', 'skills/in.js')
    link('/etc/passwd', 'skills/out.js')
    link('/etc', 'skills/etc')
    link('etc', 'skills/again')
    expect(look('skills/in.js')).toMatchObject({ kind: 'file' })
    for (const path of ['skills/out.js', 'skills/etc/passwd', 'skills/again/passwd', 'skills/etc/none', 'skills/etc']) {
      expect(look(path), path).toMatchObject({ kind: 'outside', problem: expect.stringContaining('/etc') })
    }
  })

  test('that is not there is missing, as are links to nothing, circles, folders and pipes', async () => {
    const { root, link, look } = repo()
    const { execFileSync } = await import('node:child_process')
    link('nowhere.js', 'skills/dangling.js')
    link('round.js', 'skills/round.js')
    execFileSync('mkfifo', [join(root, 'skills', 'pipe')])
    const cases = [
      'skills/none/x',
      'skills/a/SKILL.md/x',
      'skills/dangling.js',
      'skills/round.js',
      'skills/a',
      'skills/pipe',
      '.',
    ]
    for (const path of cases) expect(look(path), path).toMatchObject({ kind: 'missing', path: join(root, path) })
  })

  test('is one of a root that is reached through a link, and of a registry folder that is one', () => {
    const real = repo()
    const linked = join(mkdtempSync(join(folder(), 'w-')), 'linked')
    symlinkSync(real.root, linked)
    expect(
      createRootGuard(repoPlaceOf(join(linked, 'skills', 'skills-registry.json')))('skills/a/SKILL.md'),
    ).toMatchObject({ kind: 'file' })
    const workspace = mkdtempSync(join(folder(), 'w-'))
    symlinkSync(join(real.root, 'skills'), join(workspace, 'skills'))
    const look = createRootGuard(repoPlaceOf(join(workspace, 'skills', 'skills-registry.json')))
    expect(look('skills/a/SKILL.md')).toMatchObject({ kind: 'file' })
    expect(look('shared/x.js')).toMatchObject({ kind: 'missing' })
  })
})
