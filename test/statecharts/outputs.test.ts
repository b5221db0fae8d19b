import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMachine } from 'xstate'
import { CHARTS } from '../../machines/charts.ts'
import { because } from '../../machines/rows.ts'
import { bringUpToDate, differences } from '../../statecharts/folder.ts'
import { outputsOf } from '../../statecharts/outputs.ts'
import { FOLDER } from './generated.ts'
import { parseXml } from './xml.ts'

describe('the outputs', () => {
  // Whether all of them are fresh is what `npm run statecharts:check` says: to draw them takes as long as many other tests.
  it('are on the disk for every machine, one of them as it is drawn now, and each time with the same bytes', async () => {
    const names = Object.keys(CHARTS).flatMap(name => ['mmd', 'svg', 'json'].map(kind => `${name}.${kind}`))
    const files = new Set(readdirSync(FOLDER))
    expect(names.filter(name => !files.has(name))).toEqual([])
    const { ownership } = CHARTS
    const outputs = await outputsOf({ ownership })
    expect([...outputs.keys()]).toEqual(['ownership.mmd', 'ownership.svg', 'ownership.json', 'index.html'])
    expect(await outputsOf({ ownership })).toEqual(outputs)
    expect(differences(FOLDER, outputs).filter(({ file }) => file.startsWith('ownership.'))).toEqual([])
  })

  it('can show an edge of the root, one from a state to itself or inwards, and markup in a name', async () => {
    const edge = { meta: because('a test') }
    const odd = createMachine({
      id: 'odd',
      initial: 'a',
      on: { reset: { ...edge, target: '.a' }, 'text<&>': { ...edge, actions: 'note' } },
      states: {
        a: { on: { again: { ...edge, target: 'a', reenter: true }, down: { ...edge, target: 'b.c' } } },
        b: { initial: 'c', on: { inward: { ...edge, target: '.d' } }, states: { c: {}, d: { type: 'final' } } },
      },
    })
    const outputs = await outputsOf({ odd: { logic: odd } })
    const svg = outputs.get('odd.svg') ?? ''
    expect(() => parseXml(svg)).not.toThrow()
    for (const name of ['edge-odd-on-reset-to-a', 'edge-odd-a-on-again-to-a', 'edge-odd-b-on-inward-to-b-d']) {
      expect(svg).toContain(name)
    }
    const folder = mkdtempSync(join(tmpdir(), 'statecharts-'))
    bringUpToDate(folder, outputs, { check: false })
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'odd.json', 'odd.mmd', 'odd.svg'])
    rmSync(folder, { recursive: true })
  })
})
