/** A flow is checked with all that it names: subflows, scripts, media. */
import { describe, expect, test } from 'vitest'
import { checkFlowTree, readFlowTree } from '../../../../src/service/flows/language/check-flows.ts'
import { flowLibrary } from '../../../../src/service/flows/language/flow-library.ts'
import { readFlow } from '../../../../src/service/flows/language/read/read-flow.ts'
import { flowText, memoryFlowFiles } from '../../../support/flows/flow-files.ts'

const treeOf = (texts: Readonly<Record<string, string>>, file = '/a/main.yaml') =>
  readFlowTree(flowLibrary(memoryFlowFiles(texts)), file)

const faultsOf = async (texts: Readonly<Record<string, string>>) =>
  (await treeOf(texts)).problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)

describe('a tree', () => {
  test('has the files that it names, relative to the file that names them', async () => {
    const tree = await treeOf({
      '/a/main.yaml': flowText(
        '- runFlow: ../b/part.yaml',
        '- repeat: {times: 1, commands: [{retry: {file: /c/last.yaml}}]}',
        '- runFlow: ${output.next}',
      ),
      '/b/part.yaml': `appId: a\nonFlowStart:\n  - runScript: js/a.js\n---\n- addMedia: [cat.png]\n`,
      '/b/js/a.js': '1',
      '/b/cat.png': '',
      '/c/last.yaml': flowText('- back'),
    })
    expect(tree.problems).toEqual([])
    expect(tree.files).toEqual(['/a/main.yaml', '/b/part.yaml', '/b/js/a.js', '/b/cat.png', '/c/last.yaml'])
  })

  test('names what is missing where it is named, and the faults of subflows', async () => {
    const texts = {
      '/a/main.yaml': flowText(
        '- runFlow: gone.yaml',
        '- runScript: gone.js',
        '- addMedia: [gone.png]',
        '- runFlow: part',
        '- runFlow: bad.yaml',
      ),
      '/a/part/x.yaml': '',
      '/a/bad.yaml': flowText('- nothing'),
    }
    expect(await faultsOf(texts)).toEqual([
      '/a/main.yaml:3:12 There is no file /a/gone.yaml.',
      '/a/main.yaml:4:14 There is no file /a/gone.js.',
      '/a/main.yaml:5:14 There is no file /a/gone.png.',
      '/a/main.yaml:6:12 /a/part is a folder.',
      '/a/bad.yaml:3:3 There is no command nothing.',
    ])
  })

  test('names a circle by its files', async () => {
    const texts = {
      '/a/main.yaml': flowText('- runFlow: one.yaml'),
      '/a/one.yaml': flowText('- runFlow: two.yaml'),
      '/a/two.yaml': flowText('- back', '- retry: {file: one.yaml}'),
    }
    expect(await faultsOf(texts)).toEqual([
      '/a/two.yaml:4:17 The flows run each other in a circle: one.yaml → two.yaml → one.yaml.',
    ])
    expect(await faultsOf({ '/a/main.yaml': flowText('- runFlow: main.yaml') })).toHaveLength(1)
  })

  /** A chain of subflows below the main flow; each names the next one twice. */
  const chain = (levels: number) => ({
    '/a/main.yaml': flowText('- runFlow: 1.yaml'),
    ...Object.fromEntries(
      Array.from({ length: levels }, (_, at) => {
        const next = `- runFlow: ${at + 2}.yaml`
        return [`/a/${at + 1}.yaml`, flowText(...(at + 1 < levels ? [next, next] : ['- back']))]
      }),
    ),
  })

  test('has 32 levels, and no more', async () => {
    expect(await faultsOf(chain(32))).toEqual([])
    expect(await faultsOf(chain(33))).toEqual(['/a/32.yaml:3:12 Flows run each other over more than 32 levels.'])
    expect(await faultsOf(chain(200))).toHaveLength(1)
  })

  test('counts the levels of a subflow that was met before nearer to the main flow', async () => {
    const texts = chain(32)
    const deeper = {
      ...texts,
      '/a/0.yaml': flowText('- runFlow: 1.yaml'),
      '/a/main.yaml': flowText('- runFlow: 1.yaml', '- runFlow: 0.yaml'),
    }
    expect(await faultsOf(deeper)).toEqual(['/a/0.yaml:3:12 Flows run each other over more than 32 levels.'])
  })

  test('says why a file may not be read', async () => {
    const files = {
      ...memoryFlowFiles({}),
      kindOf: () => Promise.reject(new Error('It lies outside of the file roots.')),
    }
    const tree = await readFlowTree(flowLibrary(files), '/etc/passwd')
    expect(tree.problems).toEqual([
      { file: '/etc/passwd', message: '/etc/passwd cannot be read: It lies outside of the file roots.' },
    ])
  })

  test('of a flow that was given as text finds files in a directory', async () => {
    const read = readFlow(flowText('- runFlow: part.yaml'), '<flow>')
    if (!read.ok) throw new Error('not read')
    const library = flowLibrary(memoryFlowFiles({ '/here/part.yaml': flowText('- back') }))
    expect(await checkFlowTree(library, read.flow, '/here')).toMatchObject({ problems: [], files: ['/here/part.yaml'] })
    expect((await checkFlowTree(library, read.flow, '/there')).problems).toMatchObject([{ file: '<flow>', line: 3 }])
  })

  test('looks again for a file that was not there, and reads once what was', async () => {
    const texts: Record<string, string> = { '/a/main.yaml': flowText('- back') }
    const library = flowLibrary(memoryFlowFiles(texts))
    expect((await library.script('/a/made.js')).ok).toBe(false)
    texts['/a/made.js'] = '1'
    texts['/a/main.yaml'] = flowText('- scroll')
    expect(await library.script('/a/made.js')).toEqual({ ok: true, text: '1' })
    await library.flow('/a/main.yaml')
    texts['/a/main.yaml'] = flowText('- nothing')
    expect(await library.flow('/a/main.yaml')).toMatchObject({ flow: { commands: [{ key: 'scroll' }] } })
  })
})
