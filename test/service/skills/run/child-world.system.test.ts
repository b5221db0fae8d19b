/** Environment, arguments, streams and working directory of a script's child. */
import { realpathSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { plainEnv } from '../../../support/run-program.ts'
import { createSkillLab, type LabRun } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-worlds-')
const lab = () => createSkillLab(folder())

const TELL = `
  const { SVC_BIN, SVC_OPERATOR_PACKAGE, SVC_SKILL_RUN_ID, SVC_DEVICE_ID, SVC_SKILL_ID, CUSTOM, PATH } = process.env
  const env = { SVC_BIN, SVC_OPERATOR_PACKAGE, SVC_SKILL_RUN_ID, SVC_DEVICE_ID, SVC_SKILL_ID, CUSTOM, PATH }
  const input = require('node:fs').readFileSync(0, 'utf8')
  const group = require('node:fs').readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[2]
  console.log(JSON.stringify({ args: process.argv.slice(2), env, input, node: process.execPath, cwd: process.cwd(), leads: Number(group) === process.pid }))
`

const told = async (more: LabRun = {}, skills = lab()) => {
  const finished = await skills.js(TELL, more)
  return { runId: finished.runId, ...JSON.parse(finished.captured?.stdout ?? '') }
}

const PATH = plainEnv().PATH ?? ''
const env = { ...plainEnv(), PATH, CUSTOM: 'kept', SVC_DEVICE_ID: 'inherited', SVC_BIN: 'old', SVC_SKILL_RUN_ID: 'old' }

describe('a script', () => {
  test('without a device: no argument, and an inherited device is cleared', async () => {
    const { runId, ...rest } = await told({ args: ['a', '--b=c', '', ' d '], world: { env } })
    expect(rest).toMatchObject({
      args: ['a', '--b=c', '', ' d '],
      env: {
        SVC_BIN: expect.stringMatching(/\/svc$/),
        SVC_OPERATOR_PACKAGE: 'com.svc.operator',
        SVC_SKILL_RUN_ID: runId,
        CUSTOM: 'kept',
        PATH,
      },
    })
    expect(rest.env).not.toHaveProperty('SVC_DEVICE_ID')
    expect(rest.env).not.toHaveProperty('SVC_SKILL_ID')
  })

  test('never learns the token of the server', async () => {
    const world = { env: { ...env, SVC_SERVE_TOKEN: 'a-token-of-the-server' } }
    const finished = await lab().js('console.log(JSON.stringify(process.env))', { world })
    expect(finished.captured?.stdout).toContain('"CUSTOM":"kept"')
    expect(finished.captured?.stdout).not.toContain('SVC_SERVE_TOKEN')
  })

  test('with a device: in the environment and as the first argument', async () => {
    expect(await told({ args: ['a'], deviceId: 'd1', operatorPackage: 'svc.shell', world: { env } })).toMatchObject({
      args: ['d1', 'a'],
      env: { SVC_DEVICE_ID: 'd1', SVC_OPERATOR_PACKAGE: 'svc.shell' },
    })
  })

  test('a device with blanks around it is the one that the gate looked at', async () => {
    const { args, env: seen } = await told({ args: ['a'], deviceId: ' d1 ', world: { env } })
    expect(args).toEqual(['d1', 'a'])
    expect(seen.SVC_DEVICE_ID).toBe('d1')
  })

  test('a blank device counts as none', async () => {
    const { args, env: seen } = await told({ args: ['a'], deviceId: '  ', world: { env } })
    expect(args).toEqual(['a'])
    expect(seen).not.toHaveProperty('SVC_DEVICE_ID')
  })

  test('runs with our Node, in the caller’s directory, in a group of its own, without input', async () => {
    const skills = lab()
    expect(await told({}, skills)).toMatchObject({
      node: process.execPath,
      cwd: realpathSync(skills.root),
      leads: true,
      input: '',
    })
  })
})

describe('script choice: .js first, then .sh, then the first listed', () => {
  const files = {
    'scripts/first.py': '#!/bin/sh\necho first\n',
    'scripts/run.sh': '#!/bin/sh\necho sh\n',
    'scripts/run.js': 'console.log("js")',
  }
  test.each([
    [['scripts/first.py', 'scripts/run.sh', 'scripts/run.js'], 'js\n'],
    [['scripts/first.py', 'scripts/run.sh'], 'sh\n'],
    [['scripts/first.py'], 'first\n'],
  ])('%j', async (scripts, stdout) => {
    const skills = lab()
    skills.add({ files, scripts })
    expect(await skills.run()).toMatchObject({ status: 'success', captured: { stdout } })
  })
})

test('the digest is that of the script that ran', async () => {
  const skills = lab()
  const first = await skills.sh('echo 1')
  const again = await skills.sh('echo 1')
  const other = await skills.sh('echo 2')
  const digest = (runId: string) => skills.events(runId).find(({ type }) => type === 'run.cleared')?.digest
  expect(digest(first.runId)).toBe(digest(again.runId))
  expect(digest(first.runId)).not.toBe(digest(other.runId))
})

test('runs at the same time do not mix', async () => {
  const skills = lab()
  skills.add({ files: { 'scripts/run.sh': '#!/bin/sh\nsleep 0.2; echo $1 $SVC_SKILL_RUN_ID\n' } })
  const finished = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(arg => skills.run({ args: [arg] })))
  expect(new Set(finished.map(({ runId }) => runId)).size).toBe(6)
  expect(finished.map(({ captured }) => captured?.stdout)).toEqual(
    finished.map(({ runId }, index) => `${'abcdef'[index]} ${runId}\n`),
  )
})
