/** Where files of flows go, and what of a repository can lead them elsewhere. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { writeReports } from '../../../src/service/flows/reports/write-reports.ts'
import { attemptOf, type FlowLab, startFlowLab, suiteScenario } from '../../support/flows/flow-lab.ts'

const SCENARIO = 'test/fixtures/flows/suite.scenario.json'

let lab: FlowLab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

const workspace = (config: string, commands: string) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-places-')))
  writeFileSync(join(folder, 'config.yaml'), config)
  writeFileSync(join(folder, 'shots.yaml'), `appId: com.example.depot\n---\n- launchApp\n${commands}\n`)
  return folder
}

const run = async (cwd: string, options: object = {}) => {
  lab ??= await startFlowLab({ scenario: suiteScenario(SCENARIO), hostScale: 0.05 })
  const { run } = await lab.run([cwd], { cwd, outputFolder: undefined, defaultOutputFolder: cwd, ...options })
  return run
}

test('the folder of the caller goes before testOutputDir, and that before the working directory', async () => {
  const cwd = workspace('testOutputDir: build/shots\n', '- takeScreenshot: one')
  expect(attemptOf(await run(cwd), 'shots').verdict).toBe('passed')
  expect(existsSync(join(cwd, 'build/shots/one.png'))).toBe(true)
  await run(cwd, { outputFolder: join(cwd, 'mine') })
  expect(existsSync(join(cwd, 'mine/one.png'))).toBe(true)
  writeFileSync(join(cwd, 'config.yaml'), 'includeTags: []\n')
  await run(cwd)
  expect(existsSync(join(cwd, 'one.png'))).toBe(true)
})

test('testOutputDir leads no run out of the folders that are open to its caller', async () => {
  const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'svc-elsewhere-')))
  const cwd = workspace(`testOutputDir: ${elsewhere}\n`, '- takeScreenshot: one')
  const roots = { caller: 'http', fileRoots: [cwd], defaultOutputFolder: undefined }
  expect(await run(cwd, roots)).toMatchObject({ error: { message: expect.stringContaining('testOutputDir') } })
  symlinkSync(elsewhere, join(cwd, 'link'))
  writeFileSync(join(cwd, 'config.yaml'), 'testOutputDir: link\n')
  expect(await run(cwd, roots)).toMatchObject({ error: { message: expect.stringContaining('testOutputDir') } })
  expect(readdirSync(elsewhere)).toEqual([])
  writeFileSync(join(cwd, 'config.yaml'), 'testOutputDir: out\n')
  expect(attemptOf(await run(cwd, roots), 'shots').verdict).toBe('passed')
  expect(existsSync(join(cwd, 'out/one.png'))).toBe(true)
})

test('links in a repository lead pictures, differences, videos and reports nowhere else', async () => {
  const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'svc-elsewhere-')))
  for (const command of ['takeScreenshot: link/one', 'startRecording: link/one', 'assertScreenshot: link/one']) {
    const cwd = workspace('includeTags: []\n', `- ${command}`)
    symlinkSync(elsewhere, join(cwd, 'link'))
    expect(attemptOf(await run(cwd), 'shots').verdict, command).toBe('failed')
  }
  const cwd = workspace('includeTags: []\n', '- takeScreenshot: one')
  const done = await run(cwd)
  mkdirSync(join(cwd, 'reports'))
  symlinkSync(elsewhere, join(cwd, 'link'))
  symlinkSync(elsewhere, join(cwd, 'reports/report-files'))
  writeFileSync(join(elsewhere, 'mine.xml'), 'mine')
  symlinkSync(join(elsewhere, 'mine.xml'), join(cwd, 'report.xml'))
  const deps = { cwd, outputFolder: cwd, now: 0, version: '1', loadPage: async () => ({ script: '', style: '' }) }
  const written = await writeReports(
    done,
    ['link/report.xml', 'report.xml', 'reports/report.xml'].map(file => ({ format: 'junit', file })),
    { ...deps, readTrace: async () => undefined },
  )
  expect(written.map(({ ok }) => ok)).toEqual([false, false, true])
  expect(written[2]).toMatchObject({ notes: [expect.stringContaining('left out')] })
  expect(readdirSync(elsewhere)).toEqual(['mine.xml'])
})

test.each(['takeScreenshot', 'startRecording', 'assertScreenshot'])(
  '%s names no file by a secret, nor by nothing',
  async command => {
    const cwd = workspace('includeTags: []\n', `- ${command}: "shot-\${PW}"`)
    const named = await run(cwd, { env: { PW: 'zebra-hunter-77' }, secrets: ['PW'] })
    expect(attemptOf(named, 'shots')).toMatchObject({ verdict: 'failed', error: { code: 'FILE_REFUSED' } })
    expect(JSON.stringify(named)).not.toContain('zebra')
    const names = [cwd, lab?.home ?? ''].flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    expect(names.filter(name => name.includes('zebra'))).toEqual([])
    const unnamed = await run(workspace('includeTags: []\n', `- ${command}: "\${''}"`))
    expect(attemptOf(unnamed, 'shots')).toMatchObject({ verdict: 'failed', error: { code: 'FLOW_INVALID' } })
  },
)

test('a path that leads out of the folder is refused with a hint about the path', async () => {
  const left = await run(workspace('includeTags: []\n', '- takeScreenshot: ../x'))
  const { error } = attemptOf(left, 'shots')
  expect(error).toMatchObject({ code: 'FILE_REFUSED', hint: expect.stringContaining('Name a path below that folder') })
})
