/** A run while it goes on: what a person sees of it, what a signal does to it, and what the journal keeps of it. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { needsPty } from '../../../support/cli/pty.ts'
import { CLI, startCli } from '../../../support/cli/run-cli.ts'
import { plainEnv, startProgram } from '../../../support/run-program.ts'
import { createSkillLab, MARKER, printFrame } from '../../../support/skills/skill-lab.ts'
import { type Surfaces, startSurfaces } from '../../../support/skills/skill-surfaces.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-skill-live-')
const SKILL = 'com.lab.do'

let lab: ReturnType<typeof createSkillLab>
let surfaces: Surfaces
beforeAll(async () => {
  lab = createSkillLab(folder())
  surfaces = await startSurfaces({ home: folder(), registry: lab.registryPath })
})
afterAll(() => surfaces.close())

const sh = (script: string) => lab.add({ files: { 'scripts/run.sh': `#!/bin/sh\n${script}\n` } })
const js = (script: string) => lab.add({ files: { 'scripts/run.js': script } })
const file = (name: string) => join(lab.root, name)
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
/** The private folders of runs. */
const runFolders = (home = surfaces.env.HOME ?? '') => readdirSync(join(home, '.svc/runs'))
const pidIn = (name: string) => Number(readFileSync(file(name), 'utf8'))

interface History {
  events: { type: string; at: number; event: Record<string, unknown> }[]
}

const historyOf = async (actor: string) => ((await surfaces.get(`/actors/${actor}/history`)).json as History).events

/** A child is known to those who come later from the moment that it is in the journal. */
const isOnRecord = (pid: number): Promise<void> =>
  until(async () => {
    const { actors } = (await surfaces.get('/actors')).json as { actors: { id: string; machine: string }[] }
    for (const { id } of actors.filter(({ machine }) => machine === 'skill-run')) {
      if ((await historyOf(id)).some(({ event }) => event.pid === pid)) return true
    }
    return false
  }, `the child ${pid} to be recorded`)

describe('--output pretty', () => {
  test('shows the output as it comes, holds the frame back, and prints the same JSON', async () => {
    const go = file('go')
    sh(`echo first; echo second >&2; while [ ! -e ${go} ]; do sleep 0.05; done; echo third; ${printFrame()}`)
    const running = surfaces.start(['skills', 'run', '--output', 'pretty', SKILL])
    await until(() => /first\n/.test(running.stderr()) && /second\n/.test(running.stderr()), 'the first lines')
    expect(running.stdout()).toBe('')
    writeFileSync(go, '')
    const { code, stdout, stderr, json } = await running.ended
    expect(code).toBe(0)
    expect(stdout).toBe(`${JSON.stringify(json(), null, 2)}\n`)
    expect(json()).toMatchObject({ status: 'success', skillResult: { skillId: SKILL } })
    expect(stderr).toMatch(/^Skill com\.lab\.do, run [0-9a-f-]{36}\n/)
    expect(stderr).toContain('third\n')
    expect(stderr).not.toContain(MARKER)
  })

  test('shows after all what turned out to be no frame', async () => {
    sh(`echo '${MARKER}'; echo '{'`)
    const { stderr } = await surfaces.cli(['skills', 'run', '--output', 'pretty', SKILL])
    expect(stderr).toContain(`${MARKER}\n{\n`)
  })

  test('JSON says nothing beside the result', async () => {
    sh('echo first; echo second >&2')
    expect(await surfaces.cli(['skills', 'run', SKILL])).toMatchObject({ code: 0, stderr: '' })
    expect(await surfaces.cli(['skills', 'run', '--output', 'pretty', '--json', SKILL])).toMatchObject({ stderr: '' })
  })
})

describe('--output text', () => {
  test('shows stderr as it comes, prints stdout at the end, and nothing of it controls the terminal', async () => {
    sh(`printf 'level: 87 %%\\033[2J\\n'; printf 'careful\\033]0;x\\007\\n' >&2`)
    const { code, stdout, stderr } = await surfaces.cli(['skills', 'run', '--output', 'text', SKILL])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^level: 87 %\\e\[2J\n✓ com\.lab\.do succeeded in .+\.\n$/)
    expect(stderr).toMatch(/^Skill com\.lab\.do, run [0-9a-f-]{36}\ncareful\\e\]0;x\\x07\n$/)
  })

  test('a run that fails is told on stderr, and stdout stays empty', async () => {
    sh('echo before; exit 3')
    const { code, stdout, stderr } = await surfaces.cli(['skills', 'run', '--output', 'text', SKILL])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/\n✗ SKILL_EXECUTION_FAILED: /)
    expect(stderr).toMatch(/\n {2}Exit code {2}3\n/)
    expect(stderr).toMatch(/\n {2}Output:\n {4}before\n$/)
  })

  test('commands of the script answer with JSON, whatever its caller prefers', async () => {
    sh('"$SVC_BIN" executions list --limit 1')
    const { stdout } = await runCliHere(['skills', 'run', SKILL], { env: { ...surfaces.env, SVC_OUTPUT: 'text' } })
    expect(stdout).toMatch(/^\{"executions":\[/)
  })
})

describe('a signal to svc', () => {
  test.each([
    ['SIGINT', 'INT', 130],
    ['SIGTERM', 'TERM', 143],
    ['SIGHUP', 'TERM', 129],
  ] as const)('%s reaches the whole group, and svc says how it ended', async (signal, name, code) => {
    const own = (who: string) =>
      `process.on('SIG${name}', () => { console.log('${who} got ${name}'); process.exit(0) }); setInterval(() => {}, 1e3)`
    const child = `${own('child')}; require('node:fs').writeFileSync('${file('child')}', process.pid + '\\n')`
    js(`
      ${own('script')}
      require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })`)
    writeFileSync(file('child'), '')
    const running = surfaces.start(['skills', 'run', SKILL])
    await until(() => readFileSync(file('child'), 'utf8').endsWith('\n'), 'the children to run')
    running.child.kill(signal)
    // Shells pass a hang-up on that the kernel has sent already.
    if (signal === 'SIGHUP') running.child.kill(signal)
    const ended = await running.ended
    expect(ended.code).toBe(code)
    const outcome = ended.json<{ stdout: string }>()
    expect(outcome).toMatchObject({
      status: 'failed',
      code: 'SKILL_EXECUTION_FAILED',
      message: expect.stringContaining(`cancelled by ${signal}`),
    })
    expect(outcome.stdout).toContain(`script got ${name}\n`)
    expect(outcome.stdout).toContain(`child got ${name}\n`)
    await until(() => !isRunning(pidIn('child')), 'the group to be gone')
  })

  test('who ignores it is killed', async () => {
    sh(`trap '' INT TERM; echo $$ > ${file('deaf')}; while :; do sleep 0.05; done`)
    writeFileSync(file('deaf'), '')
    const running = surfaces.start(['skills', 'run', SKILL])
    await until(() => readFileSync(file('deaf'), 'utf8').endsWith('\n'), 'the child to run')
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130 })
    await until(() => !isRunning(pidIn('deaf')), 'the child to be gone')
  })

  test.skipIf(!needsPty())(
    'its terminal is closed: the run is ended and on record, and svc does not crash',
    async () => {
      sh(
        `trap 'echo > ${file('asked')}; exit 0' TERM; echo $$ > ${file('watched')}; while :; do echo tick; sleep 0.05; done`,
      )
      for (const name of ['asked', 'watched', 'code']) writeFileSync(file(name), '')
      const line = `'${process.execPath}' '${CLI}' skills run --output pretty ${SKILL}; echo $? > ${file('code')}`
      const env = { ...plainEnv(), SVC_NO_DAEMON: '1', ...surfaces.env }
      const { child: terminal } = startProgram('terminal', [line, folder()], env)
      let shown = ''
      terminal.stdout?.on('data', chunk => {
        shown += chunk
      })
      await until(() => shown.includes('tick'), 'the script to show something')
      terminal.kill('SIGKILL')
      await until(() => readFileSync(file('code'), 'utf8').endsWith('\n'), 'svc to end')
      expect([readFileSync(file('code'), 'utf8'), readFileSync(file('asked'), 'utf8')]).toEqual(['129\n', '\n'])
      expect(isRunning(pidIn('watched'))).toBe(false)
      expect(runFolders()).toEqual([])
      const [, runId = ''] = /run ([0-9a-f-]{36})/.exec(shown) ?? []
      expect((await historyOf(`skill-run:${runId}`)).at(-1)?.type).toBe('child.exited')
    },
  )

  test('a second one ends svc at once, and leaves nothing behind', async () => {
    sh(`trap 'echo > ${file('asked')}' INT; echo $$ > ${file('stubborn')}; while :; do sleep 0.05; done`)
    for (const name of ['asked', 'stubborn']) writeFileSync(file(name), '')
    // A home of its own: the server of another would end the orphan.
    const home = join(folder(), 'alone')
    const running = startCli(['skills', 'run', SKILL], { env: { ...surfaces.env, HOME: home }, cwd: folder() })
    await until(() => readFileSync(file('stubborn'), 'utf8').endsWith('\n'), 'the child to run')
    running.child.kill('SIGINT')
    await until(() => readFileSync(file('asked'), 'utf8').endsWith('\n'), 'the child to be asked')
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({ signal: 'SIGINT', stdout: '' })
    expect(runFolders(home)).toEqual([])
    await until(() => !isRunning(pidIn('stubborn')), 'the child to be gone')
  })

  test('what a killed svc leaves behind, the next run ends and removes', async () => {
    sh(`echo $$ > ${file('left')}; while :; do sleep 0.05; done`)
    writeFileSync(file('left'), '')
    const running = surfaces.start(['skills', 'run', SKILL])
    await until(() => readFileSync(file('left'), 'utf8').endsWith('\n'), 'the child to run')
    await isOnRecord(pidIn('left'))
    running.child.kill('SIGKILL')
    await running.ended
    expect(isRunning(pidIn('left'))).toBe(true)
    expect(runFolders()).toHaveLength(1)
    sh('echo next')
    expect(await surfaces.cli(['skills', 'run', SKILL])).toMatchObject({ code: 0 })
    await until(() => !isRunning(pidIn('left')), 'the orphan to be gone')
    expect(runFolders()).toEqual([])
  })
})

test('the journal keeps what was asked, what ran, and what it came to', async () => {
  const made = sh('echo said; exit 4')
  const { stderr } = await surfaces.cli(['skills', 'run', '--log-level', 'info', SKILL, 'a', '--b'])
  const [, runId = ''] = /run ([0-9a-f-]{36})/.exec(stderr) ?? []
  const script = join(made, 'scripts/run.sh')
  const events = await historyOf(`skill-run:${runId}`)
  const of = (type: string) => events.find(each => each.type === type)?.event
  expect(events.map(({ type }) => type)).toEqual([
    'actor.created',
    'run.requested',
    'run.cleared',
    'child.spawned',
    'child.exited',
  ])
  expect(of('run.requested')).toMatchObject({ skillId: SKILL, argv: ['a', '--b'], timeoutMs: null })
  const digest = createHash('sha256').update(readFileSync(script)).digest('hex')
  expect(of('run.cleared')).toMatchObject({ script, digest, argv: [script, 'a', '--b'] })
  expect(of('child.exited')).toMatchObject({ exitCode: 4, signal: null, frame: 'none' })
  expect((await surfaces.get(`/actors/skill-run:${runId}`)).json).toMatchObject({ actor: { state: 'failed' } })
})

test('its transitions are seen while they happen', async () => {
  sh('echo done')
  const watching = surfaces.start(['watch', '--machine', 'skill-run', '--after', '0', '--json'])
  const answer = await surfaces.post(`/skills/${SKILL}/run`, {})
  const actor = `skill-run:${answer.headers['svc-skill-run']}`
  const lines = () =>
    watching
      .stdout()
      .split('\n')
      .filter(line => line.includes(actor))
  await until(() => lines().length >= 5, 'five transitions')
  watching.child.kill('SIGTERM')
  await watching.ended
  expect(lines().map(line => JSON.parse(line).to)).toEqual([
    'requested',
    'active.gating',
    'active.spawned.running',
    'active.spawned.running',
    'succeeded',
  ])
})
