/** The authoring skills cannot rot: every command in them is run before a simulated device, and succeeds. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { FAILURES } from '../../../src/contracts/failures/failures.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import { readScenario } from '../../../src/simulator/scenario/scenario.ts'
import { page } from '../../build/docs/documents.ts'
import { freePort } from '../../support/adb/free-ports.ts'
import { CLI } from '../../support/cli/run-cli.ts'
import { svcLab } from '../../support/cli/svc-lab.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { needs, programOnPath } from '../../support/needs.ts'
import { type Block, type SkillText, skillTexts, tokensIn } from '../../support/skills/skill-text.ts'

const lab = svcLab()
const texts = skillTexts()
const LONGEST_MS = 60_000

const BROWSER = {
  package: 'com.example.browser',
  label: 'Browser',
  intents: [{ uri: 'https:*' }],
  screens: { main: { nodes: [{ text: 'Example' }] } },
}
const usual = defaultScenario()
const parsed = readScenario(JSON.stringify({ apps: [BROWSER] }))
if (!parsed.ok) throw new Error(parsed.error)
const scenario = { ...usual, apps: [...usual.apps, ...parsed.scenario.apps] }

/** A caller's shell: `svc` and a stand-in for npm on the PATH, a folder of its own. */
const startShell = async () => {
  const place = await lab({ scenario })
  const bin = join(place.home, 'bin')
  const cwd = join(place.home, 'work')
  for (const folder of [bin, cwd]) mkdirSync(folder)
  writeFileSync(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o755 })
  const answer = JSON.stringify({ version: '99.0.0', bin: { svc: 'dist/svc.cjs' } })
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho '${answer}'\n`, { mode: 0o755 })
  writeFileSync(
    join(cwd, 'payload.json'),
    JSON.stringify(payloadOf([{ id: 'home', type: 'press_key', params: { key: 'home' } }])),
  )
  writeFileSync(
    join(cwd, 'flow.yaml'),
    'appId: com.android.settings\n---\n- launchApp\n- tapOn:\n    id: com.android.settings:id/search\n',
  )
  const port = await freePort()
  const env = { ...place.env, PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}` }
  const run = (script: string) =>
    promisify(execFile)(
      programOnPath('bash') ?? '',
      ['--norc', '-euo', 'pipefail', '-c', script.replace(/\b3000\b/g, String(port))],
      {
        cwd,
        env,
        timeout: LONGEST_MS,
        maxBuffer: 16 * 1_024 * 1_024,
      },
    ).then(({ stdout }) => stdout)
  await run('svc install')
  return { place, cwd, run }
}
type Shell = Awaited<ReturnType<typeof startShell>>

/** As the text says: the function `run` of the skill that was just made. */
const replaceRun = (skillPath: string, text: string) => {
  const file = join(skillPath, 'scripts/run.js')
  const before = readFileSync(file, 'utf8')
  const after = before.replace(/^const run = async \(\) => \{[\s\S]*?^\}\n/m, () => text)
  expect(after).not.toBe(before)
  writeFileSync(file, after)
}

/** As the text says: under the name it gives, and listed in both places. */
const addRecipe = (skillPath: string, registryPath: string, { text: skill }: SkillText, recipe: string) => {
  const [, name = ''] = /`artifacts\/(\S+\.recipe\.json)`/.exec(skill) ?? []
  const [, listed = ''] = /`(skills\/\S+\.recipe\.json)`/.exec(skill) ?? []
  mkdirSync(join(skillPath, 'artifacts'))
  writeFileSync(join(skillPath, 'artifacts', name), recipe)
  const change = (file: string, entryOf: (json: { skills: { path: string }[] }) => object) => {
    const json = JSON.parse(readFileSync(file, 'utf8'))
    Object.assign(entryOf(json), { artifacts: [listed] })
    writeFileSync(file, JSON.stringify(json))
  }
  change(join(skillPath, 'skill.json'), json => json)
  change(registryPath, ({ skills }) => skills.find(({ path }) => skillPath.endsWith(path)) ?? {})
}

const follow = async (skill: SkillText, shell: Shell) => {
  let made = { skillPath: '', registryPath: '' }
  const perform = async ({ language, text }: Block) => {
    if (language === 'js') replaceRun(made.skillPath, text)
    else if (language === 'json') addRecipe(made.skillPath, made.registryPath, skill, text)
    else {
      const stdout = await shell.run(text)
      const created = stdout.split('\n').find(line => line.startsWith('{"created"'))
      if (created) made = JSON.parse(created)
    }
  }
  for (const block of skill.blocks) await perform(block)
}

describe.skipIf(!needs('bash') || !needs('curl') || !needs('git'))('every command is run', () => {
  test.concurrent.each(texts)(
    '$name: its blocks, in order',
    async skill => {
      expect(skill.blocks.map(({ language }) => language).filter(each => !['sh', 'js', 'json'].includes(each))).toEqual(
        [],
      )
      const shell = await startShell()
      await follow(skill, shell)
    },
    180_000,
  )

  /** Ends when it is told to. */
  const SERVING = /^svc (serve|simulate --scenario)/

  let made = 0
  const filled = (command: string, { deviceId, executionId }: { deviceId: string; executionId: string }) =>
    command
      .replaceAll('<id>', () => `com.android.settings.made-${made++}`)
      .replaceAll('<flow>', 'flow.yaml')
      .replaceAll('<serial>', deviceId)
      .replaceAll('<executionId>', executionId)
      .replaceAll('<skill_id>', 'com.android.settings.example')
      .replaceAll('<package>', 'com.android.settings')
      .replaceAll('<keyword>', 'example')
      .replaceAll('<command>', 'click')
      .replaceAll('<file>', 'payload.json')

  const serve = async (shell: Shell, command: string) => {
    await shell.run(`${command} > out.txt 2>&1 & pid=$!
      for i in $(seq 300); do grep -qE 'listens|"ok":true' out.txt && break; sleep 0.1; done
      kill $pid; wait $pid || true; grep -E 'listens|"ok":true' out.txt`)
  }

  const executionOf = async (shell: Shell): Promise<{ deviceId: string; executionId: string }> =>
    JSON.parse(await shell.run('svc executions list --limit 1')).executions[0]

  /** What they do depends on what is in front. */
  const ON_SCREEN =
    /^svc (back|click|exec|open|press|read|read-value|screenshot|scroll|scroll-until|snapshot|type|wait)\b/

  /** Where the command is meant to be used. */
  const prepareScreen = async ({ place }: Shell, command: string) => {
    const isAbout = command.includes('Android version')
    const isFarDown = ['--label Battery', 'click Battery', 'click --text Battery', 'wait --text Battery'].some(far =>
      command.includes(far),
    )
    const steps = [
      ['press', 'home'],
      ['close', 'com.android.settings'],
      ['open', 'com.android.settings'],
      ...(isFarDown ? [['scroll-until', '--text', 'Battery']] : []),
      ...(isAbout ? [['scroll-until', '--text', 'About phone', '--click']] : []),
    ]
    for (const step of steps) expect(await place.svc(step)).toMatchObject({ code: 0 })
  }

  test.concurrent('the commands inside sentences', async () => {
    const shell = await startShell()
    await shell.run(`svc skills new com.android.settings.example
      svc open com.android.settings; svc snapshot > 1.json; svc simulate from-dump 1.json --output app.json; svc open com.android.settings`)
    const execution = await executionOf(shell)
    for (const command of new Set(texts.flatMap(({ inline }) => inline))) {
      if (ON_SCREEN.test(command)) await prepareScreen(shell, command)
      const line = filled(command, execution)
      expect(line).not.toMatch(/<\w+>/)
      if (SERVING.test(line)) await serve(shell, line.replace(/^svc serve$/, 'svc serve --port 0'))
      else await shell.run(line).catch(error => expect(`${command}: ${error.stdout}${error.stderr}`).toBe(''))
    }
  }, 300_000)
})

/** A model reads the orientation at every start. */
const ORIENTATION_TOKENS_MAX = 1_500

test('what a model reads at every start is short', () => {
  const sizes = Object.fromEntries(texts.map(({ name, text }) => [name, tokensIn(text)]))
  expect(Object.keys(sizes)).toHaveLength(5)
  expect(sizes['svc-agent-orientation']).toBeLessThan(ORIENTATION_TOKENS_MAX)
  for (const tokens of Object.values(sizes)) expect(tokens).toBeLessThan(2 * ORIENTATION_TOKENS_MAX)
})

test('the documentation states the size of each', () => {
  const stated = texts.map(
    ({ name }) => new RegExp(`^\\| \`${name}\` \\|.*\\| ([\\d,]+) \\|$`, 'm').exec(page('install'))?.[1],
  )
  expect(stated).toEqual(texts.map(({ text }) => tokensIn(text).toLocaleString('en-US')))
})

test('each has the head that agents find it by, under its own name', () => {
  for (const { name, text } of texts) {
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
    expect(head).toContain(`name: ${name}\n`)
    expect(/^description: .{40,1024}$/m.test(head)).toBe(true)
  }
})

test('each code that they name is one of ours', () => {
  const codes = texts.flatMap(({ text }) => [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, code = '']) => code))
  expect(codes.length).toBeGreaterThan(20)
  expect(codes.filter(code => !Object.hasOwn(FAILURES, code))).toEqual([])
})
