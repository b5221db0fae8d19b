/** Orchestrated skills: a harness on a pseudo-terminal that runs an agent CLI named `codex`. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needsPty, openTestPty } from '../../../support/cli/pty.ts'
import { jumpingClock } from '../../../support/jumping-clock.ts'
import { AGENT_FRAME, type AgentRun, HARNESS, agentRun as runAgent } from '../../../support/skills/agent-run.ts'
import { createSkillLab, frameOf, MARKER, whenSaid } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'
import { wait } from '../../../support/until.ts'

const folder = temporary('svc-skill-agents-')
const lab = () => createSkillLab(folder())
const agentRun = (codex: string, more: AgentRun = {}, skills = lab()) => runAgent(skills, codex, more)

describe.skipIf(!needsPty())('an agent', () => {
  test('that ends with a frame succeeds, and the source names it', async () => {
    const finished = await agentRun(AGENT_FRAME)
    expect(finished).toMatchObject({
      status: 'success',
      skillResult: { source: { kind: 'agent', agentCli: 'codex' } },
      exit: { exitCode: 0 },
    })
  })

  test('that ends without one failed', async () => {
    const finished = await agentRun('echo I am done')
    expect(finished.error).toMatchObject({
      code: 'SKILL_RESULT_PARSE_FAILED',
      message: expect.stringContaining('without the terminal frame'),
    })
    expect(finished.captured).toEqual({ stdout: 'I am done\n', stderr: '' })
  })

  test('that exits non-zero, or is killed, failed for that', async () => {
    expect(await agentRun('echo no; exit 7')).toMatchObject({
      error: { code: 'SKILL_EXECUTION_FAILED' },
      exit: { exitCode: 7, signal: null },
    })
    const files = { 'scripts/run.js': 'process.kill(process.pid, "SIGSEGV")' }
    expect(await agentRun('', { files })).toMatchObject({
      error: { code: 'SKILL_EXECUTION_FAILED' },
      exit: { exitCode: null, signal: 'SIGSEGV' },
    })
  })

  test('has a terminal for stdin and stdout, and its escape codes are not text', async () => {
    const finished = await agentRun(`
      test -t 0 && test -t 1 && ! test -t 2 && echo "on a terminal"
      printf '\\033[1;32mgreen\\033[0m 10%%\\r20%%\\n\\033]0;title\\007'
      printf '\\033[2K'
      ${AGENT_FRAME}
      printf '\\033[0m'`)
    expect(finished).toMatchObject({ status: 'success' })
    expect(finished.captured?.stdout).toMatch(/^on a terminal\ngreen 10%20%\n\[Svc-Skill-Result\]\n\{.*\}\n$/)
  })

  test('a frame longer than any terminal is wide arrives as one line', async () => {
    const text = '漢'.repeat(20_000)
    const frame = JSON.stringify(frameOf({ result: { kind: 'text', text } }))
    const files = { 'scripts/run.js': `console.log(${JSON.stringify(`${MARKER}\n${frame}`)})` }
    expect(await agentRun('', { files })).toMatchObject({ status: 'success', skillResult: { result: { text } } })
  })

  test('a frame that its program pretty-prints in colours and breaks at the edge of the terminal', async () => {
    const text = 'a"b'.repeat(4_000)
    const lines = JSON.stringify(frameOf({ result: { kind: 'text', text } }), null, 2).replace(/.{4096}/g, '$&\n')
    const output = `\u001b[2K${MARKER}\u001b[0m\n\u001b[32m${lines}\u001b[0m\n`
    const files = { 'scripts/run.js': `console.log(${JSON.stringify(output)})` }
    expect(await agentRun('', { files })).toMatchObject({ status: 'success', skillResult: { result: { text } } })
  })

  test('the end of its output is never lost, however suddenly it exits', async () => {
    const skills = lab()
    const output = `${'x'.repeat(60_000)}\n${MARKER}\n${JSON.stringify(frameOf())}\n`
    const files = { 'scripts/run.js': `console.log(${JSON.stringify(output)}); process.exit(0)` }
    await agentRun('', { files }, skills)
    const finished = await Promise.all(Array.from({ length: 8 }, () => agentRun('', { files }, skills)))
    expect(finished.map(({ status }) => status)).toEqual(finished.map(() => 'success'))
  })

  test('gets the device as every script does, and all it needs to know', async () => {
    const skills = lab()
    const finished = await agentRun(
      'echo "args=$*"; env | grep ^SVC_ | grep -Ev "^SVC_(TEST_|CACHE_DIR)" | LC_ALL=C sort',
      { args: ['--level', 'a b'], deviceId: 'd1', timeoutMs: 20_000, env: { SVC_DEVICE_ID: 'old' } },
      skills,
    )
    const skill = join(skills.root, 'skills', 'com.lab.do')
    expect(finished.captured?.stdout.trim().split('\n')).toEqual([
      `args=${skill}/SKILL.md d1 --level a b`,
      expect.stringMatching(/^SVC_BIN=\/.*\/svc$/),
      'SVC_DEVICE_ID=d1',
      'SVC_OPERATOR_PACKAGE=com.svc.operator',
      `SVC_SKILLS_REGISTRY=${skills.registryPath}`,
      'SVC_SKILL_AGENT_CLI=codex',
      `SVC_SKILL_AGENT_CLI_PATH=${skills.root}/bin/codex`,
      'SVC_SKILL_AGENT_TIMEOUT_MS=20000',
      'SVC_SKILL_ID=com.lab.do',
      'SVC_SKILL_INPUTS=["--level","a b"]',
      `SVC_SKILL_PROGRAM=${skill}/SKILL.md`,
      `SVC_SKILL_RUN_ID=${finished.runId}`,
    ])
  })

  test('ends at the timeout of its own block when the caller names none', async () => {
    const clock = jumpingClock()
    const finished = await agentRun(
      'echo begun; exec sleep 60',
      { agent: { timeoutMs: 300_000 }, onOutput: whenSaid('begun', () => clock.jump(300_000)) },
      createSkillLab(folder(), { clock }),
    )
    expect(finished).toMatchObject({
      error: { code: 'SKILL_EXECUTION_TIMEOUT', message: expect.stringContaining('300000 ms') },
      timeoutMs: 300_000,
      captured: { stdout: 'begun\n' },
    })
  })

  test('that ignores SIGTERM and the hang-up of its terminal is killed', async () => {
    const clock = jumpingClock()
    const script = `
      process.on('SIGHUP', () => {}).on('SIGTERM', () => console.log('asked'))
      console.log('begun')
      setInterval(() => {}, 1e3)`
    const begun = whenSaid('begun', () => clock.jump(60_000))
    const asked = whenSaid('asked', () => clock.jump(3_000))
    const finished = await agentRun(
      '',
      {
        timeoutMs: 60_000,
        files: { 'scripts/run.js': script },
        onOutput: output => {
          begun?.(output)
          asked?.(output)
        },
      },
      createSkillLab(folder(), { clock }),
    )
    expect(finished).toMatchObject({ error: { code: 'SKILL_EXECUTION_TIMEOUT' }, exit: { signal: 'SIGKILL' } })
  })

  test('whose timeout passes before its terminal is there is asked to end as soon as it runs', async () => {
    const clock = jumpingClock()
    const openPty = async () => {
      clock.jump(60_000)
      await wait(50)
      return openTestPty()
    }
    const finished = await agentRun(
      '',
      { timeoutMs: 60_000, files: { 'scripts/run.js': 'setInterval(() => {}, 1e3)' }, openPty },
      createSkillLab(folder(), { clock }),
    )
    expect(finished).toMatchObject({ error: { code: 'SKILL_EXECUTION_TIMEOUT' }, exit: { signal: 'SIGTERM' } })
  })

  test('is found inside its skill, or by the name that the environment gives', async () => {
    const own = await agentRun('exit 9', {
      agent: { cli: 'house-cli', cliPath: 'bin/agent' },
      files: { 'bin/agent': `#!/bin/sh\n${AGENT_FRAME}\n` },
    })
    expect(own).toMatchObject({ status: 'success', skillResult: { source: { agentCli: 'house-cli' } } })
    const named = await agentRun(AGENT_FRAME, { agent: { cli: 'unknown' }, env: { SVC_SKILL_AGENT_CLI: 'other-cli' } })
    expect(named).toMatchObject({ status: 'success', skillResult: { source: { agentCli: 'other-cli' } } })
  })
})

describe('an agent CLI that is not available is found out before anything is spawned', () => {
  test.each<[string, AgentRun, string]>([
    ['not on the PATH', { env: { PATH: '/nowhere:' } }, 'not on the PATH'],
    ['no PATH', { env: { PATH: '' } }, 'not on the PATH'],
    ['another CLI', { agent: { cli: 'other-cli' } }, 'not supported'],
    ['a path as its name', { env: { SVC_SKILL_AGENT_CLI: '/bin/sh' } }, 'not a plain program name'],
    ['a name that is a folder', { env: { SVC_SKILL_AGENT_CLI: '..' } }, 'not a plain program name'],
    ['outside of the skill', { agent: { cliPath: '../../bin/codex' } }, 'leads out of'],
    ['absolute', { agent: { cliPath: '/bin/sh' } }, 'absolute'],
    ['missing in the skill', { agent: { cliPath: 'bin/agent' } }, 'does not exist'],
    ['not executable', { agent: { cliPath: 'SKILL.md' } }, 'not executable'],
    ['a directory', { agent: { cliPath: 'scripts' } }, 'directory'],
  ])('%s', async (_name, more, said) => {
    const skills = lab()
    const finished = await agentRun(AGENT_FRAME, more, skills)
    expect(finished.error).toMatchObject({
      code: 'SKILL_AGENT_CLI_UNAVAILABLE',
      message: expect.stringContaining(said),
      details: { skillId: 'com.lab.do' },
    })
    expect(skills.events(finished.runId).map(({ type }) => type)).not.toContain('run.cleared')
  })

  test('a link that leads out of the skill', async () => {
    const skills = lab()
    const path = skills.add({
      files: { 'scripts/run.js': HARNESS },
      skillJson: { agent: { cli: 'codex', cliPath: 'sh' } },
    })
    symlinkSync('/bin/sh', join(path, 'sh'))
    expect((await skills.run()).error?.code).toBe('SKILL_AGENT_CLI_UNAVAILABLE')
  })
})

test('without pseudo-terminals an agent cannot be started, and that is said', async () => {
  const skills = lab()
  const openPty = async () => {
    throw new Error('no pseudo-terminals here')
  }
  const files = { 'scripts/run.js': HARNESS, 'bin/agent': '#!/bin/sh\n' }
  skills.add({ files, scripts: ['scripts/run.js'], skillJson: { agent: { cli: 'x', cliPath: 'bin/agent' } } })
  expect((await skills.run({ system: { openPty } })).error).toMatchObject({
    code: 'SKILL_EXECUTION_FAILED',
    message: expect.stringContaining('no pseudo-terminals here'),
  })
})
