/** SVC_BIN of a run: one word that starts svc with what the run needs, whatever environment is left. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { programOf } from '../../../../src/service/skills/run/svc-bin.ts'
import { plainEnv } from '../../../support/run-program.ts'
import { createSkillLab, type LabRun } from '../../../support/skills/skill-lab.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-bins-')

const TELL = 'console.log(JSON.stringify({ args: process.argv.slice(2), env: process.env }))'
const NASTY = `a 'b' "c" $HOME \`d\`\n*e*`

interface Told {
  args: string[]
  env: Record<string, string>
}

/** A stand-in for svc, below a path with blanks and quotes, that tells what it was given. */
const standIn = (text = TELL, name = 'svc.cjs') => {
  const place = join(folder(), `it's an "odd" place`)
  mkdirSync(place, { recursive: true })
  const program = join(place, name)
  writeFileSync(program, text, { mode: 0o755 })
  return program
}

const RUN_ENV = {
  ...plainEnv(),
  PATH: plainEnv().PATH ?? '',
  HOME: `/homes/${NASTY}`,
  SVC_TCP_DEVICES: '127.0.0.1:5555',
  ADB_SERVER_SOCKET: 'localfilesystem:/tmp/adb sock',
  ADB_PATH: NASTY,
  SVC_LEASE_BY: 'adb-serial',
  SVC_JOURNAL: 'off',
  SVC_NO_DAEMON: '1',
  SVC_SERVE_TOKEN: 'a-token-of-the-server',
}

/** Runs a shell script as a skill, in which SVC_BIN starts the stand-in. */
const run = async (script: string, { world, ...more }: LabRun = {}) => {
  const skills = createSkillLab(folder())
  const finished = await skills.sh(script, {
    deviceId: 'phone 1',
    ...more,
    world: { env: RUN_ENV, program: standIn(), home: `/homes/${NASTY}/.svc`, ...world },
  })
  const lines = (finished.captured?.stdout ?? '').trim().split('\n')
  return { skills, finished, lines, told: lines.map(line => (line.startsWith('{') ? JSON.parse(line) : {}) as Told) }
}

const carriedBy = (runId: string) => ({
  SVC_SKILL_RUN_ID: runId,
  SVC_HOME: `/homes/${NASTY}/.svc`,
  HOME: `/homes/${NASTY}`,
  SVC_DEVICE_ID: 'phone 1',
  SVC_OPERATOR_PACKAGE: 'com.svc.operator',
  SVC_TCP_DEVICES: '127.0.0.1:5555',
  ADB_SERVER_SOCKET: 'localfilesystem:/tmp/adb sock',
  ADB_PATH: NASTY,
  SVC_LEASE_BY: 'adb-serial',
  SVC_JOURNAL: 'off',
  SVC_NO_DAEMON: '1',
})

describe('SVC_BIN', () => {
  test('is one word, for spawn and for a shell line, and passes its arguments on as they are', async () => {
    const { told, lines } = await run(
      [
        `$SVC_BIN exec 'a b' '*' "it's" '' ' c'`,
        `sh -c "$SVC_BIN click --text x"`,
        `node -e 'require("node:child_process").spawnSync(process.env.SVC_BIN, ["a b", "$HOME"], { stdio: "inherit" })'`,
        'echo "$SVC_BIN"',
      ].join('\n'),
    )
    expect(told.map(({ args }) => args)).toEqual([
      ['exec', 'a b', '*', "it's", '', ' c'],
      ['click', '--text', 'x'],
      ['a b', '$HOME'],
      undefined,
    ])
    expect(lines.at(-1)).toMatch(/^\/[\w./-]+\/svc$/)
  })

  test.each([
    ['as it is', '$SVC_BIN'],
    ['with PATH only', 'env -i PATH=/usr/bin $SVC_BIN'],
    ['with nothing', 'env -i $SVC_BIN'],
  ])('carries what the run needs in an environment %s', async (_name, line) => {
    const { finished, told } = await run(line)
    expect(told[0]?.env).toMatchObject(carriedBy(finished.runId))
    expect(told[0]?.env).not.toHaveProperty('SVC_SERVE_TOKEN')
  })

  test('finds the programs of the caller first, then those of the run', async () => {
    const { told } = await run('env -i PATH=/mine $SVC_BIN\n$SVC_BIN')
    expect(told.map(({ env }) => env.PATH)).toEqual([`/mine:${RUN_ENV.PATH}`, RUN_ENV.PATH])
  })

  test('keeps the run and its home, and leaves the choice of a device to its caller', async () => {
    const { finished, told } = await run(
      `SVC_SKILL_RUN_ID=other SVC_HOME=/other HOME=/other SVC_DEVICE_ID=mine SVC_TCP_DEVICES= $SVC_BIN`,
    )
    expect(told[0]?.env).toMatchObject({
      ...carriedBy(finished.runId),
      SVC_DEVICE_ID: 'mine',
      SVC_TCP_DEVICES: '',
    })
  })

  test('takes another adb server of its caller whole', async () => {
    const { told } = await run('env -i ANDROID_ADB_SERVER_PORT=6000 $SVC_BIN')
    expect(told[0]?.env.ANDROID_ADB_SERVER_PORT).toBe('6000')
    expect(told[0]?.env).not.toHaveProperty('ADB_SERVER_SOCKET')
  })

  test('ends as svc does, by its exit code or by the signal that it was sent', async () => {
    const exits = standIn('process.exitCode = 7', 'exits.cjs')
    expect((await run('$SVC_BIN; echo $?', { world: { program: exits } })).lines).toEqual(['7'])
    const waits = standIn('console.log("waits"); setInterval(() => {}, 1000)', 'waits.cjs')
    const script =
      '$SVC_BIN > out & while ! grep -q waits out 2>/dev/null; do sleep 0.05; done; kill $!; wait $!; echo $?'
    const cwd = folder()
    expect((await run(script, { world: { program: waits, cwd } })).lines).toEqual([String(128 + 15)])
  })

  test('may be a program of any kind, a relative one, or one on the PATH', async () => {
    const text = '#!/bin/sh\nprintf "%s\\n" "$0" "$@"\n'
    const program = standIn(text, 'house svc')
    expect((await run('$SVC_BIN a', { world: { program } })).lines).toEqual([program, 'a'])
    const cwd = join(program, '..')
    const relative = await run('cd /; $SVC_BIN a', { world: { program: './house svc', cwd } })
    expect(relative.lines).toEqual([program, 'a'])
    const env = { ...RUN_ENV, PATH: `${cwd}:${RUN_ENV.PATH}` }
    expect((await run('env -i $SVC_BIN a', { world: { program: 'house svc', env } })).lines).toEqual([program, 'a'])
  })

  test('of another run is not what the SVC_BIN of a run within it starts', () => {
    const [outer = ''] = [`/home/.svc/runs/svc-run-1-0123456789ab-01a00000-0000-7000-8000-000000000000/svc`]
    expect(programOf({ SVC_BIN: outer }, '/opt/svc.cjs')).toBe('/opt/svc.cjs')
    expect(programOf({ SVC_BIN: ' /mine/svc ' }, '/opt/svc.cjs')).toBe('/mine/svc')
    expect(programOf({ SVC_BIN: ' ' }, '/opt/svc.cjs')).toBe('/opt/svc.cjs')
    expect(programOf({}, undefined)).toBe('svc')
  })
})

describe('the folder of a run', () => {
  test('is private, and gone when the run is over', async () => {
    const { skills, lines } = await run('echo $SVC_BIN; stat -c %a $SVC_BIN $(dirname $SVC_BIN)')
    const [bin = '', ...modes] = lines
    expect(modes).toEqual(['700', '700'])
    expect(existsSync(bin)).toBe(false)
    expect(readdirSync(join(skills.root, 'runs'))).toEqual([])
  })

  test('is gone as well when the script could not be started', async () => {
    const skills = createSkillLab(folder())
    skills.add({ files: { 'scripts/run.sh': '#!/no/such/interpreter\n' } })
    expect((await skills.run()).error?.code).toBe('SKILL_EXECUTION_FAILED')
    expect(readdirSync(join(skills.root, 'runs'))).toEqual([])
  })

  test('is made in the next place when the first takes none', async () => {
    const [full, next] = [join(folder(), 'file'), join(folder(), 'next')]
    writeFileSync(full, '')
    const { lines } = await run('echo $SVC_BIN', { world: { runFolders: [full, next] } })
    expect(lines[0]?.startsWith(next)).toBe(true)
  })

  test('that no place takes ends the run before anything is started, and that is said', async () => {
    const { finished } = await run('echo started', { world: { runFolders: ['/proc/none'] } })
    expect(finished.error).toMatchObject({
      code: 'SKILL_EXECUTION_FAILED',
      message: expect.stringMatching(
        /could not be started: the program that SVC_BIN names cannot be written .*\/proc\/none/,
      ),
    })
    expect(finished).not.toHaveProperty('captured')
  })

  test('takes nothing that other users could write', async () => {
    const open = join(folder(), 'open')
    mkdirSync(open, { mode: 0o777 })
    chmodSync(open, 0o777)
    const { lines } = await run('stat -c %a $(dirname $SVC_BIN)', { world: { runFolders: [open] } })
    expect(lines).toEqual(['700'])
    expect(statSync(open).mode & 0o777).toBe(0o777)
  })

  test('has no secret of the server in it', async () => {
    const copy = join(folder(), 'copy')
    await run(`cat $SVC_BIN > ${copy}`)
    expect(readFileSync(copy, 'utf8')).toContain('SVC_SKILL_RUN_ID')
    expect(readFileSync(copy, 'utf8')).not.toContain('a-token-of-the-server')
  })
})
