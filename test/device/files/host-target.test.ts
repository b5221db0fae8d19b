import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { draftName } from '../../../src/device/files/host-drafts.ts'
import type { Link } from '../../../src/device/link/link.ts'
import { transferScene } from '../../support/device/transfer-scene.ts'

let scene: ReturnType<typeof transferScene>
const start = (change?: (link: Link) => Partial<Link>) => {
  scene?.close()
  scene = transferScene(change)
  put('/sdcard/a.txt', 'hello')
}
beforeEach(() => start())
afterEach(() => scene.close())

const put = (path: string, text: string) => scene.phone.files.write(path, Buffer.from(text))
const read = (...parts: string[]) => readFileSync(scene.at(...parts), 'utf8')

/** Done on the host once the phone has begun to send. */
const whileFetching = (change: () => void) =>
  start(plain => ({
    async *output(line, options) {
      if (line.startsWith('cat ')) change()
      yield* plain.output(line, options)
    },
  }))

test('looks for every clash before anything is replaced, and does not say to set what is set', async () => {
  put('/sdcard/d/a', 'new')
  put('/sdcard/d/z', 'new')
  mkdirSync(scene.at('d', 'z'), { recursive: true })
  writeFileSync(scene.at('d', 'a'), 'old')
  const { data, error } = await scene.run('pull_file', { from: '/sdcard/d', to: scene.at(), overwrite: true })
  expect(data).toMatchObject({ error: 'FILE_EXISTS', message: expect.stringContaining(scene.at('d', 'z')) })
  expect(error?.hint).toBe('Remove what is there first, or name another path.')
  expect(read('d', 'a')).toBe('old')
})

test.each(['file', 'folder'])('what appears meanwhile is not replaced by a %s', async kind => {
  const name = kind === 'file' ? 'a.txt' : 'd'
  whileFetching(() => (kind === 'file' ? writeFileSync(scene.at(name), 'mine') : mkdirSync(scene.at(name))))
  put('/sdcard/d/x', 'x')
  const { data } = await scene.run('pull_file', { from: `/sdcard/${name}`, to: scene.at(name) })
  expect(data.error).toBe('FILE_EXISTS')
  expect(scene.onHost()).toEqual([name])
  if (kind === 'file') expect(read(name)).toBe('mine')
})

test('removes the drafts of a killed process at the same place, and none that is in use', async () => {
  const [mark = '', , started = ''] = draftName('a.txt').slice('.svc-'.length).split('-')
  const killed = `.svc-${mark}-${process.pid}-${'0'.repeat(16)}-00000000.tmp`
  const used = `.svc-${mark}-${process.pid}-${started}-11111111.tmp`
  mkdirSync(scene.at(killed, 'sub'), { recursive: true })
  writeFileSync(scene.at(used), 'half')
  await scene.run('pull_file', { from: '/sdcard/a.txt', to: scene.at('a.txt') })
  expect(scene.onHost()).toEqual([used, 'a.txt'])
})

test.runIf(process.platform === 'linux')(
  'a folder that is swapped for a link meanwhile gets nothing elsewhere',
  async () => {
    whileFetching(() => {
      renameSync(scene.at('root', 'a'), scene.at('root', 'b'))
      symlinkSync('../out', scene.at('root', 'a'))
    })
    for (const each of ['root/a', 'out']) mkdirSync(scene.at(each), { recursive: true })
    await scene.run(
      'pull_file',
      { from: '/sdcard/a.txt', to: scene.at('root', 'a', 'x') },
      { fileRoots: [scene.at('root')] },
    )
    expect(scene.onHost()).toEqual(['out', 'root', 'root/a', 'root/b', 'root/b/x'])
  },
)
