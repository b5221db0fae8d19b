import { describe, expect, test } from 'vitest'
import { hostPathsOf, namesHostPaths, withHostPaths } from '../../src/contracts/host-paths.ts'

describe('the files of the host that an action names', () => {
  test('are read by a push and an installation, and written by a pull', () => {
    expect(hostPathsOf({ type: 'push_file', params: { from: 'a', to: '/sdcard/a' } })).toEqual({
      reads: ['a'],
      writes: [],
    })
    expect(hostPathsOf({ type: 'add_media', params: { paths: ['a.png'] } }).reads).toEqual(['a.png'])
    expect(hostPathsOf({ type: ' PULL_FILE ', params: { from: '/x', to: 'b' } })).toEqual({ reads: [], writes: ['b'] })
    expect(hostPathsOf({ type: 'install_app', params: { paths: ['a.apk', 'b.apk', 3] } }).reads).toEqual([
      'a.apk',
      'b.apk',
    ])
  })

  test.each([
    { type: 'click', params: { from: 'a' } },
    { type: 'remove_file', params: { path: '/sdcard/a' } },
    { type: 'constructor', params: { from: 'a' } },
    { type: 'push_file' },
    { type: 'push_file', params: null },
    { type: 'push_file', params: { from: 7 } },
    {},
  ])('are none in %j', action => {
    expect(namesHostPaths(action)).toBe(false)
    expect(withHostPaths(action, path => `/x/${path}`)).toBe(action)
  })

  test('are changed where they are', () => {
    const change = (path: string) => `/x/${path}`
    expect(withHostPaths({ type: 'push_file', params: { from: 'a', to: 'b' } }, change).params).toEqual({
      from: '/x/a',
      to: 'b',
    })
    expect(withHostPaths({ type: 'install_app', params: { paths: ['a', 'b'] } }, change).params).toEqual({
      paths: ['/x/a', '/x/b'],
    })
  })

  test.each(['', ' '])('that are blank stay so, and become no folder: "%s"', blank => {
    const change = (path: string) => `/x/${path}`
    for (const params of [{ from: blank, to: '/sdcard/' }, { paths: ['a', blank] }, { from: '/sdcard/a', to: blank }])
      for (const type of ['push_file', 'pull_file', 'install_app'])
        expect(Object.values(withHostPaths({ type, params }, change).params).flat()).not.toContain(`/x/${blank}`)
  })
})
