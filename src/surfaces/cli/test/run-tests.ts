/** `svc test`: plans, runs, tells how far it is, and writes the reports. */

import { runAt } from '../../../contracts/failures/result-hints.ts'
import type { TestProgress, TestRun } from '../../../contracts/flows/test-run.ts'
import { withErrors } from '../../../contracts/run-errors.ts'
import { type ReportDeps, reportProblem, writeReports } from '../../../service/flows/reports/write-reports.ts'
import type { BegunRun, TestRuns } from '../../../service/flows/test-runs.ts'
import { viewerFolder } from '../../../service/traces/assets.ts'
import { loadReportPage, readReportTrace } from '../../../service/traces/trace-html.ts'
import type { CommandParts } from '../../command-parts.ts'
import { type CommandContext, CommandError, type CommandResult, usage } from '../command.ts'
import { concernsFleet } from '../executions/execution-command.ts'
import { isOutputFormat } from '../flags/flag-values.ts'
import { programFile } from '../process.ts'
import { createPage } from '../text/page.ts'
import { testRunText } from '../text/test-run.ts'
import { createTestTeller } from './teller.ts'
import { type TestRequest, testRequest } from './test-flags.ts'

/** Gives reports the page of the viewer, and the traces of executions. */
const reportDeps = ({ clock }: CommandContext, services: CommandParts): Omit<ReportDeps, 'cwd' | 'outputFolder'> => ({
  now: clock.now(),
  version: __SVC_VERSION__,
  loadPage: async () => loadReportPage(viewerFolder(programFile())),
  readTrace: executionId => readReportTrace(services.journal(), executionId),
})

const LAST = 'last'

const namedRun = async (testRuns: TestRuns, name: string): Promise<string> => {
  if (name !== LAST) return name
  const [newest] = await testRuns.list()
  if (!newest) throw new CommandError('TEST_RUN_NOT_FOUND', 'There is no run of flows yet.')
  return newest.testRunId
}

/** The flows of an earlier run that did not pass. */
const repeated = async (testRuns: TestRuns, name: string, { request, ...rest }: TestRequest): Promise<TestRequest> => {
  const testRunId = await namedRun(testRuns, name)
  const rerun = await testRuns.rerunOf(testRunId)
  if (!rerun) throw new CommandError('TEST_RUN_NOT_FOUND', `The journal has no run of flows ${testRunId}.`)
  if (!rerun.ok) throw usage(rerun.problem)
  const earlier = rerun.request
  const overrides = Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== undefined && value !== false && value !== 0),
  )
  // Its paths begin where the earlier run was asked for.
  const cwd = request.paths === undefined ? earlier.cwd : request.cwd
  const env = { ...earlier.env, ...request.env }
  const missing = (earlier.secrets ?? []).filter(secret => env[secret] === undefined)
  if (missing.length > 0)
    throw usage(`Give the secrets of the run again: ${missing.map(each => `-e ${each}`).join(' ')}.`)
  return {
    ...rest,
    request: {
      ...earlier,
      ...overrides,
      cwd,
      env,
      secrets: [...(earlier.secrets ?? []), ...(request.secrets ?? [])],
    },
  }
}

const teller = (call: CommandContext) => {
  const { io, clock, env } = call
  const width = io.errorColumns()
  const page = createPage({
    width,
    hasColours: width !== undefined && !env.NO_COLOR && env.TERM !== 'dumb',
    now: clock.now(),
    offset: at => -new Date(at).getTimezoneOffset(),
    tookMs: 0,
    given: call,
    path: ['test'],
  })
  // Programs read stdout, and people what failed on stderr.
  const summarize = (run: TestRun) => io.note(testRunText(page, run))
  return { ...createTestTeller({ io, clock, page }), summarize }
}

const finished = async (
  call: CommandContext,
  services: CommandParts,
  run: TestRun,
  { reports, outputFolder }: TestRequest,
) => {
  const folders = { cwd: call.cwd, outputFolder: outputFolder ?? call.cwd }
  const written = await writeReports(run, reports, { ...folders, ...reportDeps(call, services) })
  const failed = written.flatMap(each => (each.ok ? [] : [each.error]))
  for (const each of written) {
    if (each.ok) for (const note of [`Wrote ${each.file}.`, ...each.notes]) call.io.note(note)
  }
  for (const error of failed) call.log.error(`${error.code}: ${error.message}`)
  return failed.length === 0
}

/** A terminal that shows the summary is not given the run as JSON as well, unless that was asked for. */
const printsRun = (call: CommandContext): boolean =>
  call.format === 'text' ||
  !call.io.isTerminal() ||
  call.io.errorColumns() === undefined ||
  call.isOn('json') ||
  call.all('output').some(isOutputFormat) ||
  isOutputFormat(call.env.SVC_OUTPUT?.trim())

const outcome = (call: CommandContext, run: TestRun, isWritten: boolean): CommandResult => ({
  ok: true,
  ...(printsRun(call) ? { output: { testRun: run } } : {}),
  ...(run.verdict === 'passed' && isWritten ? {} : { exits: 1 }),
})

const begunOrThrow = (begun: BegunRun): Extract<BegunRun, { ok: true }> => {
  if (begun.ok) return begun
  throw new CommandError(begun.error.code as CommandError['code'], begun.error.message, begun.error)
}

const NEEDS_SCENARIO =
  'A simulated phone without a scenario has the settings application alone: name the scenario of yours with --simulate=app.json.'

/** The run in the words of the command line; a phone that `--simulate` made has the applications of its scenario alone. */
const forCaller = (call: CommandContext, run: TestRun): TestRun =>
  withErrors(runAt('cli', run), error =>
    call.text('simulate') === '' && error.code === 'APP_NOT_FOUND' ? { ...error, hint: NEEDS_SCENARIO } : error,
  )

interface Running {
  readonly call: CommandContext
  readonly services: CommandParts
  readonly testRuns: TestRuns
  readonly wanted: TestRequest
}

type Begin = (onProgress: (progress: TestProgress) => void) => Promise<BegunRun>

/** One run to its end, with its reports; the signal of the command cancels it. */
const runOnce = async ({ call, services, testRuns, wanted }: Running, begin: Begin) => {
  const display = teller(call)
  try {
    const begun = begunOrThrow(await begin(progress => display.tell(progress)))
    const cancel = () => void testRuns.cancel(begun.testRunId)
    call.signal.addEventListener('abort', cancel, { once: true })
    if (call.signal.aborted) cancel()
    const run = forCaller(call, await begun.ended)
    call.signal.removeEventListener('abort', cancel)
    display.end()
    if (call.format !== 'text') display.summarize(run)
    const isWritten = await finished(call, services, run, wanted)
    const stored = await testRuns.read(run.testRunId, call.format === 'text')
    return { run: stored ? forCaller(call, stored) : run, isWritten }
  } finally {
    display.end()
  }
}

/** Reads what is asked for, where an earlier run may have a say. */
const requestOf = async (call: CommandContext, testRuns: TestRuns, devices: readonly string[] | undefined) => {
  const wanted = testRequest(call)
  const rerun = call.text('rerun')
  const chosen = rerun === undefined ? wanted : await repeated(testRuns, rerun, wanted)
  return devices ? { ...chosen, request: { ...chosen.request, devices: [...devices] } } : chosen
}

/** Runs over the phones of this machine, or of the fleet. */
const perform = async (
  call: CommandContext,
  services: CommandParts,
  testRuns: TestRuns,
  devices?: readonly string[],
): Promise<CommandResult> => {
  const resumed = call.text('resume')
  const isWatched = call.isOn('watch')
  const conflicting = ['resume', 'rerun'].find(flag => call.text(flag) !== undefined)
  if (isWatched && conflicting !== undefined) throw usage(`Only one of --watch and --${conflicting} can be given.`)
  const wanted = await requestOf(call, testRuns, devices)
  if (resumed === undefined && wanted.request.paths === undefined)
    throw usage('Name the flows: svc test <file|folder>...')
  const unwritable = await reportProblem(wanted.reports, {
    cwd: call.cwd,
    outputFolder: wanted.outputFolder ?? call.cwd,
  })
  if (unwritable) return { ok: false, output: unwritable }
  const running = { call, services, testRuns, wanted }
  if (isWatched) {
    const { watchTests } = await import('./watch-tests.ts')
    return watchTests(call, wanted.request, async onlyNames => {
      const request = { ...wanted.request, onlyNames }
      const { run } = await runOnce(running, onProgress => testRuns.start(request, onProgress))
      if (!call.signal.aborted && printsRun(call)) await call.announce({ testRun: run })
      return run.verdict
    })
  }
  const { run, isWritten } = await runOnce(running, async onProgress =>
    resumed === undefined
      ? testRuns.start(wanted.request, onProgress)
      : testRuns.resume(await namedRun(testRuns, resumed), wanted.request.env ?? {}, onProgress),
  )
  return outcome(call, run, isWritten)
}

export const runTests = async (call: CommandContext): Promise<CommandResult> => {
  if (call.isOn('validate-only')) return (await import('./validate.ts')).validateTests(call)
  if (call.text('simulate') !== undefined) {
    const { startSimulated } = await import('./simulated.ts')
    return startSimulated(call, async (services, serials) =>
      perform(call, services, await services.testRuns(), serials),
    )
  }
  const services = await call.services()
  if (!concernsFleet(call.env, undefined)) return perform(call, services, await services.testRuns())
  const { inFleet, serviceWithFleet, fleetUnreachable } = await import('../fleet/session.ts')
  const ownService = await services.service()
  const done = await inFleet(call, async client =>
    perform(call, services, await services.testRuns(serviceWithFleet(ownService, client, call))),
  )
  if (done.kind === 'done') return done.value
  return { ok: false, output: fleetUnreachable(done.reason === 'interrupted' ? done.reason : done.why) }
}
