// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** Files that an attempt reads: a process that goes on finds them as they were, or does nothing. */
import { expect, test } from 'vitest'
import { flowLibrary } from '../../../../src/service/flows/language/flow-library.ts'
import { changedFiles, filesOf } from '../../../../src/service/flows/run/read-files.ts'
import { flowBench } from '../../../support/flows/flow-bench.ts'
import { memoryFlowFiles } from '../../../support/flows/flow-files.ts'

const SUB = 'appId: a\n---\n- tapOn: Pay\n- tapOn: Buy\n'

const READERS: Readonly<Record<string, { yaml: string; file: string; text: string; other: string }>> = {
  runFlow: {
    yaml: "appId: a\n---\n- runFlow: \"${'sub' + '.yaml'}\"\n- tapOn: end\n",
    file: '/flows/sub.yaml',
    text: SUB,
    other: 'appId: a\n---\n- tapOn: new\n- tapOn: Pay\n- tapOn: Buy\n',
  },
  retry: {
    yaml: "appId: a\n---\n- retry: { maxRetries: 1, file: \"${'sub' + '.yaml'}\" }\n",
    file: '/flows/sub.yaml',
    text: SUB,
    other: 'appId: a\n---\n- tapOn: new\n',
  },
  runScript: {
    yaml: 'appId: a\n---\n- runScript: "${\'tool\' + \'.js\'}"\n- tapOn: "${output.name}"\n- tapOn: end\n',
    file: '/flows/tool.js',
    text: "output.name = 'Pay'",
    other: "output.name = 'Buy'",
  },
}

test.each(Object.keys(READERS))('%s by expression: with another file than before nothing is done', async name => {
  const { yaml, file, text, other } = READERS[name] as (typeof READERS)[string]
  const whole = flowBench(yaml, { files: { [file]: text } })
  await whole.perform()
  const events = whole.events().slice(1)
  const read = events.findIndex(({ type }) => type === 'file.read')
  expect(events[read]).toMatchObject({ file, digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
  for (let write = read + 1; write < events.length; write += 1) {
    const files: Record<string, string> = { [file]: text }
    const bench = flowBench(yaml, { files })
    expect(await bench.perform({ cut: { write, as: 'stored' } })).toEqual({ kind: 'died' })
    const touches = bench.touches()
    files[file] = other
    expect(await bench.perform()).toMatchObject({ emitted: { verdict: 'indeterminate' } })
    expect(bench.touches()).toEqual(touches)
    const [error] = bench.recorded().stages.flatMap(({ body }) => body.error ?? [])
    expect(error).toMatchObject({ code: 'TEST_RUN_NOT_RESUMABLE', message: expect.stringContaining(file) })
  }
})

test('what a flow has read is looked at before anything is done again', async () => {
  const files: Record<string, string> = { '/flows/a.png': 'picture', '/flows/sub.yaml': SUB }
  const yaml = "appId: a\n---\n- addMedia: \"${'a' + '.png'}\"\n- runFlow: \"${'sub' + '.yaml'}\"\n- tapOn: end\n"
  const bench = flowBench(yaml, { files })
  await bench.perform()
  const read = filesOf(bench.recorded())
  expect(Object.keys(read)).toEqual(['/flows/a.png', '/flows/sub.yaml'])
  const changed = () => changedFiles(read, flowLibrary(memoryFlowFiles(files)))
  expect(await changed()).toEqual([])
  files['/flows/a.png'] = 'another'
  expect(await changed()).toEqual(['/flows/a.png'])
  delete files['/flows/sub.yaml']
  expect(await changed()).toEqual(['/flows/a.png', '/flows/sub.yaml'])
})

test('a file that the flow itself has written since is not looked at, unless it was read again', () => {
  const digest = 'x'
  const recorded = (index: number, readAgainAt?: number) =>
    filesOf({
      commands: [{ ended: { index, body: { written: ['/out/a.png'] } } }],
      readings: [0, ...(readAgainAt === undefined ? [] : [readAgainAt])].map(at => ({
        index: at,
        file: '/out/a.png',
        digest,
      })),
    } as never)
  expect(recorded(1)).toEqual({})
  expect(recorded(1, 2)).toEqual({ '/out/a.png': digest })
})
