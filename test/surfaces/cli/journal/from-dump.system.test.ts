/** `svc simulate from-dump` and `--schema`: from files to files, and what is never overwritten. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { ROOT } from '../../../architecture/sources.ts'
import { page } from '../../../build/docs/documents.ts'
import { callCli } from '../../../support/cli/call-cli.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-from-dump-')
const DUMP = `<hierarchy rotation="0"><node text="Hi" package="com.a" class="android.widget.TextView" enabled="true" bounds="[0,0][720,1280]" /></hierarchy>`

const inFolder = (...argv: string[]) => callCli(argv, { cwd: folder() })
const file = (name: string, content = DUMP) => writeFileSync(join(folder(), name), content)

test('prints the scenario, with what is left to do on stderr', async () => {
  file('main.xml')
  const { code, json, notes } = await inFolder('simulate', 'from-dump', 'main.xml')
  expect(code).toBe(0)
  expect(json()).toMatchObject({
    device: { size: { width: 720, height: 1_280 } },
    front: 'com.a',
    apps: [{ package: 'com.a', screens: { main: { frame: false, nodes: [{ text: 'Hi' }] } } }],
  })
  expect(notes.at(-1)).toContain('onTap')
})

test('writes a file, and overwrites none without --force', async () => {
  file('main.xml')
  file('app.json', 'mine')
  const refused = await inFolder('simulate', 'from-dump', 'main.xml', '--output', 'app.json')
  expect(refused.json()).toMatchObject({
    code: 'USAGE',
    message: 'app.json already exists.',
    hint: expect.stringContaining('--force'),
  })
  expect(readFileSync(join(folder(), 'app.json'), 'utf8')).toBe('mine')
  const forced = await inFolder('simulate', 'from-dump', 'main.xml', '--output', 'app.json', '--force')
  expect(forced.json()).toMatchObject({ apps: ['com.a'], screens: ['main'] })
  expect(JSON.parse(readFileSync(join(folder(), 'app.json'), 'utf8')).apps).toHaveLength(1)
})

test('says what is wrong with a file', async () => {
  file('bad.xml', 'ERROR: null root node')
  mkdirSync(join(folder(), 'folder'))
  const messageOf = async (...files: string[]) => (await inFolder('simulate', 'from-dump', ...files)).json().message
  expect(await messageOf('bad.xml')).toBe('bad.xml is not a dump: there is no hierarchy (at character 0).')
  expect(await messageOf('folder')).toBe('folder is not a file.')
  execFileSync('mkfifo', [join(folder(), 'pipe')])
  expect(await messageOf('pipe')).toBe('pipe is not a file.')
  expect(await messageOf('absent')).toContain('absent cannot be read: ENOENT')
  expect(await messageOf()).toContain('<file> is missing')
  expect(await messageOf(...Array.from({ length: 101 }, () => 'bad.xml'))).toBe('At most 100 dumps are taken at once.')
})

test('the published schema takes the example of the documentation', async () => {
  const { code, json } = await inFolder('simulate', '--schema')
  expect(code).toBe(0)
  const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(json())
  const section = page('simulated-phones').split('## Write a scenario')[1] ?? ''
  const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(section)?.[1] ?? '')
  expect(validate(example)).toBe(true)
  example.apps[0].screens.login.nodez = []
  expect(validate(example)).toBe(false)
  expect(JSON.parse(readFileSync(join(ROOT, 'dist/schemas/scenario.schema.json'), 'utf8'))).toEqual(json())
})
