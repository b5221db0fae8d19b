/** What left the process group of a run for a session of its own ends with a run that is ended, and stays after one that ended by itself. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { SKILL_KILL_GRACE_MS } from '../../../../src/contracts/limits/limits.ts'
import { markedFinder } from '../../../../src/runtime/processes/process-list.ts'
import { startOf } from '../../../../src/runtime/processes/processes.ts'
import { runAnswer } from '../../../../src/service/skills/run/run-answer.ts'
import { jumpingClock } from '../../../support/jumping-clock.ts'
import { killProcess } from '../../../support/kill-process.ts'
import { createSkillLab, whenSaid } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-skill-escaped-')
const hasProc = existsSync('/proc/self/environ')

const isThere = (pid: number) => startOf(pid) !== undefined
const pidIn = (path: string) => (existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0)

/** Script text: a process in a session of its own, which writes its pid and says that it is there. */
const away = (pids: string, script = 'exec sleep 60') =>
  `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(`echo $$ > ${pids}.new; mv ${pids}.new ${pids}; ${script}`)}], { detached: true, stdio: 'ignore' }).unref()`

const STAYS = 'setInterval(() => {}, 1e3)'
const SAYS_BEGUN = (pids: string) =>
  `const timer = setInterval(() => { if (require('node:fs').existsSync(${JSON.stringify(pids)})) { console.log('begun'); clearInterval(timer) } }, 10)`
const IGNORES = `trap '' TERM INT HUP; while :; do sleep 0.05; done`

/** A run that is past its deadline as soon as what it sent away is there. */
const pastDeadline = async (script: (pids: string) => string) => {
  const clock = jumpingClock()
  const skills = createSkillLab(folder(), { clock })
  const pids = join(skills.root, 'pid')
  const onOutput = whenSaid('begun', () => clock.jump(60_000))
  const text = `${script(pids)}\n${SAYS_BEGUN(pids)}\n${STAYS}`
  const finished = await skills.js(text, { timeoutMs: 60_000, onOutput, system: { startOf } })
  return { finished, pid: pidIn(pids) }
}

describe.skipIf(!hasProc).concurrent('at the timeout', () => {
  test('a process in a session of its own is asked to end', async () => {
    const { finished, pid } = await pastDeadline(pids => away(pids))
    expect(finished.error).toMatchObject({ code: 'SKILL_EXECUTION_TIMEOUT' })
    expect(finished.error).not.toHaveProperty('details')
    expect([pid > 0, isThere(pid)]).toEqual([true, false])
  })

  test('one that was forked twice, too', async () => {
    const { pid } = await pastDeadline(
      pids =>
        `require('node:child_process').execFileSync('sh', ['-c', ${JSON.stringify(`(setsid sh -c 'echo $$ > ${pids}; exec sleep 60' >/dev/null 2>&1 &)`)}])`,
    )
    expect([pid > 0, isThere(pid)]).toEqual([true, false])
  })

  test('one that ignores that is killed after the grace', async () => {
    const clock = jumpingClock()
    const skills = createSkillLab(folder(), { clock })
    const pids = join(skills.root, 'pid')
    // The script itself ends when it is asked to: the grace is for what it sent away.
    const text = `${away(pids, IGNORES)}\n${SAYS_BEGUN(pids)}\n${STAYS}`
    const begun = clock.elapsed()
    const onOutput = whenSaid('begun', () => clock.jump(60_000))
    const finished = await skills.js(text, { timeoutMs: 60_000, onOutput, system: { startOf } })
    expect(finished).toMatchObject({ error: { code: 'SKILL_EXECUTION_TIMEOUT' }, exit: { signal: 'SIGTERM' } })
    expect(clock.elapsed() - begun).toBeGreaterThan(60_000 + SKILL_KILL_GRACE_MS - 100)
    expect(isThere(pidIn(pids))).toBe(false)
  })

  test('one that cannot be ended is named, and that is not another shape', async () => {
    const clock = jumpingClock()
    const skills = createSkillLab(folder(), { clock })
    /** Larger than any pid: nothing can be hit by mistake. */
    const nobody = 2 ** 22 + 1
    const markedFinder = () => () => [{ pid: nobody, group: nobody }]
    const onOutput = whenSaid('begun', () => clock.jump(60_000))
    const finished = await skills.sh('echo begun; exec sleep 60', {
      timeoutMs: 60_000,
      onOutput,
      system: { markedFinder },
    })
    const said = {
      code: 'SKILL_EXECUTION_TIMEOUT',
      message: expect.stringMatching(/60000 ms\. .*could not be ended: 4194305\.$/),
      details: { survivors: [nobody] },
      stdout: 'begun\n',
    }
    expect(runAnswer(finished)).toMatchObject({ status: 400, body: { ok: false, error: said } })
  })
})

test.skipIf(!hasProc).concurrent.each(['SIGINT', 'SIGTERM'])('a run that is cancelled by %s ends it', async signal => {
  const skills = createSkillLab(folder())
  const pids = join(skills.root, 'pid')
  const cancel = new AbortController()
  const onOutput = whenSaid('begun', () => cancel.abort(signal))
  const text = `${away(pids, IGNORES)}\n${SAYS_BEGUN(pids)}\n${STAYS}`
  const finished = await skills.js(text, { cancel: cancel.signal, onOutput, system: { startOf } })
  expect(finished).toMatchObject({ status: 'failed', cancelledBy: signal })
  expect([pidIn(pids) > 0, isThere(pidIn(pids))]).toEqual([true, false])
})

test.skipIf(!hasProc).concurrent('a host that stops ends it', async () => {
  const skills = createSkillLab(folder())
  const pids = join(skills.root, 'pid')
  const running = skills.js(`${away(pids, IGNORES)}\n${STAYS}`, { system: { startOf } })
  await until(() => pidIn(pids) > 0, 'the process')
  await skills.host.stop({ graceMs: 0 })
  expect((await running).error).toMatchObject({ message: expect.stringContaining('interrupted') })
  expect(isThere(pidIn(pids))).toBe(false)
})

test.concurrent('after a script that ended by itself, failed or not, it is left alone', async () => {
  for (const code of [0, 3]) {
    const skills = createSkillLab(folder())
    const pids = join(skills.root, 'pid')
    const text = `${away(pids)}\n${SAYS_BEGUN(pids)}; process.on('exit', () => { process.exitCode = ${code} })`
    const finished = await skills.js(text, { system: { startOf } })
    expect(finished.exit).toEqual({ exitCode: code, signal: null })
    const pid = pidIn(pids)
    expect(isThere(pid)).toBe(true)
    killProcess(pid)
  }
})

describe.skipIf(!hasProc)('which processes are of a run', () => {
  const children: ChildProcess[] = []
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
  const ID = 'run-1'
  const started = () => startOf(process.pid) ?? ''
  const start = async (env: Record<string, string>, words: readonly string[] = []) => {
    const script = 'echo up; while :; do sleep 1; done'
    const child = spawn('sh', ['-c', script, ...words], { env: { PATH: process.env.PATH, ...env }, detached: true })
    children.push(child)
    await new Promise(resolve => child.stdout?.once('data', resolve))
    return child.pid ?? 0
  }
  const MARK = { name: 'SVC_SKILL_RUN_ID', value: ID }
  const found = (since = started()) => markedFinder(MARK, since)().map(({ pid }) => pid)

  test('those whose variable is that id, from its first character to its last', async () => {
    const pid = await start({ SVC_SKILL_RUN_ID: ID })
    await start({ SVC_SKILL_RUN_ID: `${ID}2` })
    await start({ SVC_SKILL_RUN_ID: `x${ID}` })
    await start({ OTHER_SVC_SKILL_RUN_ID: ID })
    await start({ TEXT: `SVC_SKILL_RUN_ID=${ID}` })
    // What it starts itself carries the variable as well.
    const own = found().filter(each => children.some(child => child.pid === each))
    expect(own).toEqual([pid])
  })

  test('none that is older than the child of the run, and none after another boot', async () => {
    const pid = await start({ SVC_SKILL_RUN_ID: ID })
    expect(found(startOf(pid) ?? '')).toContain(pid)
    const [boot, ticks] = (startOf(pid) ?? '').split(':')
    expect(found(`${boot}:${Number(ticks) + 1_000_000}`)).toEqual([])
    expect(found(`another-boot:${ticks}`)).toEqual([])
    expect(found('')).toEqual([])
  })

  test('also one that starts, or ends, after the first look', async () => {
    const find = markedFinder(MARK, started())
    const pids = () => find().map(({ pid }) => pid)
    const first = await start({ SVC_SKILL_RUN_ID: ID })
    expect(pids()).toContain(first)
    const second = await start({ SVC_SKILL_RUN_ID: ID })
    expect(pids()).toEqual(expect.arrayContaining([first, second]))
    killProcess(first)
    await until(() => !pids().includes(first), 'the end of the first')
    expect(pids()).toContain(second)
  })

  test('not the server that adb leaves behind: every program of this host shares it', async () => {
    const pid = await start({ SVC_SKILL_RUN_ID: ID }, ['adb', 'fork-server', 'server'])
    expect(found()).not.toContain(pid)
  })
})
