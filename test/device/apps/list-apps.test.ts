/** Lists of packages in the words of several versions of Android. */
import { expect, test } from 'vitest'
import { listApps } from '../../../src/device/apps/list-apps.ts'
import type { Link } from '../../../src/device/link/link.ts'

interface Answer {
  stdout?: string
  stderr?: string
  exitCode?: number
}

/** `answer` by the command line; the lines that were sent are kept. */
const phone = (answer: (line: string) => Answer) => {
  const lines: string[] = []
  const shell = async (line: string) => {
    lines.push(line)
    return { stdout: '', stderr: '', exitCode: 0, ...answer(line) }
  }
  return { link: { shell } as unknown as Link, lines }
}
const CALL = { deadline: 0 }

test('both kinds, sorted, of the user in front', async () => {
  const { link, lines } = phone(line => {
    if (line.startsWith('am ')) return { stdout: '10\n' }
    return {
      stdout: line.includes('-3')
        ? 'package:b.two versionCode:7\n'
        : 'package:c.three\r\npackage:a.one versionCode:1\n',
    }
  })
  expect(await listApps(link, CALL)).toEqual([
    { applicationId: 'a.one', kind: 'system', versionCode: 1 },
    { applicationId: 'b.two', kind: 'user', versionCode: 7 },
    { applicationId: 'c.three', kind: 'system' },
  ])
  expect(lines).toContain('pm list packages --user 10 -3 --show-versioncode')
})

test('only one kind is asked for', async () => {
  const { link, lines } = phone(() => ({ stdout: 'package:a.one versionCode:1\n' }))
  expect(await listApps(link, CALL, 'user')).toHaveLength(1)
  expect(lines).toEqual(['am get-current-user', 'pm list packages --user 0 -3 --show-versioncode'])
})

test('Android 7 lists without versions', async () => {
  const { link } = phone(line =>
    line.includes('--show-versioncode')
      ? { stderr: 'Error: Unknown option: --show-versioncode\n', exitCode: 1 }
      : { stdout: 'package:a.one\n' },
  )
  expect(await listApps(link, CALL, 'user')).toEqual([{ applicationId: 'a.one', kind: 'user' }])
})

test('a refusal is a failure, not an empty list', async () => {
  const { link } = phone(() => ({
    stdout:
      "\nException occurred while executing 'list':\njava.lang.SecurityException: Shell does not have permission to access user 150\n",
    exitCode: 255,
  }))
  await expect(listApps(link, CALL)).rejects.toMatchObject({
    code: 'DEVICE_SHELL_UNAVAILABLE',
    message: expect.stringContaining('permission to access user 150'),
  })
})

test('a phone without such applications has none', async () => {
  expect(await listApps(phone(() => ({})).link, CALL, 'user')).toEqual([])
})
