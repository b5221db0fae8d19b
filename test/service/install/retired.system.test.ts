/** A package that a newer version ships no more goes with the upgrade, wherever the older one had put it. */
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { applyPlan } from '../../../src/service/install/apply-plan.ts'
import { hostsOf } from '../../../src/service/install/hosts.ts'
import { planInstall } from '../../../src/service/install/install.ts'
import type { Bundle } from '../../../src/service/install/packages.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-retired-')

const bundleOf = (version: string, ...names: string[]): Bundle => ({
  version,
  packages: names.map(name => ({
    name,
    files: new Map([['SKILL.md', Buffer.from(`${name} ${version}\n`)]]),
  })),
})
const OLD = bundleOf('1.0.0', 'svc-kept', 'svc-retired')
const NEW = bundleOf('2.0.0', 'svc-kept')
/** Every package has another name now. */
const RENAMED = bundleOf('2.0.0', 'svc-renamed')

const newUser = () => {
  const userHome = realpathSync(mkdtempSync(join(folder(), 'u-')))
  const home = join(userHome, '.svc')
  const at = (...parts: string[]) => join(userHome, ...parts)
  const install = async (
    bundle: Bundle,
    { isUpdate = false, codexHome }: { isUpdate?: boolean; codexHome?: string } = {},
  ) => {
    const authoring = { home, hosts: hostsOf({ userHome, codexHome }), bundle, isUpdate }
    const done = await applyPlan({
      home,
      clock: systemClock(),
      plan: () => planInstall({ authoring }),
      isDryRun: false,
    })
    if (!done.ok) throw new Error(done.error.message)
    return done.report
  }
  return { at, install }
}

const PLACES = ['.svc/bundled-skills', '.agents/skills', '.claude/skills', '.codex/skills']
const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

describe.each([false, true])('isUpdate %s', isUpdate => {
  test('it goes from the store, the copies and the links; what others named alike in their own folder stays', async () => {
    const { at, install } = newUser()
    await install(OLD)
    mkdirSync(at('.agents/skills/svc-theirs'))
    const report = await install(NEW, { isUpdate })
    expect(report.removed.sort()).toEqual(PLACES.map(place => at(place, 'svc-retired')).sort())
    expect(PLACES.filter(place => isThere(at(place, 'svc-retired')))).toEqual([])
    expect(PLACES.filter(place => existsSync(at(place, 'svc-kept/SKILL.md')))).toEqual(PLACES)
    expect(isThere(at('.agents/skills/svc-theirs'))).toBe(true)
    expect((await install(NEW, { isUpdate })).removed).toEqual([])
  })

  test('text that somebody changed in it stays, and is named', async () => {
    const { at, install } = newUser()
    await install(OLD)
    appendFileSync(at('.agents/skills/svc-retired/SKILL.md'), 'my note\n')
    writeFileSync(at('.svc/bundled-skills/svc-retired/notes.md'), 'mine')
    const report = await install(NEW, { isUpdate })
    expect(report.skipped.map(({ path }) => path).sort()).toEqual([
      at('.agents/skills/svc-retired'),
      at('.svc/bundled-skills/svc-retired'),
    ])
    expect(readFileSync(at('.agents/skills/svc-retired/SKILL.md'), 'utf8')).toMatch(/my note\n$/)
    expect(readFileSync(at('.svc/bundled-skills/svc-retired/notes.md'), 'utf8')).toBe('mine')
  })

  test('also where every package has another name by now, and in an agent’s folder of an earlier CODEX_HOME', async () => {
    const { at, install } = newUser()
    await install(OLD, { codexHome: at('codex') })
    await install(RENAMED, { isUpdate })
    const places = [...PLACES, 'codex/skills']
    for (const name of ['svc-retired', 'svc-kept']) expect(places.filter(place => isThere(at(place, name)))).toEqual([])
    // An update leaves an agent alone that had nothing of ours.
    const kept = isUpdate ? PLACES.slice(0, -1) : PLACES
    expect(PLACES.filter(place => existsSync(at(place, 'svc-renamed/SKILL.md')))).toEqual(kept)
  })
})
