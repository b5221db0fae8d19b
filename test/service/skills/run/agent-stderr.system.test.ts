/** The stderr of an agent-driven child: a pipe of its own beside the pseudo-terminal; all else of the child stays as it is. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CAPTURE_BYTES } from '../../../../src/contracts/limits/limits.ts'
import type { LiveOutput } from '../../../../src/service/skills/run/request.ts'
import { openStderrPipe } from '../../../../src/service/skills/run/stderr-pipe.ts'
import { needsPty } from '../../../support/cli/pty.ts'
import { startCli } from '../../../support/cli/run-cli.ts'
import { killProcess } from '../../../support/kill-process.ts'
import {
  AGENT,
  AGENT_FRAME,
  type AgentRun,
  addAgent,
  agentWorld,
  agentRun as runAgent,
} from '../../../support/skills/agent-run.ts'
import { createSkillLab, frameOf, MARKER } from '../../../support/skills/skill-lab.ts'
import { noBridge } from '../../../support/skills/skill-surfaces.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-skill-agent-stderr-')
const lab = () => createSkillLab(folder())
const agentRun = (codex: string, more: AgentRun = {}, skills = lab()) => runAgent(skills, codex, more)
/** The script itself, without an agent after it. */
const harness = (script: string, more: AgentRun = {}, skills = lab()) =>
  agentRun('', { ...more, files: { 'scripts/run.js': script } }, skills)

const FRAME = JSON.stringify(`${MARKER}\n${JSON.stringify(frameOf())}\n`)

describe.skipIf(!needsPty())('the stderr of an agent', () => {
  test('never enters the judgement of the frame, before or after it', async () => {
    const finished = await agentRun(`
      echo '${MARKER}' >&2
      ${AGENT_FRAME}
      echo 'agent: 3 calls, 1200 tokens' >&2`)
    expect(finished).toMatchObject({
      status: 'success',
      captured: { stderr: `${MARKER}\nagent: 3 calls, 1200 tokens\n` },
    })
    expect(finished.captured?.stdout).toBe(`${MARKER}\n${JSON.stringify(frameOf())}\n`)
  })

  test('is shown as it comes, as stderr', async () => {
    const seen: LiveOutput[] = []
    await agentRun(`echo out; echo err >&2; ${AGENT_FRAME}`, { onOutput: output => seen.push(output) })
    const said = (stream: string) => seen.flatMap(output => (output.stream === stream ? [output.text] : [])).join('')
    expect(said('stderr')).toBe('err\n')
    expect(said('stdout')).toBe('out\n')
  })

  test('is part of the message of a failure', async () => {
    const finished = await agentRun('echo "401 Unauthorized" >&2; exit 2')
    expect(finished.error?.message).toBe(
      'The script of com.lab.do exited with 2. Last line of stderr: 401 Unauthorized',
    )
  })

  test('is decoded across chunks, and kept as it was written', async () => {
    const finished = await harness(`
      const bytes = Buffer.from('äß漢😀\\r\\n\\x1b[0m')
      const { writeSync } = require('node:fs')
      for (const byte of bytes) writeSync(2, Buffer.of(byte))
      process.stdout.write(${FRAME})`)
    expect(finished).toMatchObject({ status: 'success', captured: { stderr: 'äß漢😀\r\n\u001b[0m' } })
  })

  test('can be opened again by its usual name', async () => {
    const finished = await agentRun(`echo first > /dev/stderr; echo second >> /proc/self/fd/2; ${AGENT_FRAME}`)
    expect(finished).toMatchObject({ status: 'success', captured: { stderr: 'first\nsecond\n' } })
  })

  test('is kept to its bound', async () => {
    const finished = await harness(`
      const block = Buffer.alloc(1 << 20, 'x')
      const { writeSync } = require('node:fs')
      const all = block => { for (let at = 0; at < block.length; ) at += writeSync(2, block, at) }
      for (let mib = 0; mib < 40; mib++) all(block)
      all(Buffer.from('last'))
      process.stdout.write(${FRAME})`)
    expect(finished.status).toBe('success')
    const { stderr = '' } = finished.captured ?? {}
    expect(Buffer.byteLength(stderr)).toBeLessThan(CAPTURE_BYTES + 100)
    expect(stderr).toMatch(/bytes dropped\]\nx+last$/)
  })

  test('is read to its end, however suddenly the child ends', async () => {
    const skills = lab()
    const dies = `
      const { writeSync } = require('node:fs')
      for (let at = 0; at < 60; at++) writeSync(2, 'y'.repeat(999) + '\\n')
      writeSync(1, ${FRAME})
      process.kill(process.pid, 'SIGKILL')`
    const finished = await Promise.all(Array.from({ length: 8 }, () => harness(dies, {}, skills)))
    for (const { captured, exit, skillResult } of finished) {
      expect(captured?.stderr).toHaveLength(60_000)
      expect(exit).toEqual({ exitCode: null, signal: 'SIGKILL' })
      expect(skillResult).not.toBeNull()
    }
  })

  test('that something sent away holds open delays the answer by its grace at most', async () => {
    const skills = lab()
    const finished = await agentRun(
      `setsid sh -c 'echo $$ > ${join(skills.root, 'away')}; exec sleep 60 < /dev/null > /dev/null' &
      while [ ! -s ${join(skills.root, 'away')} ]; do sleep 0.02; done
      echo said >&2
      ${AGENT_FRAME}`,
      {},
      skills,
    )
    killProcess(Number(readFileSync(join(skills.root, 'away'), 'utf8')))
    expect(finished).toMatchObject({ status: 'success', captured: { stderr: 'said\n' } })
    expect(finished.durationMs).toBeLessThan(30_000)
  })

  test('has no name any more once the child runs', async () => {
    const finished = await agentRun(`ls -A "$(dirname "$SVC_BIN")"; ${AGENT_FRAME}`)
    expect(finished.captured?.stdout).toMatch(/^svc\n\[Svc/)
  })
})

describe('the pipe', () => {
  test('that cannot be made says why', async () => {
    await expect(openStderrPipe(join(folder(), 'missing', 'stderr'), () => {})).rejects.toThrow(/mkfifo/)
  })

  test('leaves no name behind when nobody opens it', async () => {
    const names = ['ended', 'released'].map(name => join(folder(), name))
    const [ended, released] = await Promise.all(names.map(name => openStderrPipe(name, () => {})))
    ended?.childEnded()
    released?.release()
    released?.release()
    await Promise.all([ended?.closed, released?.closed])
    expect(names.map(existsSync)).toEqual([false, false])
  })
})

describe.skipIf(!needsPty())('the child', () => {
  const TELL = `
    const { readFileSync, openSync } = require('node:fs')
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const [, , group, session, terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').map(Number)
    console.log(JSON.stringify({
      pid: process.pid, group, session, terminal, args: process.argv.slice(2), env: process.env,
      ttys: [process.stdin.isTTY, process.stdout.isTTY, process.stderr.isTTY],
      controls: openSync('/dev/tty') > 2,
    }))
    process.stdout.write(${FRAME})`
  const told = async (more: AgentRun = {}, skills = lab()) => {
    const finished = await harness(TELL, more, skills)
    expect(finished.status).toBe('success')
    const [line = ''] = (finished.captured?.stdout ?? '').split('\n')
    return { runId: finished.runId, skills, said: JSON.parse(line) }
  }

  test('is the process that was started: it leads its session and its group, and the terminal controls it', async () => {
    const { runId, skills, said } = await told()
    const { pid, group, session, terminal, controls, ttys } = said
    const spawned = skills.events(runId).find(({ type }) => type === 'child.spawned')
    expect({ pid, group, session }).toEqual({ pid: spawned?.pid, group: spawned?.pid, session: spawned?.pid })
    expect(terminal).toBeGreaterThan(0)
    expect(controls).toBe(true)
    expect(ttys.map(Boolean)).toEqual([true, true, false])
  })

  test('gets its arguments and its environment as they are', async () => {
    const args = ['a b', `it's "quoted" $HOME \`id\``, 'two\nlines', '', '-c', '--', '*', '漢']
    const env = { 'A.B': 'a "b"\nc', 'C-D': "e'f", EMPTY: '', LINES2: 'x\ny' }
    expect((await told({ args, env })).said).toMatchObject({ args, env })
  })

  test('is hung up with its terminal when svc is killed, and the pipe has no name that could stay', async () => {
    const skills = lab()
    const home = folder()
    const pids = join(home, 'pid')
    writeFileSync(pids, '')
    const bin = addAgent(skills, `echo $$ > ${pids}; while :; do sleep 0.05; done`)
    const running = startCli(['skills', 'run', '--registry', skills.registryPath, 'com.lab.do'], {
      env: { ...noBridge(home), PATH: `${bin}:${process.env.PATH}` },
      cwd: home,
    })
    const names = () => readdirSync(join(home, '.svc/runs'), { recursive: true }).map(path => basename(String(path)))
    await until(() => readFileSync(pids, 'utf8').endsWith('\n'), 'the agent to run')
    // The agent may run before svc has seen that it has the pipe.
    await until(() => !names().includes('stderr'), 'the pipe to lose its name')
    running.child.kill('SIGKILL')
    await running.ended
    const stat = `/proc/${readFileSync(pids, 'utf8').trim()}/stat`
    await until(() => !existsSync(stat) || /\) Z /.test(readFileSync(stat, 'utf8')), 'the agent to be gone')
    expect(names().filter(name => !name.startsWith('svc-run-'))).toEqual(['svc'])
  })

  test('exits with its own code', async () => {
    expect((await harness('process.exit(200)')).exit).toEqual({ exitCode: 200, signal: null })
  })

  test('that cannot be executed failed, and the reason is in the message', async () => {
    const skills = lab()
    addAgent(skills, '')
    const path = skills.add({ files: { 'scripts/run.txt': 'x' }, scripts: ['scripts/run.txt'], skillJson: AGENT })
    chmodSync(join(path, 'scripts/run.txt'), 0o644)
    const finished = await skills.run({ world: agentWorld(skills) })
    expect(finished).toMatchObject({ exit: { exitCode: 126 }, error: { code: 'SKILL_EXECUTION_FAILED' } })
    expect(finished.error?.message).toMatch(/exited with 126\. Last line of stderr: .*Permission denied$/)
  })

  test('may be a script whose name a shell would take apart', async () => {
    const skills = lab()
    addAgent(skills, '')
    const name = `scripts/it's "my" $HOME run.sh`
    const files = { [name]: `#!/bin/sh\n${AGENT_FRAME}\n` }
    skills.add({ files, scripts: [name], skillJson: AGENT })
    expect(await skills.run({ world: agentWorld(skills) })).toMatchObject({ status: 'success' })
  })
})
