/** The scripts of a new skill, run as a runner runs them, before a stand-in for svc. */
import { spawn } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { SKILL_RESULT_MARKER, SkillResultFrame } from '../../../../src/contracts/skills/skill-result.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { validateExecution } from '../../../../src/service/executions/validate.ts'
import { newSkill } from '../../../../src/service/skills/scaffold/new-skill.ts'
import { plainEnv } from '../../../support/run-program.ts'
import { output, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-scripts-')
const ID = 'com.lab.first-look'

const envelope = (more: object = {}) => ({
  envelope: {
    commandId: 'c',
    taskId: 't',
    status: 'success',
    stepResults: [
      {
        id: 'screen',
        actionType: 'snapshot',
        success: true,
        data: { text: '<hierarchy>\n  <node />\n  <node />\n</hierarchy>', foreground_package: 'com.lab' },
      },
    ],
    error: null,
    ...more,
  },
  deviceId: 'd',
})

/** Writes down how it was called, says SVC_FAKE_SAYS, and ends like svc does. */
const FAKE = `
const fs = require('node:fs')
const stdin = fs.readFileSync(0, 'utf8')
fs.writeFileSync(process.env.SVC_FAKE_LOG, JSON.stringify({ argv: process.argv.slice(2), stdin }))
process.stdout.write(process.env.SVC_FAKE_SAYS)
process.exitCode = Number(process.env.SVC_FAKE_EXIT ?? 0)
`

interface Ran {
  code: number | null
  stdout: string
  stderr: string
  frame: SkillResultFrame
}

const run = (program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...plainEnv(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 30_000,
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', chunk => (stdout += String(chunk)))
    child.stderr.on('data', chunk => (stderr += String(chunk)))
    child.on('error', reject)
    child.on('close', code => {
      const lines = stdout.trimEnd().split('\n')
      const parsed = v.safeParse(SkillResultFrame, JSON.parse(lines.at(-1) ?? ''))
      if (!parsed.success || lines.at(-2) !== SKILL_RESULT_MARKER)
        return reject(new Error(`no frame: ${stdout}${stderr}`))
      resolve({ code, stdout, stderr, frame: parsed.output })
    })
  })

let skill = ''
let fakeJs = ''
let fakeProgram = ''
let log = ''
let repo: ReturnType<typeof skillRepo>

beforeAll(async () => {
  repo = skillRepo(folder())
  repo.list([])
  skill = output(
    await newSkill({ skillId: ID, registry: repo.registryPath, cwd: repo.root, home: repo.root, clock: systemClock() }),
  ).skillPath
  fakeJs = repo.write('bin/svc.cjs', FAKE)
  fakeProgram = repo.write('bin with space/svc', `#!/usr/bin/env node\n${FAKE}`)
  chmodSync(fakeProgram, 0o755)
  log = join(repo.root, 'log.json')
})

const says = (answer: unknown, bin = fakeJs): NodeJS.ProcessEnv => ({
  SVC_BIN: bin,
  SVC_FAKE_LOG: log,
  SVC_FAKE_SAYS: typeof answer === 'string' ? answer : JSON.stringify(answer),
})
const js = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  run(process.execPath, [join(skill, 'scripts', 'run.js'), ...args], env)
const called = () => JSON.parse(readFileSync(log, 'utf8')) as { argv: string[]; stdin: string }

describe('run.js', () => {
  test('asks svc for a snapshot with a valid execution, and ends with a valid frame', async () => {
    const { code, frame, stderr } = await js(says(envelope()))
    expect([code, stderr]).toEqual([0, ''])
    expect(frame).toEqual({
      contractVersion: '1.0.0',
      skillId: ID,
      status: 'success',
      result: { kind: 'json', value: { foreground: 'com.lab', isInFront: true, nodes: 2, inputs: [] } },
      checkpoints: [{ id: 'screen', status: 'ok' }],
    })
    expect(called().argv).toEqual(['exec', '-'])
    expect(validateExecution(JSON.parse(called().stdin))).toMatchObject({
      ok: true,
      execution: { taskId: ID, actions: [{ type: 'snapshot' }] },
    })
  })

  test('takes SVC_BIN as a program too, and svc from the path without one', async () => {
    expect((await js(says(envelope(), fakeProgram))).code).toBe(0)
    const { SVC_BIN: _, ...env } = says(envelope())
    const path = `${join(repo.root, 'bin with space')}:${process.env.PATH}`
    expect((await js({ ...env, PATH: path })).code).toBe(0)
  })

  test('hands device and operator on, and keeps the device out of the inputs', async () => {
    const env = { ...says(envelope()), SVC_DEVICE_ID: 'serial; reboot #', SVC_OPERATOR_PACKAGE: 'svc.shell' }
    const { frame } = await js(env, 'serial; reboot #', '--level', '3')
    expect(called().argv).toEqual(['exec', '-', '--device', 'serial; reboot #', '--operator-package', 'svc.shell'])
    expect(frame.result).toMatchObject({ value: { inputs: ['--level', '3'] } })
    const { frame: without } = await js(says(envelope()), 'x')
    expect(without.result).toMatchObject({ value: { inputs: ['x'] } })
  })

  test.each([
    ['a refusal', { code: 'NO_DEVICES', message: 'no device is ready' }, 'NO_DEVICES: no device is ready'],
    [
      'a failed envelope',
      envelope({ status: 'failed', errorCode: 'X_FAILED', error: { code: 'X_FAILED', message: 'it broke' } }),
      'X_FAILED: it broke',
    ],
    ['no JSON', 'Segmentation fault', 'printed no result'],
    ['nothing', '', 'printed no result'],
    ['a snapshot without text', envelope({ stepResults: [{ id: 'screen', data: {} }] }), 'undefined'],
  ])('fails with a valid frame on %s', async (_, answer, warning) => {
    const { code, frame } = await js({ ...says(answer), SVC_FAKE_EXIT: '1' })
    expect(code).toBe(1)
    expect(frame).toMatchObject({ skillId: ID, status: 'failed', result: null })
    expect(frame.diagnostics?.warnings?.[0]).toContain(warning)
  })

  test('fails with a valid frame when there is no svc', async () => {
    for (const bin of ['/nowhere/svc', '/nowhere/svc.js', repo.root]) {
      const { code, frame } = await js(says('', bin))
      expect([code, frame.status]).toEqual([1, 'failed'])
    }
  })

  test('reads an answer of many megabytes', async () => {
    const text = `<hierarchy>${'<node />'.repeat(400_000)}</hierarchy>`
    const data = { text, foreground_package: 'com.lab' }
    const answer = repo.write(
      'answer.json',
      envelope({ stepResults: [{ id: 'screen', actionType: 'snapshot', success: true, data }] }),
    )
    const big = repo.write(
      'bin/big.js',
      `process.stdout.write(require('node:fs').readFileSync(${JSON.stringify(answer)}))`,
    )
    expect((await js(says('', big))).frame.result).toMatchObject({ value: { nodes: 400_000 } })
  })

  test.each(['module', 'commonjs'])('loads below a package.json of type %s', async type => {
    repo.write('package.json', { type })
    const { code, stderr } = await js(says(envelope()))
    expect([code, stderr]).toEqual([0, ''])
  })
})

describe('run.sh', () => {
  test('does the same, started on its own, its arguments as they are', async () => {
    const script = join(skill, 'scripts', 'run.sh')
    const { code, frame } = await run(script, ['in put', '$(x)'], says(envelope()))
    expect([code, frame.status]).toEqual([0, 'success'])
    expect(frame.result).toMatchObject({ value: { inputs: ['in put', '$(x)'] } })
    expect((await run(script, [], says('broken'))).code).toBe(1)
  })
})
