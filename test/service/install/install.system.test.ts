/** `svc install` and `svc uninstall` on real folders of a user: what they write, what they leave alone, and what is left. */
import { execFile } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { runCliHere } from '../../support/cli/cli-here.ts'
import { CLI, type CliEnded } from '../../support/cli/run-cli.ts'
import { programOnPath } from '../../support/needs.ts'
import { temporary } from '../../support/temporary.ts'
import { treeOf } from '../../support/tree.ts'

const folder = temporary('svc-install-')
const NAMES = readdirSync(join(dirname(CLI), 'authoring-skills')).sort()
const GIT_PATH = dirname(programOnPath('git') ?? '')

const newUser = (more: NodeJS.ProcessEnv = {}) => {
  const home = realpathSync(mkdtempSync(join(folder(), 'u-')))
  const at = (...parts: string[]) => join(home, ...parts)
  const env = { HOME: home, PATH: GIT_PATH, ...more }
  const svc = (...args: string[]): Promise<CliEnded> => runCliHere(args, { env, cwd: home })
  const json = async (...args: string[]) => (await svc(...args)).json<Record<string, unknown>>()
  /** Without the times: what an uninstall gives back has new ones. */
  const content = () =>
    Object.fromEntries(Object.entries(treeOf(home)).map(([path, said]) => [path, said.replace(/ \d{10,}[\d.]*/, '')]))
  const write = (text: string, ...parts: string[]) => {
    mkdirSync(dirname(at(...parts)), { recursive: true })
    writeFileSync(at(...parts), text)
  }
  return { home, at, env, svc, json, content, write }
}

describe('svc install', () => {
  test('writes store, links, copies, guide and workspace, all private', async () => {
    const { home, at, json } = newUser()
    expect(await json('install')).toMatchObject({ ok: true, updated: [], removed: [], skipped: [], refused: [] })
    for (const name of NAMES) {
      const text = readFileSync(at('.svc/bundled-skills', name, 'SKILL.md'), 'utf8')
      for (const host of ['.claude', '.codex']) {
        expect(readlinkSync(at(host, 'skills', name))).toBe(at('.svc/bundled-skills', name))
      }
      expect(lstatSync(at('.agents/skills', name)).isDirectory()).toBe(true)
      expect(readFileSync(at('.agents/skills', name, 'SKILL.md'), 'utf8')).toBe(text)
      expect(existsSync(at('.agents/skills', name, '.svc-managed'))).toBe(true)
    }
    const ours = Object.entries(treeOf(home)).filter(([path]) => path !== '.' && !path.startsWith('.svc/skills'))
    const loose = ours.filter(([, said]) => /^(folder|file)/.test(said) && !/^(folder 700|file 600)/.test(said))
    expect(loose).toEqual([])
    expect(readFileSync(at('.svc/bundled-skills/version.txt'), 'utf8')).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(existsSync(at('.svc/skills/.git'))).toBe(true)
    // Without a file to put it into there is no bridge, and runtime skills are not mirrored.
    expect(existsSync(at('.agents/AGENTS.md'))).toBe(false)
  })

  test('a second run changes nothing, neither bytes nor times', async () => {
    const { home, json, write } = newUser()
    write('mine\n', '.agents/AGENTS.md')
    await json('install')
    const before = treeOf(home)
    const parts = [['install'], ['authoring-skills', 'install'], ['authoring-skills', 'update'], ['host', 'setup']]
    for (const args of [...parts, ['skills', 'install']]) expect((await json(...args)).refused ?? []).toEqual([])
    for (const args of [...parts, ['uninstall']]) await json(...args, '--dry-run')
    for (const args of [
      ['authoring-skills', 'list'],
      ['authoring-skills', 'status'],
    ])
      await json(...args)
    expect(treeOf(home)).toEqual(before)
  })

  test('--dry-run prints what the command then does, and does nothing', async () => {
    const { home, json, write } = newUser()
    write('mine\n', '.agents/AGENTS.md')
    const before = treeOf(home)
    const plan = await json('install', '--dry-run')
    expect(treeOf(home)).toEqual(before)
    const done = await json('install')
    for (const list of ['wrote', 'updated', 'removed']) expect(done[list]).toEqual(plan[list])
    const installed = treeOf(home)
    const removal = await json('uninstall', '--dry-run')
    expect(treeOf(home)).toEqual(installed)
    expect((await json('uninstall')).removed).toEqual(removal.removed)
  })

  test('two at once end as one', async () => {
    const { at, svc, json, home } = newUser()
    const ended = await Promise.all(Array.from({ length: 4 }, () => svc('install')))
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect((await json('authoring-skills', 'status')).hosts).toMatchObject([
      { state: 'ok' },
      { state: 'ok' },
      { state: 'ok' },
    ])
    expect(Object.keys(treeOf(home)).filter(path => /svc-(new|old)-|\.lock/.test(path))).toEqual([])
    expect(readdirSync(at('.agents/skills')).sort()).toEqual(NAMES)
  })

  test('without git the workspace is refused, and everything else is done', async () => {
    const { at, svc } = newUser({ PATH: '/nonexistent' })
    const { code, json } = await svc('install')
    expect(code).toBe(1)
    expect(json()).toMatchObject({
      code: 'INSTALL_FAILED',
      details: { refused: [{ reason: expect.stringContaining('SKILLS_GIT_NOT_FOUND') }] },
    })
    expect(existsSync(at('.agents/skills', NAMES[0] ?? ''))).toBe(true)
  })

  test.skipIf(process.getuid?.() !== 0)(
    'an ordinary user gets what root gets, and is told what is not theirs',
    async () => {
      const { home, at } = newUser()
      const NOBODY = 65_534
      chmodSync(folder(), 0o755)
      chownSync(home, NOBODY, NOBODY)
      mkdirSync(at('.agents'), { mode: 0o755 })
      const options = { cwd: '/', env: { HOME: home, PATH: GIT_PATH }, uid: NOBODY, gid: NOBODY }
      const ended = await promisify(execFile)(process.execPath, [CLI, 'install'], options).catch(error => error)
      expect(JSON.parse(ended.stdout)).toMatchObject({
        code: 'INSTALL_FAILED',
        details: {
          refused: expect.arrayContaining([{ path: at('.agents/skills'), reason: expect.stringContaining('user') }]),
        },
      })
      expect(statSync(at('.svc/bundled-skills', NAMES[0] ?? '')).uid).toBe(NOBODY)
      chownSync(at('.agents'), NOBODY, NOBODY)
      const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'install'], options)
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, refused: [] })
    },
  )
})

describe('folders that are one on the disk', () => {
  test.each(['.claude', '.codex'])('%s/skills that leads to the generic folder uses its copies', async host => {
    const { at, json } = newUser()
    mkdirSync(at('.agents/skills'), { recursive: true })
    mkdirSync(at(host))
    symlinkSync(at('.agents/skills'), at(host, 'skills'))
    await json('install')
    expect(lstatSync(at(host, 'skills', NAMES[0] ?? '')).isSymbolicLink()).toBe(false)
    const { hosts } = await json('authoring-skills', 'status')
    expect(
      (hosts as { host: string; representation: string }[])
        .filter(({ representation }) => representation === 'copy')
        .map(each => each.host),
    ).toEqual([host.slice(1), 'agents'])
    expect(hosts).toMatchObject([{ state: 'ok' }, { state: 'ok' }, { state: 'ok' }])
  })

  test('CODEX_HOME that is the folder of another agent gets one set of links', async () => {
    const user = newUser()
    const { at } = user
    const env = { ...user.env, CODEX_HOME: at('.claude') }
    expect((await runCliHere(['install'], { env })).code).toBe(0)
    expect(existsSync(at('.codex'))).toBe(false)
    expect(readdirSync(at('.claude/skills')).sort()).toEqual(NAMES)
  })

  test('links become copies when the folders become one, and copies links when they part', async () => {
    const { at, json } = newUser()
    await json('install')
    rmSync(at('.agents'), { recursive: true })
    symlinkSync(at('.claude'), at('.agents'))
    await json('install')
    expect(lstatSync(at('.claude/skills', NAMES[0] ?? '')).isDirectory()).toBe(true)
    rmSync(at('.agents'))
    await json('install')
    expect(lstatSync(at('.claude/skills', NAMES[0] ?? '')).isSymbolicLink()).toBe(true)
    expect(lstatSync(at('.agents/skills', NAMES[0] ?? '')).isDirectory()).toBe(true)
  })
})

describe('what is not ours', () => {
  const [name = ''] = NAMES
  test('that is a link to a file is followed by setup and removal, and the link stays', async () => {
    const { at, write, json } = newUser()
    write('mine\n', 'dotfiles/AGENTS.md')
    mkdirSync(at('.agents'))
    symlinkSync('../dotfiles/AGENTS.md', at('.agents/AGENTS.md'))
    expect(await json('host', 'setup')).toMatchObject({ updated: [at('dotfiles/AGENTS.md')], warnings: [] })
    expect(readFileSync(at('dotfiles/AGENTS.md'), 'utf8')).toMatch(/^mine\n[\s\S]*svc skills search/)
    expect(readlinkSync(at('.agents/AGENTS.md'))).toBe('../dotfiles/AGENTS.md')
    await json('uninstall')
    expect(readFileSync(at('dotfiles/AGENTS.md'), 'utf8')).toBe('mine\n')
    expect(readlinkSync(at('.agents/AGENTS.md'))).toBe('../dotfiles/AGENTS.md')
  })

  test.each<[string, (user: ReturnType<typeof newUser>) => void]>([
    ['a folder', ({ write }) => write('theirs', '.agents/skills', name, 'SKILL.md')],
    ['a file', ({ write }) => write('theirs', '.claude/skills', name)],
    [
      'a link to elsewhere',
      ({ at }) => {
        mkdirSync(at('.codex/skills'), { recursive: true })
        symlinkSync(at('elsewhere'), at('.codex/skills', name))
      },
    ],
    ['a folder in the store', ({ write }) => write('theirs', '.svc/bundled-skills', name, 'SKILL.md')],
    ['a file where a folder is needed', ({ write }) => write('theirs', '.claude')],
    ['a link that leads nowhere where a folder is needed', ({ at }) => symlinkSync(at('nowhere'), at('.agents'))],
    [
      'a store that is a link',
      ({ at }) => {
        mkdirSync(at('.svc'))
        mkdirSync(at('elsewhere'))
        symlinkSync(at('elsewhere'), at('.svc/bundled-skills'))
      },
    ],
  ])('%s in the way: nothing at all is written', async (_, put) => {
    const user = newUser()
    put(user)
    const before = treeOf(user.home)
    for (const args of [['install'], ['authoring-skills', 'install']]) {
      const { code, json } = await user.svc(...args)
      expect(code).toBe(1)
      expect(json()).toMatchObject({
        code: 'AUTHORING_SKILLS_CONFLICT',
        details: { conflicts: [{ path: expect.any(String) }] },
      })
      expect(treeOf(user.home)).toEqual(before)
    }
  })

  test('skills of others beside ours are not touched, by install and uninstall', async () => {
    const { at, json, write, home } = newUser()
    write('theirs', '.agents/skills/other/SKILL.md')
    write('theirs', '.svc/bundled-skills/other/SKILL.md')
    mkdirSync(at('.claude/skills'), { recursive: true })
    symlinkSync(at('.agents/skills/other'), at('.claude/skills/other'))
    const others = () => Object.entries(treeOf(home)).filter(([path]) => /\/other(\/|$)/.test(path))
    const before = others()
    await json('install')
    await json('uninstall')
    expect(others()).toEqual(before)
  })
})

describe('text that somebody changed', () => {
  const [name = '', second = ''] = NAMES
  test('a changed copy is kept by install, update and uninstall, and named', async () => {
    const { at, json } = newUser()
    await json('install')
    appendFileSync(at('.agents/skills', name, 'SKILL.md'), 'my note\n')
    writeFileSync(at('.svc/bundled-skills', second, 'notes.md'), 'mine')
    const tree = () => [treeOf(at('.agents/skills', name)), treeOf(at('.svc/bundled-skills', second))]
    const before = tree()
    const skipped = [at('.svc/bundled-skills', second), at('.agents/skills', name)]
    for (const args of [['install'], ['authoring-skills', 'update'], ['uninstall']]) {
      const said = await json(...args)
      const paths = (said.skipped as { path: string }[]).map(({ path }) => path)
      expect(paths.sort()).toEqual(skipped.sort())
      expect(tree()).toEqual(before)
    }
  })

  test('a guide that somebody changed or wrote is kept', async () => {
    const { at, json, write } = newUser()
    write('my own guide\n', '.svc/AGENTS.md')
    expect((await json('install')).skipped).toMatchObject([{ path: at('.svc/AGENTS.md') }])
    expect(readFileSync(at('.svc/AGENTS.md'), 'utf8')).toBe('my own guide\n')
    rmSync(at('.svc/AGENTS.md'))
    await json('install')
    appendFileSync(at('.svc/AGENTS.md'), 'and mine\n')
    expect((await json('host', 'setup')).skipped).toMatchObject([{ path: at('.svc/AGENTS.md') }])
    await json('uninstall')
    expect(readFileSync(at('.svc/AGENTS.md'), 'utf8')).toMatch(/and mine\n$/)
  })
})

describe('the AGENTS file that agents share', () => {
  test('keeps its mode, and its text around the block', async () => {
    const { at, json, write } = newUser()
    write('mine\n', '.agents/AGENTS.md')
    chmodSync(at('.agents/AGENTS.md'), 0o664)
    expect((await json('host', 'setup')).updated).toEqual([at('.agents/AGENTS.md')])
    expect(statSync(at('.agents/AGENTS.md')).mode & 0o777).toBe(0o664)
    expect(readFileSync(at('.agents/AGENTS.md'), 'utf8')).toMatch(/^mine\n[\s\S]*svc skills search/)
  })

  test.each<[string, (user: ReturnType<typeof newUser>) => void]>([
    [
      'is a link to a folder',
      ({ at }) => {
        mkdirSync(at('dotfiles'))
        mkdirSync(at('.agents'))
        symlinkSync(at('dotfiles'), at('.agents/AGENTS.md'))
      },
    ],
    [
      'is a link that leads nowhere',
      ({ at }) => {
        mkdirSync(at('.agents'))
        symlinkSync(at('dotfiles/AGENTS.md'), at('.agents/AGENTS.md'))
      },
    ],
    [
      'has a START without its END',
      ({ write }) => write('<!-- SVC_SHARED_AGENT_BRIDGE:START -->\n', '.agents/AGENTS.md'),
    ],
    ['is a folder', ({ at }) => mkdirSync(at('.agents/AGENTS.md'), { recursive: true })],
    ['is too long', ({ write }) => write('x'.repeat(2 * 1_024 * 1_024), '.agents/AGENTS.md')],
  ])('that %s is left alone with a warning, and the rest is done', async (_, put) => {
    const user = newUser()
    put(user)
    const { '.': folder, ...before } = treeOf(user.home)
    const { code, json, stderr } = await user.svc('host', 'setup')
    expect(code).toBe(0)
    expect(json()).toMatchObject({ warnings: [expect.stringContaining('AGENTS.md')] })
    expect(stderr).toContain('AGENTS.md')
    expect(treeOf(user.home)).toMatchObject(before)
    expect(existsSync(user.at('.svc/AGENTS.md'))).toBe(true)
    expect(folder).toBeDefined()
  })
})

test('svc doctor hints at what is not set up, as no failure', async () => {
  const { svc } = newUser({ ADB_PATH: '/nonexistent' })
  const agentsIn = (ended: CliEnded) =>
    ended
      .json<{ checks: { name: string; status: string; hint?: string }[] }>()
      .checks.find(({ name }) => name === 'agents')
  expect(agentsIn(await svc('doctor'))).toMatchObject({ status: 'ok', hint: expect.stringContaining('svc install') })
  await svc('install')
  expect(agentsIn(await svc('doctor'))).not.toHaveProperty('hint')
})

describe('another version', () => {
  const [name = ''] = NAMES
  /** As an older svc has left it. */
  const age = (path: string) => {
    const marker = JSON.parse(readFileSync(join(path, '.svc-managed'), 'utf8'))
    writeFileSync(join(path, '.svc-managed'), JSON.stringify({ ...marker, version: '0.0.1' }))
  }

  test('is updated; packages that are no more go, and so does what a crash left', async () => {
    const { at, json } = newUser()
    await json('install')
    const before = Object.keys(treeOf(at()))
    age(at('.agents/skills', name))
    for (const store of ['.svc/bundled-skills', '.agents/skills']) {
      mkdirSync(at(store, 'svc-old-package'))
      writeFileSync(
        at(store, 'svc-old-package/.svc-managed'),
        JSON.stringify({ managedBy: 'svc', package: 'svc-old-package', version: '0.0.1', files: {} }),
      )
      mkdirSync(at(store, '.svc-new-0123456789abcdef'))
    }
    symlinkSync(at('.svc/bundled-skills/svc-old-package'), at('.claude/skills/svc-old-package'))
    expect((await json('authoring-skills', 'status')).hosts).toMatchObject([
      { state: 'stale' },
      { state: 'ok' },
      { state: 'stale' },
    ])
    const done = await json('authoring-skills', 'update')
    expect(done.updated).toEqual([at('.agents/skills', name)])
    expect(done.removed).toHaveLength(5)
    expect(Object.keys(treeOf(at()))).toEqual(before)
  })

  test('update leaves agents alone that have nothing of ours, and needs something to update', async () => {
    const { at, json, svc } = newUser()
    expect((await svc('authoring-skills', 'update')).json()).toMatchObject({ code: 'AUTHORING_SKILLS_NOT_INSTALLED' })
    expect((await json('authoring-skills', 'list')).count).toBe(0)
    await json('authoring-skills', 'install')
    rmSync(at('.codex'), { recursive: true })
    rmSync(at('.claude/skills', name))
    await json('authoring-skills', 'update')
    expect(existsSync(at('.codex'))).toBe(false)
    expect(existsSync(at('.claude/skills', name))).toBe(true)
  })
})

describe('svc uninstall', () => {
  test.each<[string, string | undefined]>([
    ['no shared guide', undefined],
    ['a shared guide', 'mine\n'],
    ['one without an end of line', 'mine'],
    ['one of Windows', 'mine\r\nand more\r\n'],
    ['an empty one', ''],
  ])('with %s, gives everything back as it was', async (_, shared) => {
    const { at, json, write, content } = newUser()
    write('{}', '.claude/settings.json')
    if (shared !== undefined) write(shared, '.agents/AGENTS.md')
    await json('skills', 'install')
    const before = content()
    await json('install')
    if (shared !== undefined) expect(readFileSync(at('.agents/AGENTS.md'), 'utf8')).toContain('SVC_SHARED_AGENT_BRIDGE')
    expect(await json('uninstall')).toMatchObject({ ok: true, skipped: [], refused: [] })
    expect(content()).toEqual(before)
    expect(await json('uninstall')).toMatchObject({ removed: [], updated: [] })
  })

  test('keeps a folder that it made and somebody else uses by now', async () => {
    const { at, json, write } = newUser()
    await json('install')
    write('theirs', '.codex/config.toml')
    await json('uninstall')
    expect(readdirSync(at())).toEqual(['.codex', '.svc'])
    expect(readdirSync(at('.codex'))).toEqual(['config.toml'])
  })
})

test('a home that was reached by a link is one home', async () => {
  const { at, svc, json, home } = newUser()
  const real = `${home}-real`
  renameSync(home, real)
  symlinkSync(real, home)
  await json('install')
  expect(readlinkSync(at('.claude/skills', NAMES[0] ?? ''))).toBe(at('.svc/bundled-skills', NAMES[0] ?? ''))
  const before = treeOf(real)
  expect((await svc('install')).code).toBe(0)
  expect(treeOf(real)).toEqual(before)
})
