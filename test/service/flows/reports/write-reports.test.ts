/** Reports as files: where they go, what they take along, and what is said of those that cannot be written. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TraceExecution } from '../../../../src/contracts/doors/viewer.ts'
import type { TestReport } from '../../../../src/contracts/flows/test-report.ts'
import type { TestRun } from '../../../../src/contracts/flows/test-run.ts'
import {
  REPORT_PICTURES_BYTES_MAX,
  REPORT_TEXT_BYTES_MAX,
  REPORT_TRACES_BYTES_MAX,
} from '../../../../src/contracts/limits/report-limits.ts'
import {
  type ReportDeps,
  reportProblem,
  type WantedReport,
  writeReports,
} from '../../../../src/service/flows/reports/write-reports.ts'
import { smallPng } from '../../../support/pictures/small-png.ts'
import { temporary } from '../../../support/temporary.ts'
import { childOf, elementsOf, readXml } from './read-xml.ts'
import {
  attemptOf,
  commandAt,
  everyOutcome,
  FLOWS,
  failedAttempt,
  flowOf,
  HOSTILE,
  runOf,
  START,
} from './sample-runs.ts'

const root = temporary('svc-reports-')
let count = 0
let cwd = ''
beforeEach(() => {
  cwd = join(root(), `${count++}`)
  mkdirSync(cwd)
})

const put = (path: string, content: string | Uint8Array = '') => {
  const file = join(cwd, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  utimesSync(file, 1_000, 1_000)
  return file
}
const read = (path: string) => readFileSync(join(cwd, path), 'utf8')

const depsFor = (more: Partial<ReportDeps> = {}): ReportDeps => ({
  cwd,
  outputFolder: cwd,
  now: START + 99_000,
  version: '1.2.3',
  loadPage: async () => ({ script: 'report()', style: 'main{}' }),
  readTrace: async () => undefined,
  ...more,
})

const write = (run: TestRun, wanted: readonly WantedReport[], more: Partial<ReportDeps> = {}) =>
  writeReports(run, wanted, depsFor(more))

/** The failed flow with its files in a folder of the project. */
const evidence = (folder: string) => {
  put(join(folder, 'pay/failure.png'), smallPng)
  put(join(folder, 'pay/log.txt'), 'E/Shop: it broke')
  put(join(folder, 'pay/difference.png'), smallPng)
  return runOf([FLOWS.failed], { folder: join(cwd, folder) })
}

const ALL: readonly WantedReport[] = [{ format: 'junit' }, { format: 'ctrf' }, { format: 'html' }]

describe('files', () => {
  test('have names of their own in the output folder, which is made', async () => {
    const written = await write(everyOutcome(), ALL, { outputFolder: 'out/of/ci' })
    expect(written.map(({ ok, file }) => [ok, file])).toEqual(
      ['report.xml', 'report.json', 'report.html'].map(name => [true, join(cwd, 'out/of/ci', name)]),
    )
    expect(readdirSync(join(cwd, 'out/of/ci')).sort()).toEqual(['report.html', 'report.json', 'report.xml'])
    expect(elementsOf(readXml(read('out/of/ci/report.xml')), 'testcase')).toHaveLength(9)
  })

  test('go where the caller says, and replace what was there', async () => {
    put('mine.xml', 'old')
    await write(everyOutcome(), [{ format: 'junit', file: 'mine.xml' }])
    expect(read('mine.xml')).toContain('<testsuites')
    expect(readdirSync(cwd)).toEqual(['mine.xml'])
  })

  test('that are links stay links', async () => {
    put('real/report.xml')
    symlinkSync(join(cwd, 'real/report.xml'), join(cwd, 'report.xml'))
    await write(everyOutcome(), [{ format: 'junit' }])
    expect(read('real/report.xml')).toContain('<testsuites')
  })

  test('that cannot be written are refused with the reason; the others are written', async () => {
    put('file')
    mkdirSync(join(cwd, 'folder'))
    const wanted: WantedReport[] = [
      { format: 'junit', file: 'folder' },
      { format: 'junit', file: 'new/' },
      { format: 'junit', file: ' ' },
      { format: 'ctrf', file: 'file/report.json' },
      { format: 'ctrf', file: `${'x'.repeat(300)}.json` },
      { format: 'html' },
    ]
    const written = await write(everyOutcome(), wanted)
    expect(written.map(each => (each.ok ? 'written' : `${each.error.code} ${each.error.message}`))).toEqual([
      expect.stringMatching(/^INVALID_PATH .*: it is a folder\.$/),
      expect.stringMatching(/names a folder\.$/),
      expect.stringMatching(/blank/),
      expect.stringMatching(/is not a (directory|folder)|not a directory/),
      expect.stringMatching(/name that is too long/),
      'written',
    ])
    expect(readdirSync(cwd).sort()).toEqual(['file', 'folder', 'report.html'])
  })

  test.skipIf(process.getuid?.() === 0)('in a folder that may not be written to are refused', async () => {
    mkdirSync(join(cwd, 'closed'))
    chmodSync(join(cwd, 'closed'), 0o500)
    const [written] = await write(everyOutcome(), [{ format: 'junit', file: 'closed/report.xml' }])
    expect(written).toMatchObject({ ok: false, error: { code: 'INVALID_PATH' } })
  })
})

test('whether reports can be written is known before the run, and nothing is made for it', async () => {
  const problemOf = (wanted: readonly WantedReport[]) => reportProblem(wanted, { cwd, outputFolder: 'out' })
  expect(await problemOf(ALL)).toBeUndefined()
  expect(await problemOf([{ format: 'junit', file: '.' }])).toMatchObject({ code: 'INVALID_PATH' })
  const twice = await problemOf([
    { format: 'junit', file: 'a' },
    { format: 'ctrf', file: './a' },
  ])
  expect(twice?.message).toContain('two reports name this file')
  expect(readdirSync(cwd)).toEqual([])
})

describe('attachments', () => {
  const pathsOf = (report: string) => {
    const [found] = elementsOf(readXml(read(report)), 'testcase')
    const properties = childOf(found, 'properties')?.children.map(({ attributes }) => attributes) ?? []
    return {
      properties: properties.filter(({ name }) => name === 'attachment').map(({ value }) => value),
      lines: childOf(found, 'system-out')?.text.match(/\[\[ATTACHMENT\|.*\]\]/g),
    }
  }

  test('below the project stay where they are: named from the report, and from the project for GitLab', async () => {
    await write(evidence('runs/1'), [{ format: 'junit', file: 'out/report.xml' }])
    const { properties, lines } = pathsOf('out/report.xml')
    expect(properties[0]).toBe('../runs/1/pay/failure.png')
    expect(lines?.[0]).toBe('[[ATTACHMENT|runs/1/pay/failure.png]]')
    expect(existsSync(join(cwd, 'out', properties[0] ?? ''))).toBe(true)
    expect(readdirSync(join(cwd, 'out'))).toEqual(['report.xml'])
  })

  test('that lie elsewhere are copied beside the report, so that they travel with it', async () => {
    const run = evidence('home/runs/1')
    mkdirSync(join(cwd, 'project'))
    const folders = { cwd: join(cwd, 'project'), outputFolder: 'out' }
    await write(run, ALL, folders)
    const { properties, lines } = pathsOf('project/out/report.xml')
    expect(properties[0]).toBe(`report-files/${run.testRunId}/pay/failure.png`)
    expect(lines?.[0]).toBe(`[[ATTACHMENT|out/report-files/${run.testRunId}/pay/failure.png]]`)
    expect(readFileSync(join(cwd, 'project/out', properties[0] ?? ''))).toEqual(Buffer.from(smallPng))
  })

  test('outside of both are named absolutely for GitLab and Jenkins', async () => {
    const run = evidence('ci/runs/1')
    mkdirSync(join(cwd, 'project'))
    await write(run, [{ format: 'junit', file: join(cwd, 'ci/report.xml') }], { cwd: join(cwd, 'project') })
    expect(pathsOf('ci/report.xml').lines?.[0]).toBe(`[[ATTACHMENT|${cwd}/ci/runs/1/pay/failure.png]]`)
  })

  test('that are missing, no files or outside of the folder of the run are left out, and that is said', async () => {
    put('secret.txt', 'secret')
    mkdirSync(join(cwd, 'runs/1/folder'), { recursive: true })
    symlinkSync(join(cwd, 'secret.txt'), join(cwd, 'runs/1/link.txt'))
    const files = ['../../secret.txt', join(cwd, 'secret.txt'), 'link.txt', 'folder', 'gone.png']
    const attempt = failedAttempt({ files, commands: [] })
    const run = runOf([flowOf({ verdict: 'failed', attempts: [attempt] })], { folder: join(cwd, 'runs/1') })
    const written = await write(run, ALL)
    for (const each of written) expect(each).toMatchObject({ ok: true })
    for (const each of written)
      expect(each.ok ? each.notes.filter(note => /attachment/.test(note)) : []).toHaveLength(5)
    expect(read('report.xml')).not.toContain('ATTACHMENT')
    expect(read('report.html')).not.toContain('secret</')
  })
})

test('of many missing attachments only the first are named', async () => {
  const files = Array.from({ length: 300 }, (_, index) => `gone-${index}.png`)
  const [written] = await write(runOf([flowOf({ attempts: [attemptOf({ files })] })]), [{ format: 'junit' }])
  const notes = written?.ok ? written.notes : []
  expect(notes).toHaveLength(11)
  expect(notes.at(-1)).toBe('290 more attachments are left out: they cannot be read either.')
})

describe('the HTML file', () => {
  const dataOf = (id: string): unknown => {
    const text = new RegExp(`<script type="application/json" id="${id}">([^<]*)</script>`).exec(
      read('report.html'),
    )?.[1]
    return text === undefined ? undefined : JSON.parse(text)
  }
  const reportOf = () => dataOf('report') as TestReport

  test('holds the flows, pictures, logs and traces of the run, and lets nothing else in', async () => {
    put('flows/pay.yaml', 'appId: a\n---\n- back\n')
    const trace = { executionId: 'execution-3', timeline: [] } as unknown as TraceExecution
    await write(evidence('runs/1'), [{ format: 'html' }], {
      readTrace: async id => (id === 'execution-3' ? trace : undefined),
    })
    const { sources, texts, pictures, traces, links, omitted } = reportOf()
    expect(sources).toEqual({ 'flows/pay.yaml': 'appId: a\n---\n- back\n' })
    expect(texts).toEqual({ 'pay/log.txt': 'E/Shop: it broke' })
    const picture = `data:image/png;base64,${Buffer.from(smallPng).toString('base64')}`
    expect(dataOf(pictures['pay/failure.png'] ?? '')).toBe(picture)
    expect(dataOf(traces['execution-3'] ?? '')).toEqual(trace)
    expect(links['pay/log.txt']).toBe('runs/1/pay/log.txt')
    expect(omitted).toEqual([
      expect.stringContaining('flows/login.yaml'),
      expect.stringContaining('2 traces left out: the journal'),
    ])
    expect(read('report.html')).toMatch(/Content-Security-Policy" content="default-src &#39;none&#39;; script-src/)
  })

  test('is not broken by any text', async () => {
    put('flows/pay.yaml', `</script><script>alert(1)</script>${HOSTILE}`)
    await write(runOf([FLOWS.hostile]), [{ format: 'html' }])
    expect(read('report.html').match(/<script/g)).toHaveLength(2)
    expect(reportOf().run.flows[0]?.name).toBe(HOSTILE)
  })

  test('says that a flow has been changed since the run began', async () => {
    const file = put('flows/pay.yaml', 'new')
    utimesSync(file, START / 1_000 + 1, START / 1_000 + 1)
    await write(runOf([flowOf()]), [{ format: 'html' }])
    expect(reportOf().omitted).toContainEqual(expect.stringMatching(/^flows\/pay.yaml has been changed/))
  })

  test('is bounded, tells what is left out, and keeps the pictures and traces of failures', async () => {
    const large = new Uint8Array(REPORT_PICTURES_BYTES_MAX - 1_000)
    put('runs/1/passed.png', large)
    put('runs/1/failed.png', large)
    put('runs/1/log.txt', `first\n${'x'.repeat(REPORT_TEXT_BYTES_MAX)}\nlast`)
    const passed = attemptOf({ files: ['passed.png'], commands: [commandAt(0, { executionIds: ['passed'] })] })
    const failed = failedAttempt({
      files: ['failed.png', 'log.txt'],
      commands: [
        commandAt(0, { executionIds: ['before'] }),
        commandAt(1, { executionIds: ['failed'], verdict: 'failed' }),
      ],
    })
    const flows = [
      flowOf({ name: 'A', attempts: [passed] }),
      flowOf({ name: 'B', verdict: 'failed', attempts: [failed] }),
    ]
    const title = 'x'.repeat(REPORT_TRACES_BYTES_MAX - 1_000)
    const [written] = await write(runOf(flows, { folder: join(cwd, 'runs/1') }), [{ format: 'html' }], {
      readTrace: async executionId => ({ executionId, title }) as unknown as TraceExecution,
    })
    const { pictures, traces, texts, omitted } = reportOf()
    expect(Object.keys(pictures)).toEqual(['failed.png'])
    expect(Object.keys(traces)).toEqual(['failed'])
    expect(texts['log.txt']).toMatch(/^\(The first \d+ bytes are left out\.\)\nlast$/)
    expect(omitted).toContainEqual(expect.stringMatching(/^1 picture left out/))
    expect(omitted).toContainEqual(expect.stringMatching(/^2 traces left out/))
    expect(written).toMatchObject({ ok: true, notes: omitted })
  })

  test('is there without the built page as well', async () => {
    await write(everyOutcome(), [{ format: 'html' }], { loadPage: async () => ({ script: '', style: '' }) })
    expect(read('report.html')).toContain('<h1>failed: 2 of 9 flows passed, 3 failed</h1>')
  })
})
