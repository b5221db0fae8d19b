import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { transferScene } from '../../support/device/transfer-scene.ts'

const SHELL = /The shell of a phone/

let scene: ReturnType<typeof transferScene>
beforeEach(() => {
  scene = transferScene()
  scene.phone.files.write('/sdcard/a.txt', Buffer.from('hello'))
})
afterEach(() => scene.close())

test('what this host refuses is no matter of the shell of the phone', async () => {
  symlinkSync('a', scene.at('link'))
  const { error } = await scene.run('push_file', { from: scene.at('link'), to: '/sdcard/b' })
  expect(error).toMatchObject({ code: 'FILE_REFUSED', hint: expect.stringContaining('on this host') })
})

test('what is named wrongly on the device is no matter of its rights', async () => {
  const { error } = await scene.run('remove_file', { path: '/sdcard/x/../y' })
  expect(error?.code).toBe('FILE_REFUSED')
  expect(error?.hint).not.toMatch(SHELL)
})

test('what is not on this host is not looked for on the device', async () => {
  const { error } = await scene.run('pull_file', { from: '/sdcard/a.txt', to: scene.at('none', 'b') })
  expect(error).toMatchObject({ code: 'FILE_NOT_FOUND', hint: 'Name a folder that is there, or make it first.' })
})

test('a clash on the device is not solved by what is set', async () => {
  mkdirSync(scene.at('d', 'x'), { recursive: true })
  writeFileSync(scene.at('d', 'x', 'y'), '')
  scene.phone.files.write('/sdcard/d/x', Buffer.from('file'))
  const { error } = await scene.run('push_file', { from: scene.at('d'), to: '/sdcard/' })
  expect(error).toMatchObject({ code: 'FILE_EXISTS', hint: 'Remove what is there first, or name another path.' })
})

test('what the shell may not write keeps the hint of its code', async () => {
  const { error } = await scene.run('push_file', { from: scene.at(), to: '/system/x' })
  expect(error).toMatchObject({ code: 'FILE_REFUSED' })
  expect(error).not.toHaveProperty('hint')
})
