/** The library reads the same flow each time, and holds no more of them than its bound. */
import { expect, test } from 'vitest'
import { type FlowFiles, flowLibrary } from '../../../../src/service/flows/language/flow-library.ts'
import { LIBRARY_BYTES } from '../../../../src/service/flows/language/limits.ts'
import { planRun } from '../../../../src/service/flows/plan-run.ts'
import type { RecordedRequest } from '../../../../src/service/flows/request.ts'
import { flowText, memoryFlowFiles } from '../../../support/flows/flow-files.ts'

const SOURCE = flowText('- back')

const counted = (files: Record<string, string>) => {
  const within = memoryFlowFiles(files)
  const reads: string[] = []
  let open = 0
  let openMax = 0
  const counting: FlowFiles = {
    ...within,
    async read(path) {
      reads.push(path)
      open += 1
      openMax = Math.max(openMax, open)
      await new Promise(resolve => setImmediate(resolve))
      open -= 1
      return within.read(path)
    },
  }
  return { counting, reads, openMax: () => openMax }
}

test('flows beyond the bound are read again, and those that were used last are not', async () => {
  const { counting, reads } = counted({ '/a.yaml': SOURCE, '/b.yaml': SOURCE, '/c.yaml': SOURCE })
  const library = flowLibrary(counting, 2 * SOURCE.length)
  for (const file of ['/a.yaml', '/b.yaml', '/a.yaml', '/c.yaml', '/a.yaml', '/b.yaml'])
    expect(await library.flow(file), file).toMatchObject({ ok: true, flow: { file } })
  expect(reads).toEqual(['/a.yaml', '/b.yaml', '/c.yaml', '/b.yaml'])
})

test('a flow that is read again is the one that was checked', async () => {
  const files = { '/a.yaml': SOURCE, '/b.yaml': SOURCE, '/a.js': 'output.a = 1', '/b.js': 'output.b = 1' }
  const library = flowLibrary(memoryFlowFiles(files), SOURCE.length)
  for (const file of ['/a.yaml', '/b.yaml']) expect((await library.flow(file)).ok).toBe(true)
  for (const file of ['/a.js', '/b.js']) expect((await library.script(file)).ok).toBe(true)
  files['/a.yaml'] = flowText('- tapOn: Pay')
  expect(await library.flow('/a.yaml')).toEqual({
    ok: false,
    problems: [{ file: '/a.yaml', message: '/a.yaml has changed since it was checked. Run the flows again.' }],
  })
  files['/a.yaml'] = SOURCE
  expect((await library.flow('/a.yaml')).ok).toBe(true)
})

test('a flow with faults may be corrected', async () => {
  const files = { '/a.yaml': flowText('- nothing') }
  const library = flowLibrary(memoryFlowFiles(files))
  expect((await library.flow('/a.yaml')).ok).toBe(false)
  files['/a.yaml'] = SOURCE
  expect((await library.flow('/a.yaml')).ok).toBe(true)
})

test('a plan of many flows holds their headers, and reads one file after the other', async () => {
  const long = flowText(`- inputText: ${'x'.repeat(50_000)}`)
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`/w/${at}.yaml`, long]))
  expect(100 * long.length).toBeGreaterThan(LIBRARY_BYTES)
  const { counting, reads, openMax } = counted(files)
  const request: RecordedRequest = { cwd: '/', paths: ['/w'], folder: '/run', caller: 'cli' }
  const run = { request, env: {}, library: flowLibrary(counting), planned: [], outputFolder: '' }
  const plan = await planRun(
    { ...run, onProgress: () => {}, onBroken: () => {} },
    {} as never,
    new AbortController().signal,
  )
  if (!plan.ok) throw new Error(plan.problems[0]?.message)
  expect(plan.files).toHaveLength(100)
  expect(JSON.stringify(plan).length).toBeLessThan(100 * 1_000)
  expect(openMax()).toBe(1)
  reads.length = 0
  expect(await plan.files[0]?.read()).toMatchObject({ file: '/w/0.yaml', commands: [{ key: 'inputText' }] })
  expect(reads).toEqual(['/w/0.yaml'])
})
