// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** What a script logs is on record once for each call, within a bound, and in the reports. */
import { expect, test } from 'vitest'
import { FLOW_LOG_LINES_MAX } from '../../../../src/service/flows/language/limits.ts'
import { junitReport } from '../../../../src/service/flows/reports/junit.ts'
import { readAttempt } from '../../../../src/service/flows/run/command-log.ts'
import { newAttemptState } from '../../../../src/service/flows/run/interpreter.ts'
import { logLine, recordedLog } from '../../../../src/service/flows/run/script-log.ts'
import { flowBench } from '../../../support/flows/flow-bench.ts'
import { flowScripts } from '../../../support/flows/flow-scripts.ts'
import { attemptOf, flowOf, runOf } from '../reports/sample-runs.ts'

const YAML = "appId: a\n---\n- repeat: {times: 2, commands: [{evalScript: '${1}'}]}\n- tapOn: a\n"

/** Every evaluation logs one line. */
const logging = (...[seed, server]: Parameters<typeof flowScripts>) => {
  const scripts = flowScripts(seed, server)
  return {
    ...scripts,
    fillIn(...[text, at]: Parameters<typeof scripts.fillIn>) {
      at.onLog?.('a line', { file: at.file, line: at.line })
      return scripts.fillIn(text, at)
    },
  }
}

const logOf = ({ journal }: ReturnType<typeof flowBench>) => recordedLog(readAttempt(journal, 'run.1.1'))
const LINE = { text: 'a line', file: '/flows/main.yaml', line: 3 }

test('each call of a loop has its line', async () => {
  const bench = flowBench(YAML, { scriptsFor: logging })
  await bench.perform()
  expect(logOf(bench)).toEqual([LINE, LINE])
})

test.each([4, 5, 6, 7, 8, 9])('a process that goes on after write %i repeats none', async write => {
  const bench = flowBench(YAML, { scriptsFor: logging })
  await bench.perform({ cut: { write, as: 'stored' } })
  await bench.perform()
  expect(logOf(bench)).toEqual([LINE, LINE])
})

test('lines beyond the bound are dropped, and the last one says so', () => {
  const { journal } = flowBench(YAML)
  const attempt = { recorded: readAttempt(journal, 'run.1.1'), state: newAttemptState(0) }
  for (let n = 0; n < FLOW_LOG_LINES_MAX + 5; n++) logLine(attempt, { id: `${n}`, ...LINE })
  expect(attempt.state.log).toHaveLength(FLOW_LOG_LINES_MAX + 1)
  expect(attempt.state.log.at(-1)?.text).toContain('are not kept')
})

test('JUnit has them', () => {
  const run = runOf([flowOf({ attempts: [attemptOf({ log: [{ text: 'paid', file: 'flows/pay.js', line: 2 }] })] })])
  expect(junitReport(run, { cwd: '/project', attachments: new Map() }).text).toContain('Log: flows/pay.js:2: paid')
})
