/** Which flows of files and folders run, in which order, under which names. */
import { describe, expect, test } from 'vitest'
import { flowLibrary } from '../../../../src/service/flows/language/flow-library.ts'
import { type FlowSelection, planFlows } from '../../../../src/service/flows/language/plan/plan-flows.ts'
import { readWorkspace } from '../../../../src/service/flows/language/plan/read-workspace.ts'
import { memoryFlowFiles } from '../../../support/flows/flow-files.ts'

const flow = (header = '') => `appId: a\n${header}\n---\n- back\n`

const FILES = {
  '/w/b.yaml': flow('tags: [smoke]'),
  '/w/a.yml': flow('tags: [smoke, slow]'),
  '/w/notes.txt': '',
  '/w/sub/c.yaml': flow('name: Third'),
  '/w/sub/deep/d.yaml': flow(),
}

const plan = (files: Readonly<Record<string, string>>, selection: Partial<FlowSelection> = {}) =>
  planFlows(flowLibrary(memoryFlowFiles(files)), { paths: ['/w'], includeTags: [], excludeTags: [], ...selection })

const filesOf = async (files: Readonly<Record<string, string>>, selection: Partial<FlowSelection> = {}) => {
  const { flows, problems } = await plan(files, selection)
  expect(problems).toEqual([])
  return flows.map(({ file }) => file)
}

const messageOf = async (files: Readonly<Record<string, string>>, selection: Partial<FlowSelection> = {}) => {
  const { flows, problems } = await plan(files, selection)
  expect(flows).toEqual([])
  return problems.map(({ message }) => message)
}

describe('a folder', () => {
  test('without a configuration has its own flows, by name', async () => {
    expect(await filesOf(FILES)).toEqual(['/w/a.yml', '/w/b.yaml'])
    expect(await filesOf(FILES, { paths: ['/w/'] })).toEqual(['/w/a.yml', '/w/b.yaml'])
  })

  test.each([
    ['flows: "**"', ['/w/a.yml', '/w/b.yaml', '/w/sub/c.yaml', '/w/sub/deep/d.yaml']],
    ['flows: [./sub/*]', ['/w/sub/c.yaml']],
    ['flows: ["sub/**", "!sub/deep/**"]', ['/w/sub/c.yaml']],
    ['flows: ["**/*.yaml"]', ['/w/sub/c.yaml', '/w/sub/deep/d.yaml']],
    ['flows: ["{a,b}.y*ml"]', ['/w/a.yml', '/w/b.yaml']],
    ['flows: ["[!a].yaml", "sub/?.yaml"]', ['/w/b.yaml', '/w/sub/c.yaml']],
    ['includeTags: slow', ['/w/a.yml']],
    ['excludeTags: [slow]', ['/w/b.yaml']],
    ['anything: else', ['/w/a.yml', '/w/b.yaml']],
    ['', ['/w/a.yml', '/w/b.yaml']],
  ])('with %j', async (config, found) => {
    expect(await filesOf({ ...FILES, '/w/config.yaml': config })).toEqual(found)
  })

  test('takes the tags of the options besides those of its configuration', async () => {
    const files = { ...FILES, '/w/config.yml': 'includeTags: [smoke]' }
    expect(await filesOf(files, { excludeTags: ['slow'] })).toEqual(['/w/b.yaml'])
  })

  test('takes another configuration, which is no flow wherever it lies', async () => {
    const files = { ...FILES, '/w/config.yaml': 'flows: []', '/w/ci.yaml': 'flows: ["sub/*"]' }
    expect(await filesOf(files, { configFile: '/w/ci.yaml' })).toEqual(['/w/sub/c.yaml'])
    expect(await filesOf({ ...FILES, '/w/nightly.yaml': 'includeTags: [smoke]' })).toEqual(['/w/a.yml', '/w/b.yaml'])
  })

  test('runs what its configuration orders first, one after the other', async () => {
    const config = 'flows: "**"\nexecutionOrder: {continueOnFailure: false, flowsOrder: [Third, b, not-here]}'
    const planned = await plan({ ...FILES, '/w/config.yaml': config })
    expect(planned.flows.map(({ name }) => name)).toEqual(['Third', 'b', 'a', 'd'])
    expect(planned).toMatchObject({ orderedCount: 2, workspace: { continueOnFailure: false } })
    expect(planned.warnings).toMatchObject([{ message: 'flowsOrder names flows that do not run: not-here.' }])
  })

  test('gives flows of one name different ones', async () => {
    const files = {
      '/w/a.yaml': flow('name: Same'),
      '/w/b.yaml': flow('name: Same'),
      '/w/c.yaml': flow(),
      '/w/config.yaml': '',
    }
    expect((await plan(files)).flows.map(({ name }) => name)).toEqual(['Same (a.yaml)', 'Same (b.yaml)', 'c'])
  })
})

describe('files', () => {
  test('run in the order in which they are named, each once', async () => {
    expect(await filesOf(FILES, { paths: ['/w/sub/c.yaml', '/w/b.yaml', '/w'] })).toEqual([
      '/w/sub/c.yaml',
      '/w/b.yaml',
      '/w/a.yml',
    ])
  })

  test('a single one runs whatever its tags and its name are; among others both count', async () => {
    expect(await filesOf(FILES, { paths: ['/w/a.yml'], excludeTags: ['slow'] })).toEqual(['/w/a.yml'])
    expect(await filesOf({ '/w/config.yaml': flow() }, { paths: ['/w/config.yaml'] })).toEqual(['/w/config.yaml'])
    expect(await filesOf(FILES, { paths: ['/w/a.yml', '/w/b.yaml'], excludeTags: ['slow'] })).toEqual(['/w/b.yaml'])
  })

  test('of two folders may have the same path in them', async () => {
    const files = { '/v/a.yaml': flow(), '/w/a.yaml': flow() }
    const { flows } = await plan(files, { paths: ['/v', '/w'] })
    expect(flows.map(({ name }) => name)).toEqual(['a (/v/a.yaml)', 'a (/w/a.yaml)'])
  })
})

describe('a selection that cannot run', () => {
  test('says why', async () => {
    expect(await messageOf(FILES, { paths: ['/w/gone.yaml', '/x'] })).toEqual([
      'There is no file or folder /w/gone.yaml.',
      'There is no file or folder /x.',
    ])
    expect(await messageOf(FILES, { paths: [] })).toEqual(['No file or folder with flows is named.'])
    expect(await messageOf({ '/w/sub/a.yaml': flow() })).toEqual(['No flows in /w.'])
    expect(await messageOf({ ...FILES, '/w/config.yaml': 'flows: ["!a.yml"]' })).toEqual(['No flows in /w.'])
    expect(await messageOf(FILES, { includeTags: ['none'] })).toEqual(['No flow has the wanted tags.'])
    expect(await messageOf(FILES, { configFile: '/w/gone.yaml' })).toEqual(['There is no file /w/gone.yaml.'])
    expect(await messageOf({ ...FILES, '/w/config.yaml': 'flows: {a: b}' })).toEqual([
      'flows must be a list; here it is keys with values.',
    ])
    const braces = `flows: ["${'{a,b}'.repeat(20)}"]`
    expect((await plan({ ...FILES, '/w/config.yaml': braces })).problems[0]?.message).toContain('too many alternatives')
  })

  test('because of its order', async () => {
    const order = (names: string) => ({ ...FILES, '/w/config.yaml': `executionOrder: {flowsOrder: [${names}]}` })
    expect(await messageOf(order('gone, a'))).toEqual(['flowsOrder names flows that do not run: gone.'])
    const same = { ...order('Same'), '/w/x.yaml': flow('name: Same'), '/w/y.yaml': flow('name: Same') }
    expect(await messageOf(same)).toEqual(['flowsOrder names Same, which is the name of more than one flow.'])
  })

  test('because a flow has faults, which are told besides the flows that have none', async () => {
    const planned = await plan({ ...FILES, '/w/broken.yaml': 'appId: a\n---\n- nothing' })
    expect(planned.problems).toMatchObject([{ file: '/w/broken.yaml', line: 3 }])
    expect(planned.flows).toHaveLength(2)
  })
})

test('a workspace is read with its defaults', () => {
  expect(readWorkspace('', '/w/config.yaml')).toEqual({
    ok: true,
    workspace: { includeTags: [], excludeTags: [], flowsOrder: [], continueOnFailure: true, disablesAnimations: false },
    warnings: [],
  })
  expect(
    readWorkspace('platform: {android: {disableAnimations: true}}\ntestOutputDir: out', '/w/config.yaml'),
  ).toMatchObject({
    workspace: { disablesAnimations: true, testOutputDir: 'out' },
  })
  expect(readWorkspace('- a', '/w/config.yaml')).toMatchObject({ ok: false, problems: [{ line: 1 }] })
  expect(readWorkspace('flows: !sub/**', '/w/config.yaml')).toMatchObject({
    problems: [{ hint: 'Put a text that begins with ! in quotes.' }],
  })
})
