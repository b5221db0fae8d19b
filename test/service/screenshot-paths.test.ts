/** Where the pictures of resumed steps go: the paths that their caller named once, kept on the machine of the caller. */
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failure } from '../../src/contracts/failures/failures.ts'
import { pathsToResume, rememberPaths } from '../../src/service/executions/picture-paths.ts'
import { failed, success } from '../../src/service/service.ts'
import { temporary } from '../support/temporary.ts'

const root = temporary('svc-paths-')
const newFolder = () => mkdtempSync(join(root(), 'in-'))

/** `resumes` says which execution each one resumes. */
const resume = (folder: string, executionId: string, resumes: Record<string, string> = {}) => {
  const asked: string[] = []
  const get = async ({ executionId: id }: { executionId: string }) => {
    asked.push(id)
    if (!(id in resumes)) return failed(failure('EXECUTION_NOT_FOUND', 'There is none.'))
    return success({ execution: { executionId: id, resumes: resumes[id] } })
  }
  const service = { 'executions.get': get } as never
  return pathsToResume(folder, executionId, service, { context: { caller: 'cli' } }).then(paths => ({ paths, asked }))
}

test('paths are those of the execution, or of the first one before it that has some', async () => {
  const folder = newFolder()
  const paths = new Map([
    [1, '/home/me/last.png'],
    [3, '/home/me/first.png'],
  ])
  await rememberPaths(folder, 'e1', paths)
  expect(await resume(folder, 'e1')).toEqual({ paths, asked: [] })
  expect(await resume(folder, 'e3', { e3: 'e2', e2: 'e1' })).toEqual({ paths, asked: ['e3', 'e2'] })
  expect(await resume(folder, 'e9')).toEqual({ paths: new Map(), asked: ['e9'] })
  const [file = ''] = readdirSync(join(folder, 'paths'))
  expect(statSync(join(folder, 'paths', file)).mode & 0o777).toBe(0o600)
})

test('an execution that names none leaves no file, and no id leads out of the folder', async () => {
  const folder = newFolder()
  await rememberPaths(folder, 'e1', new Map())
  expect(readdirSync(folder)).toEqual([])
  await rememberPaths(folder, '../../e1', new Map([[1, '/a.png']]))
  expect(readdirSync(folder)).toEqual(['paths'])
  expect(readdirSync(join(folder, 'paths'))).toHaveLength(1)
  expect((await resume(folder, '../../e1')).paths.get(1)).toBe('/a.png')
})

test('the oldest are forgotten beyond a thousand', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'paths'))
  const name = (index: number) => `e${String(index).padStart(4, '0')}`
  for (let index = 0; index < 1_000; index++) writeFileSync(join(folder, 'paths', `${name(index)}.json`), '[]')
  await rememberPaths(folder, name(1_000), new Map([[1, '/a.png']]))
  const names = readdirSync(join(folder, 'paths')).sort()
  expect([names.length, names[0], names.at(-1)]).toEqual([1_000, 'e0001.json', 'e1000.json'])
})

test.each(['', '{', '{"1":"/a.png"}', '[["1","/a.png"],[1,2],7]'])('a file that holds %s names no path', async text => {
  const folder = newFolder()
  mkdirSync(join(folder, 'paths'))
  writeFileSync(join(folder, 'paths', 'e1.json'), text)
  expect((await resume(folder, 'e1')).paths.size).toBe(0)
})

test('a folder that cannot be written keeps nobody from going on', async () => {
  const folder = join(newFolder(), 'file')
  writeFileSync(folder, '')
  await expect(rememberPaths(folder, 'e1', new Map([[1, '/a.png']]))).resolves.toBeUndefined()
  expect((await resume(folder, 'e1')).paths.size).toBe(0)
})
