import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { transferScene } from '../../support/device/transfer-scene.ts'

let scene: ReturnType<typeof transferScene>
beforeEach(() => {
  scene = transferScene()
  writeFileSync(scene.at('a b.png'), 'picture')
  writeFileSync(scene.at('clip.MP4'), 'video')
  writeFileSync(scene.at('notes.txt'), 'text')
})
afterEach(() => scene.close())

const read = (path: string) => Buffer.from(scene.phone.files.read(path)?.content ?? []).toString()

test('pictures and videos go where the gallery looks for them', async () => {
  const { data, error } = await scene.run('add_media', { paths: [scene.at('a b.png'), scene.at('clip.MP4')] })
  expect(error).toBeNull()
  expect(data).toEqual({
    paths: JSON.stringify(['/sdcard/Pictures/a b.png', '/sdcard/Movies/clip.MP4']),
    bytes: '12',
    files: '2',
  })
  expect(read('/sdcard/Pictures/a b.png')).toBe('picture')
  expect(read('/sdcard/Movies/clip.MP4')).toBe('video')
})

test('the media store is told of each', async () => {
  const lines: string[] = []
  scene.close()
  scene = transferScene(({ shell }) => ({
    shell: (line, options) => {
      lines.push(line)
      return shell(line, options)
    },
  }))
  writeFileSync(scene.at('a.png'), 'picture')
  await scene.run('add_media', { paths: [scene.at('a.png')] })
  expect(lines.at(-1)).toBe('content call --uri content://media --method scan_file --arg /sdcard/Pictures/a.png')
})

test('a file that is neither is refused before anything is sent', async () => {
  const { data } = await scene.run('add_media', { paths: [scene.at('a b.png'), scene.at('notes.txt')] })
  expect(data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining('notes.txt') })
  expect(scene.phone.files.read('/sdcard/Pictures/a b.png')).toBeUndefined()
})

test('a file that is not there is named', async () => {
  const { data } = await scene.run('add_media', { paths: [scene.at('none.png')] })
  expect(data).toMatchObject({ error: 'FILE_NOT_FOUND' })
})

test('a media store that does not know the file is a refusal', async () => {
  scene.close()
  scene = transferScene(({ shell }) => ({
    shell: (line, options) =>
      line.startsWith('content')
        ? shell("echo 'Result: Bundle[{android.intent.extra.STREAM=null}]'", options)
        : shell(line, options),
  }))
  writeFileSync(scene.at('a.png'), 'picture')
  const { data } = await scene.run('add_media', { paths: [scene.at('a.png')] })
  expect(data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining('it knows no such file') })
})
