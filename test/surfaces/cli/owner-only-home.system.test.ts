/** After real use under the umask 0, everything below the home is of its user alone, and what was named elsewhere is as the umask says. */
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServe } from '../../support/cli/serve.ts'
import { svcLab } from '../../support/cli/svc-lab.ts'

const startSvc = svcLab()

/** The umask of a process holds for all of its threads, so another process has it. */
const OPEN_TO_ALL = ['/bin/sh', '-c', 'umask 0; exec "$@"', 'sh']

const FAILING = (folder: string) => `appId: com.android.settings
---
- launchApp
- takeScreenshot: ${folder}/named
- startRecording: ${folder}/video
- stopRecording
- extendedWaitUntil:
    visible: nothing has this text
    timeout: 1
`

const walk = (path: string): string[] =>
  lstatSync(path).isDirectory() ? [path, ...readdirSync(path).flatMap(name => walk(join(path, name)))] : [path]

const modeOf = (path: string) => lstatSync(path).mode & 0o777

/** Folders that are not 0700, and anything else that others can read, write or run. */
const wrongIn = (home: string) =>
  walk(home).flatMap(path => {
    const mode = modeOf(path)
    const isRight = lstatSync(path).isDirectory() ? mode === 0o700 : (mode & 0o077) === 0
    return isRight ? [] : [`${mode.toString(8)} ${path.slice(home.length)}`]
  })

const post = async (url: string, body: unknown) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as {
    value?: { sessionId?: string }
    testRunId?: string
    testRun?: { testRunId: string }
  }
}

test('a used home', { timeout: 120_000 }, async () => {
  const lab = await startSvc()
  const named = join(lab.home, 'named')
  mkdirSync(named, { mode: 0o777 })
  const home = join(lab.home, '.svc')
  writeFileSync(join(named, 'flow.yaml'), FAILING('shots'))
  const env = { ...lab.env, PATH: process.env.PATH ?? '' }
  const svc = async (...args: string[]) => lab.start(args, { cwd: named, env, within: OPEN_TO_ALL }).ended
  const done = async (...args: string[]) => expect(await svc(...args)).toMatchObject({ code: 0 })

  await done('screenshot')
  await done('screenshot', 'here.png')
  await done('screenshot', join(home, 'below.png'))
  await done('record', 'start')
  await done('record', 'stop')
  await done('install')
  await done('skills', 'new', 'com.example.app.go')
  writeFileSync(join(named, 'text'), 'text')
  await done('files', 'push', 'text', '/sdcard/text')
  await done('files', 'pull', '/sdcard/text', 'pulled')
  await done('files', 'pull', '/sdcard/text', join(home, 'pulled'))
  expect((await svc('test', 'flow.yaml', '--format', 'junit', '--output', 'report.xml')).code).toBe(1)

  const serving = await startServe({ args: ['--webdriver'], cwd: named, env, within: OPEN_TO_ALL })
  const session = await post(`${serving.url}/session`, { capabilities: { alwaysMatch: {} } })
  const { sessionId } = session.value ?? {}
  expect(sessionId).toEqual(expect.any(String))
  await fetch(`${serving.url}/session/${sessionId}`, { method: 'DELETE' })
  const begun = await post(`${serving.url}/test-runs`, { yaml: FAILING('shots') })
  const id = begun.testRunId ?? begun.testRun?.testRunId
  expect(id).toBeDefined()
  const runFolder = join(home, 'test-runs', String(id))
  const isOver = async () => {
    const run = (await (await fetch(`${serving.url}/test-runs/${id}`)).json()) as { testRun?: { state?: string } }
    return run.testRun?.state === 'ended'
  }
  while (!(await isOver())) await new Promise(resolve => setTimeout(resolve, 200))

  const wrong = wrongIn(home)
  expect(walk(home).filter(path => path.endsWith('.png')).length).toBeGreaterThan(4)
  expect(walk(home).some(path => path === join(runFolder, 'shots', 'named.png'))).toBe(true)
  expect(wrong).toEqual([])
  for (const file of ['here.png', 'pulled', 'report.xml', 'shots/named.png', 'shots/video.mp4'])
    expect([file, modeOf(join(named, file)).toString(8)]).toEqual([file, '666'])
  expect(modeOf(join(named, 'shots')).toString(8)).toBe('777')
  await serving.end()
  await svc('daemon', 'stop')
})
