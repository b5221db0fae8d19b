import { afterEach, beforeEach, expect, test } from 'vitest'
import { transferScene } from '../../support/device/transfer-scene.ts'

let scene: ReturnType<typeof transferScene>
beforeEach(() => {
  scene = transferScene()
  scene.phone.files.write('/sdcard/d/a', Buffer.from('a'))
})
afterEach(() => scene.close())

test('a file is removed, and a folder only with all that is in it', async () => {
  const folder = await scene.run('remove_file', { path: '/sdcard/d' })
  expect(folder.data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining('is a folder') })
  expect((await scene.run('remove_file', { path: '/sdcard/d/a' })).data).toEqual({ path: '/sdcard/d/a' })
  expect((await scene.run('remove_file', { path: '/sdcard/d/', recursive: true })).data).toEqual({ path: '/sdcard/d' })
  expect((await scene.run('remove_file', { path: '/sdcard/d' })).data.error).toBe('FILE_NOT_FOUND')
})

test.each([
  '/',
  '//',
  '/sdcard',
  '/sdcard/',
  '/sdcard/.',
  '/data',
  '/data/local/tmp',
  '/data/data/com.example.notes',
  '/data/user/0/com.example.notes',
  '/storage/emulated/0',
  '/storage/self/primary',
  '/sdcard/DCIM',
  '/sdcard/Android/data',
  '/sdcard/d/../../system',
  '/mnt/sdcard',
  '/sdcard/download',
  '/sdcard/ANDROID/Data',
  '/storage/emulated/0/dcim',
])('%s is not removed', async path => {
  const { data } = await scene.run('remove_file', { path, recursive: true })
  expect(data.error).toBe('FILE_REFUSED')
  expect(await scene.onPhone('/sdcard')).toContain('/sdcard/d/a')
})

test('a folder of the device is not removed through a link to the one above it', async () => {
  scene.phone.files.link('/data/local/tmp/up', '/')
  const { data } = await scene.run('remove_file', { path: '/data/local/tmp/up/sdcard', recursive: true })
  expect(data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining('belongs to the device') })
})

test('a folder of the device is not removed under a name that leads to it', async () => {
  scene.close()
  scene = transferScene(link => ({
    shell: (line, options) =>
      line === 'realpath /sdcard/d'
        ? Promise.resolve({ exitCode: 0, stdout: '/storage/emulated/0/Download\n', stderr: '' })
        : link.shell(line, options),
  }))
  scene.phone.files.write('/sdcard/d/a', Buffer.from('a'))
  const { data } = await scene.run('remove_file', { path: '/sdcard/d', recursive: true })
  expect(data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining('belongs to the device') })
  expect(await scene.onPhone('/sdcard')).toContain('/sdcard/d/a')
})

test('links and FIFOs are refused by their names', async () => {
  scene.phone.files.link('/sdcard/link', '/sdcard/d')
  scene.phone.files.fifo('/sdcard/pipe')
  for (const path of ['/sdcard/link', '/sdcard/pipe'])
    expect((await scene.run('remove_file', { path, recursive: true })).data).toMatchObject({
      error: 'FILE_REFUSED',
      message: expect.stringContaining(path),
    })
  expect(await scene.onPhone('/sdcard')).toContain('/sdcard/d/a')
})

test('a device that does not remove it is not believed', async () => {
  scene.close()
  scene = transferScene(link => ({
    shell: async (line, options) =>
      line.startsWith('rm ') ? { exitCode: 0, stdout: '', stderr: '' } : link.shell(line, options),
  }))
  scene.phone.files.write('/sdcard/d/a', Buffer.from('a'))
  expect((await scene.run('remove_file', { path: '/sdcard/d/a' })).data.message).toContain('still there')
})
