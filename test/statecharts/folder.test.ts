import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bringUpToDate } from '../../statecharts/folder.ts'

const OUTPUTS = new Map([
  ['a.svg', '<svg/>'],
  ['a.mmd', 'stateDiagram-v2'],
  ['index.html', '<p>'],
])

let folder: string
const check = () => bringUpToDate(folder, OUTPUTS, { check: true })
const write = () => bringUpToDate(folder, OUTPUTS, { check: false })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'statecharts-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the folder of the outputs', () => {
  it('is up to date after writing', () => {
    expect(write().exitCode).toBe(0)
    expect(check()).toEqual({ said: ['statecharts: up to date'], exitCode: 0 })
  })

  it('is refused when a file was edited', () => {
    write()
    writeFileSync(join(folder, 'a.svg'), '<svg></svg>')
    expect(check()).toMatchObject({ exitCode: 1, said: ['statecharts/a.svg: stale', expect.anything()] })
  })

  it('is refused when a file is missing', () => {
    write()
    rmSync(join(folder, 'a.mmd'))
    expect(check()).toMatchObject({ exitCode: 1, said: ['statecharts/a.mmd: missing', expect.anything()] })
  })

  it('is refused when a file is left over from a machine that is gone', () => {
    write()
    writeFileSync(join(folder, 'b.svg'), '<svg/>')
    expect(check()).toMatchObject({ exitCode: 1, said: ['statecharts/b.svg: left over', expect.anything()] })
  })

  it('is not touched by a check', () => {
    rmSync(folder, { recursive: true })
    expect(check().exitCode).toBe(1)
    expect(existsSync(folder)).toBe(false)
  })

  it('is mended by writing, which leaves the sources alone', () => {
    writeFileSync(join(folder, 'a.svg'), 'old')
    writeFileSync(join(folder, 'b.json'), '{}')
    writeFileSync(join(folder, 'chart.ts'), 'source')
    expect(write().said).toEqual([
      'statecharts/a.svg: written',
      'statecharts/a.mmd: written',
      'statecharts/index.html: written',
      'statecharts/b.json: removed',
    ])
    expect(readdirSync(folder).sort()).toEqual(['a.mmd', 'a.svg', 'chart.ts', 'index.html'])
    expect(readFileSync(join(folder, 'a.svg'), 'utf8')).toBe('<svg/>')
  })
})
