/** The worked example of the documentation does what it says, command by command. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readScenario } from '../../src/simulator/scenario/scenario.ts'
import { catalogue } from '../../src/surfaces/cli/commands/catalogue.ts'
import { parse } from '../../src/surfaces/cli/flags/parse-all.ts'
import { page } from '../build/docs/documents.ts'
import { runCliHere } from '../support/cli/cli-here.ts'
import { type Lab, startLab } from '../support/executions/lab.ts'

const COMMANDS = await catalogue.all()

const section = page('simulated-phones').split('## Write a scenario')[1] ?? ''
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1] ?? ''

const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
const commands = blockOf('sh')
  .split('\n')
  .map(wordsOf)
  .filter(([program, name]) => program === 'svc' && name !== 'simulate')
  .map(([, ...words]) => words)

let lab: Lab
beforeAll(async () => {
  const parsed = readScenario(blockOf('json'))
  if (!parsed.ok) throw new Error(parsed.error)
  lab = await startLab({ scenario: parsed.scenario })
})
afterAll(() => lab.close())

test('the commands are those of svc', () => {
  expect(commands.length).toBeGreaterThan(5)
  for (const words of commands) expect(parse(COMMANDS, words).kind).toBe('run')
})

test.each(['com.svc.operator', 'svc.shell'])('through %s, each command succeeds', async operator => {
  const [device] = lab.fleet.devices
  device?.phone.clearData('com.example.vault')
  device?.phone.startActivity({ packageName: 'com.example.vault', extras: {} })
  const env = { HOME: lab.home, SVC_TCP_DEVICES: device?.serial ?? '', SVC_OPERATOR_PACKAGE: operator }
  for (const words of commands) {
    const { code, stdout } = await runCliHere(words, { env })
    expect({ words, code, stdout }).toMatchObject({ code: 0 })
  }
})
