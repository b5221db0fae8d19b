/** A new skill, as it is, before the real svc and a simulated device. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SKILL_RESULT_MARKER } from '../../../../src/contracts/skills/skill-result.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { newSkill } from '../../../../src/service/skills/scaffold/new-skill.ts'
import { CLI } from '../../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'
import { plainEnv } from '../../../support/run-program.ts'
import { output, skillRepo } from '../../../support/skills/skill-repo.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.close())

test('the scaffold runs on a device and says what it saw', async () => {
  const repo = skillRepo(lab.home)
  repo.list([])
  const { skillPath } = output(
    await newSkill({
      skillId: 'com.android.settings.look',
      registry: repo.registryPath,
      cwd: repo.root,
      home: repo.root,
      clock: systemClock(),
    }),
  )
  const serial = lab.fleet.devices[0]?.serial ?? ''
  const env = {
    ...plainEnv(),
    HOME: lab.home,
    SVC_TCP_DEVICES: serial,
    SVC_DEVICE_ID: serial,
    SVC_BIN: CLI,
    SVC_NO_DAEMON: '1',
  }
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve, reject) => {
    const options = { env, timeout: 50_000 }
    execFile(process.execPath, [join(skillPath, 'scripts', 'run.js'), serial], options, (error, out, err) =>
      error ? reject(new Error(`${error.message}${out}`)) : resolve({ stdout: out, stderr: err }),
    )
  })
  const [marker, frame] = stdout.trimEnd().split('\n')
  expect([marker, stderr]).toEqual([SKILL_RESULT_MARKER, ''])
  expect(JSON.parse(frame ?? '')).toMatchObject({
    skillId: 'com.android.settings.look',
    status: 'success',
    result: { kind: 'json', value: { foreground: expect.stringContaining('.'), isInFront: false, inputs: [] } },
    checkpoints: [{ id: 'screen', status: 'ok' }],
  })
  expect(JSON.parse(frame ?? '').result.value.nodes).toBeGreaterThan(1)
})
