/** The blocks that svc puts into files of the user: whatever stood there comes back byte for byte, or is not touched at all. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { applyPlan } from '../../../src/service/install/apply-plan.ts'
import { planCompletion, type Shell } from '../../../src/service/install/completion-files.ts'
import { planUninstall } from '../../../src/service/install/install.ts'
import {
  BRIDGE_END,
  BRIDGE_START,
  type Edited,
  withBridge,
  withoutBridge,
  withoutShellBlock,
  withShellBlock,
} from '../../../src/service/install/marked-block.ts'
import type { Plan } from '../../../src/service/install/plan.ts'
import { temporary } from '../../support/temporary.ts'

const textOf = (edited: Edited | { ok: true; text: undefined }): string => {
  if (!edited.ok) throw new Error(edited.reason)
  return edited.text ?? ''
}

/** As the installer reads a file: a character a byte, so these stand for a BOM, UTF-8, Latin-1 and a NUL, too. */
const BYTES = ['a', '#', ' ', '\t', '\n', '\r\n', '\r', '\n\n', '\xef\xbb\xbf', '\xc3\xa0', '\xe9', '\xa0', '\0']
const anyText = fc.array(fc.constantFrom(...BYTES)).map(parts => parts.join(''))

const BLOCKS = [
  {
    name: 'the bridge',
    start: BRIDGE_START,
    end: BRIDGE_END,
    put: (text: string, line = 'line') => withBridge(text, [line]),
    take: withoutBridge,
  },
  {
    name: 'the block of a shell',
    start: '# svc completion: start',
    end: '# svc completion: end',
    put: (text: string, line = 'line') => withShellBlock(text, line),
    take: withoutShellBlock,
  },
]

describe.each(BLOCKS)('$name', ({ start, end, put, take }) => {
  const inserted = (text: string, line?: string) => textOf(put(text, line))
  const taken = (text: string) => textOf(take(text))

  test('is put in once, replaced in place, and taken out to the byte', () => {
    fc.assert(
      fc.property(anyText, text => {
        const once = inserted(text)
        expect(once.startsWith(text)).toBe(true)
        expect(inserted(once)).toBe(once)
        expect(inserted(inserted(text, 'older'))).toBe(once)
        expect(taken(once)).toBe(text)
      }),
    )
  })

  test('what its owner writes around it later stays, to the byte', () => {
    const line = fc
      .constantFrom('', 'a', '\xef\xbb\xbfa', '\xe9')
      .chain(text => fc.constantFrom(`${text}\n`, `${text}\r\n`))
    const lines = fc.array(line).map(parts => parts.join(''))
    fc.assert(
      fc.property(lines, anyText, anyText, (before, text, after) => {
        const edited = `${before}${inserted(text, 'old')}${after}`
        const [added] =
          after === '' || text === '' || text.endsWith('\n')
            ? ['']
            : (/\r?\n/.exec(inserted(text).slice(text.length)) ?? [])
        expect(taken(edited)).toBe(`${before}${text}${added}${after}`)
        expect(taken(inserted(edited))).toBe(taken(edited))
      }),
    )
  })

  test('a file whose line ends an editor made others still gives it back', () => {
    const windows = inserted('a\nb\n').replaceAll('\n', '\r\n')
    expect(inserted(windows)).toBe(windows)
    expect(taken(windows)).toBe('a\r\nb\r\n')
  })

  test('a file in which it is not whole is left alone, and nothing between two markers is lost', () => {
    const parts = fc.array(fc.constantFrom(start, end, ` ${start}\t`, 'mine', '# a'), { maxLength: 6 })
    fc.assert(
      fc.property(parts, fc.constantFrom('\n', '\r\n', '\r'), (lines, eol) => {
        const text = lines.map(line => line + eol).join('')
        const marks = lines.map(line => line.trim()).filter(line => line === start || line === end)
        const isWhole = marks.length === 0 || (marks.length === 2 && marks[0] === start && marks[1] === end)
        expect([put(text).ok, take(text).ok]).toEqual([isWhole, isWhole])
      }),
    )
    expect(put(`${start}\nline\nmine\n${start}\nline\n${end}\n`)).toMatchObject({
      reason: expect.stringContaining('damaged'),
    })
  })

  // A pattern would take minutes.
  test('a line of half a megabyte of blanks is read at once', () => {
    const text = `${'\t'.repeat(500_000)}x\n`
    const written = withBridge(text, ['a'])
    expect(written.ok && withoutBridge(written.text)).toEqual({ ok: true, text })
  })

  test('a marker inside a sentence is no marker', () => {
    const text = `See \`${start}\` in the docs.\n`
    expect(taken(inserted(text))).toBe(text)
  })
})

const folder = temporary('svc-blocks-')

const newUser = () => {
  const userHome = realpathSync(mkdtempSync(join(folder(), 'u-')))
  const home = join(userHome, '.svc')
  const at = (...parts: string[]) => join(userHome, ...parts)
  const doing = async (plan: () => Plan) => {
    const done = await applyPlan({ home, clock: systemClock(), plan, isDryRun: false })
    if (!done.ok) throw new Error(done.error.message)
    return done.report
  }
  const install = (shell: Shell) =>
    doing(() => planCompletion({ shell, home, userHome, script: `# svc completion for ${shell}.` }))
  const uninstall = () => doing(() => planUninstall({ home, userHome, hosts: [] }))
  return { at, install, uninstall }
}

describe.each([
  ['bash', '.bashrc'],
  ['zsh', '.zshrc'],
] as const)('the start file of %s', (shell, name) => {
  test.each<[string, Buffer]>([
    ['is empty', Buffer.alloc(0)],
    ['has no final end of line', Buffer.from('alias a=b')],
    ['ends in a carriage return', Buffer.from('alias a=b\r')],
    ['is Latin-1, with a BOM and mixed line ends', Buffer.from('\xef\xbb\xbf# caf\xe9\r\nb\n\r\n', 'latin1')],
  ])('that %s is given back as it was', async (_, bytes) => {
    const { at, install, uninstall } = newUser()
    writeFileSync(at(name), bytes)
    expect((await install(shell)).updated).toEqual([at(name)])
    expect(readFileSync(at(name)).subarray(0, bytes.length)).toEqual(bytes)
    await uninstall()
    expect(readFileSync(at(name))).toEqual(bytes)
  })

  test('that was not there goes again, unless it holds something by then', async () => {
    const { at, install, uninstall } = newUser()
    await install(shell)
    await uninstall()
    expect(readdirSync(at())).not.toContain(name)
    await install(shell)
    writeFileSync(at(name), `mine\n${readFileSync(at(name), 'utf8')}`)
    await uninstall()
    expect(readFileSync(at(name), 'utf8')).toBe('mine\n')
  })

  test('whose block lost its end is left alone by both, with a word about it', async () => {
    const { at, install, uninstall } = newUser()
    await install(shell)
    const damaged = readFileSync(at(name), 'utf8').replace('# svc completion: end', 'mine')
    writeFileSync(at(name), damaged)
    for (const { skipped, warnings } of [await install(shell), await uninstall()]) {
      expect(skipped).toMatchObject([{ path: at(name), reason: expect.stringContaining('damaged') }])
      expect(warnings).toEqual([expect.stringContaining(name)])
      expect(readFileSync(at(name), 'utf8')).toBe(damaged)
    }
  })

  test('that became a link is named by an uninstall', async () => {
    const { at, install, uninstall } = newUser()
    await install(shell)
    mkdirSync(at('dotfiles'))
    const text = readFileSync(at(name))
    writeFileSync(at('dotfiles', name), text)
    rmSync(at(name))
    symlinkSync(at('dotfiles', name), at(name))
    expect((await uninstall()).warnings).toEqual([expect.stringContaining('is a symbolic link')])
    expect(readFileSync(at('dotfiles', name))).toEqual(text)
  })
})

test.each(['bash', 'zsh', 'fish'] as const)('a script for %s that somebody changed is kept', async shell => {
  const { at, install, uninstall } = newUser()
  await install(shell)
  const path = shell === 'fish' ? at('.config/fish/completions/svc.fish') : at('.svc/completion', `svc.${shell}`)
  expect((await install(shell)).skipped).toEqual([])
  const mine = `${readFileSync(path, 'utf8')}\nmine\n`
  writeFileSync(path, mine)
  for (const { skipped } of [await install(shell), await uninstall()]) {
    expect(skipped).toMatchObject([{ path, reason: expect.stringContaining('edited since svc wrote it') }])
  }
  expect(readFileSync(path, 'utf8')).toBe(mine)
})
