/** `svc test --simulate`: on a scenario, on screens that were seen, and on a folder of them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-simulated-')
const SCREEN = `<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation="0"><node index="0" text="Seen here" resource-id="" class="android.widget.TextView" package="com.example.seen" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,200][1080,400]" /></hierarchy>`
const SCENARIO = {
  front: 'com.example.seen',
  apps: [{ package: 'com.example.seen', label: 'Seen', screens: { main: { nodes: [{ text: 'Seen here' }] } } }],
}

beforeAll(() => {
  const put = (name: string, text: string) => writeFileSync(join(folder(), name), text)
  put('seen.yaml', 'appId: com.example.seen\n---\n- extendedWaitUntil:\n    visible: Seen here\n    timeout: 1000\n')
  put('screen.xml', SCREEN)
  put('app.json', JSON.stringify(SCENARIO))
  for (const name of ['dumps', 'skill', 'none']) mkdirSync(join(folder(), name))
  put('dumps/1.xml', SCREEN)
  put('skill/scenario.json', JSON.stringify(SCENARIO))
  put('skill/skill.json', '{}')
})

const ran = (named: string) =>
  runCliHere(['test', 'seen.yaml', `--simulate=${named}`], { cwd: folder(), env: { HOME: folder() } })

test.each(['app.json', 'screen.xml', 'dumps', 'skill'])('runs on %s', async named => {
  const { code, stdout, stderr } = await ran(named)
  expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, ''])
})

test.each([
  ['none', 'has no scenario.json and no dumps'],
  ['missing.json', 'cannot be read'],
  ['seen.yaml', '--simulate seen.yaml'],
])('refuses %s', async (named, said) => {
  const { code, stdout } = await ran(named)
  expect([code, stdout]).toEqual([1, expect.stringContaining(said)])
})

test('an app that a simulated phone without a scenario lacks is told with the flag that brings it', async () => {
  writeFileSync(join(folder(), 'own.yaml'), 'appId: com.example.seen\n---\n- launchApp\n')
  const { code, stdout } = await runCliHere(['test', 'own.yaml', '--simulate'], {
    cwd: folder(),
    env: { HOME: folder() },
  })
  expect(code).toBe(1)
  expect(stdout).toContain('APP_NOT_FOUND')
  expect(stdout).toContain('--simulate=app.json')
  expect(stdout).not.toMatch(/(?:GET|POST|DELETE) \//)
})
