/** The flows of the fixtures have every command of the language, and are read from real files. */
import { mkdtemp, readFile, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { validateFlows } from '../../../../src/service/flows/language/check-flows.ts'
import type { Command } from '../../../../src/service/flows/language/command.ts'
import { COMMANDS } from '../../../../src/service/flows/language/command-table.ts'
import { describeCommand } from '../../../../src/service/flows/language/describe-command.ts'
import { settleCommand } from '../../../../src/service/flows/language/evaluate/settle-command.ts'
import { flowLibrary } from '../../../../src/service/flows/language/flow-library.ts'
import { hostFlowFiles } from '../../../../src/service/flows/language/host-flow-files.ts'
import { readWorkspace } from '../../../../src/service/flows/language/plan/read-workspace.ts'
import { readFlow } from '../../../../src/service/flows/language/read/read-flow.ts'

const SYNTAX = join(import.meta.dirname, '../../../fixtures/flows/syntax')

const validate = (...paths: readonly string[]) =>
  validateFlows(flowLibrary(hostFlowFiles), { paths, includeTags: [], excludeTags: [] })

const withNested = (command: Command): readonly Command[] => {
  const { commands } = command.params
  return [command, ...(commands?.kind === 'commands' ? commands.commands.flatMap(withNested) : [])]
}

const fixtureCommands = async () => {
  const { flows, problems, warnings } = await validate(SYNTAX)
  expect(problems).toEqual([])
  expect(warnings).toMatchObject([{ line: 9, message: expect.stringMatching(/^autoVerify has no effect/) }])
  const library = flowLibrary(hostFlowFiles)
  const read = await Promise.all(flows.map(({ file }) => library.flow(file)))
  return read.flatMap(each =>
    each.ok
      ? [...each.flow.config.onFlowStart, ...each.flow.commands, ...each.flow.config.onFlowComplete].flatMap(withNested)
      : [],
  )
}

test('the fixtures have every command, and none of them has a fault', async () => {
  const keys = new Set((await fixtureCommands()).map(({ key }) => key))
  expect(Object.keys(COMMANDS).filter(key => !keys.has(key as keyof typeof COMMANDS))).toEqual([])
})

test('each command of the fixtures is an action once its expressions are known', async () => {
  const context = {
    interpolate: async (text: string) => text.replace(/\$\{[^}]*\}/g, text.includes('next') ? 'sign-in.yaml' : '1'),
    library: flowLibrary(hostFlowFiles),
    appId: 'com.example',
    directory: SYNTAX,
    running: [],
  }
  const problems: unknown[] = []
  for (const command of await fixtureCommands()) {
    const settled = await settleCommand(command, context)
    if (!settled.ok) problems.push(settled.problems)
  }
  expect(problems).toEqual([])
})

test('each command of the fixtures has words that say more than its key', async () => {
  const commands = await fixtureCommands()
  const lines = commands.map(describeCommand)
  expect(lines.filter(line => line.includes('undefined') || line !== line.trim() || line.length > 160)).toEqual([])
  expect(lines).toEqual(
    expect.arrayContaining([
      'Tap on "Log in"',
      'Focus the password',
      'Assert that "Log in" is not visible',
      'Tap on "Add" in id row with "Blue shirt" and "\\$\\d+" in it',
      'Swipe left from id carousel',
      'Long press on the point 50%,50%',
      'Run commands when the platform is Android and "Allow" is visible and "Denied" is not visible',
      'Repeat while "Done" is not visible',
    ]),
  )
})

test('the plan of the fixtures is what their configuration says', async () => {
  const { flows, orderedCount } = await validate(SYNTAX)
  expect(flows.map(({ name }) => name)).toEqual(['Sign in', 'checkout', 'devices', 'forms', 'search'])
  expect(orderedCount).toBe(2)
})

test('the faults of a subflow that many flows name are told once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flows-'))
  for (const name of ['a', 'b']) await writeFile(join(folder, `${name}.yaml`), 'appId: a\n---\n- runFlow: parts.txt\n')
  await writeFile(join(folder, 'parts.txt'), 'appId: a\n---\n- nothing\n')
  const { problems, flows } = await validate(folder)
  expect(problems).toMatchObject([{ file: join(folder, 'parts.txt'), line: 3 }])
  expect(flows.map(({ files }) => files.length)).toEqual([2, 2])
})

test('no file is read beyond its bound, and no link to a folder is followed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flows-'))
  await writeFile(join(folder, 'a.yaml'), 'appId: a\n---\n- back\n')
  await writeFile(join(folder, 'config.yaml'), 'flows: "**"')
  await symlink(folder, join(folder, 'loop'))
  await symlink(join(folder, 'a.yaml'), join(folder, 'b.yaml'))
  expect((await validate(folder)).flows.map(({ name }) => name)).toEqual(['a', 'b'])
  await truncate(join(folder, 'a.yaml'), 50_000_000)
  expect((await validate(join(folder, 'a.yaml'))).problems).toMatchObject([
    { message: 'The file has more than 1048576 bytes.' },
  ])
})

test('the examples of the documentation are read', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/flow-language.md'), 'utf8')
  const [flow = '', workspace = ''] = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text)
  expect(readFlow(flow, '/flow.yaml')).toMatchObject({ ok: true, warnings: [] })
  expect(readWorkspace(workspace, '/config.yaml')).toMatchObject({
    ok: true,
    workspace: { testOutputDir: 'build/flows' },
  })
})

test('every command stands in the documentation', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/flow-language.md'), 'utf8')
  const words = new Set(page.match(/\w+/g))
  expect(Object.keys(COMMANDS).filter(key => !words.has(key))).toEqual([])
  const keys: string[] = Object.values(COMMANDS).flatMap(spec => Object.keys(spec.params))
  expect(keys.filter(key => !words.has(key))).toEqual([])
})
