/** Where everything is kept: what is named, else below the user's home, which an empty HOME does not move. */
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { homeOf, userHome } from '../../src/runtime/home.ts'

afterEach(() => void vi.unstubAllEnvs())

test('SVC_HOME counts alone, then HOME', () => {
  expect(homeOf({ SVC_HOME: '/kept', HOME: '/home/me' })).toBe('/kept')
  expect(homeOf({ HOME: '/home/me' })).toBe(join('/home/me', '.svc'))
})

test('an empty HOME is none: nothing is kept in the directory that svc happens to be called from', () => {
  vi.stubEnv('HOME', '')
  expect(userHome({ HOME: '' })).toBe(userInfo().homedir)
  expect(homeOf({ HOME: '', SVC_HOME: '' })).toBe(join(userInfo().homedir, '.svc'))
})
