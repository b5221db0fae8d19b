/** `svc test`: runs flows in Maestro's format. */
import type { Command } from '../command.ts'

export const test: Command = {
  path: ['test'],
  text: async () => (await import('../text/test-run.ts')).testRunOutputText,
  summary: 'run flows (Maestro YAML) on every phone that is free',
  details:
    'Runs files and folders as they are; a folder runs its own flows, or those that its config.yaml names. Progress is on\n' +
    'stderr, with the id of the run in its first line; stdout gets {"testRun": {testRunId, verdict, flows, folder, ...}}.\n' +
    'Exits with 0 if all flows passed. failed: what the app or the suite did; indeterminate: what happened to us (a lost link,\n' +
    'a host that died); each command is an execution with a receipt (svc executions list --skill-run <test run>).\n' +
    'With -e NAME the value comes from the environment and is a secret: in journal, report and log stands a digest.\n' +
    'A run whose process was killed goes on with --resume: what is proven is not repeated.',
  args: [{ name: 'file', summary: 'flows, and folders of flows', rest: true }],
  writesOutput: true,
  flags: [
    {
      name: 'env',
      short: 'e',
      value: 'K=V',
      summary: 'a variable of all flows; -e K takes a secret from the environment',
      many: true,
    },
    { name: 'include-tags', value: 'a,b', summary: 'only flows with one of these tags', many: true },
    { name: 'exclude-tags', value: 'a,b', summary: 'no flow with one of these tags', many: true },
    {
      name: 'config',
      value: 'file',
      summary: 'the configuration of the workspace (default: config.yaml of the folder)',
    },
    { name: 'shard-split', value: 'n', summary: 'share the flows among at most n phones (default: all that are free)' },
    { name: 'shard-all', value: 'n', summary: 'run every flow on each of n phones' },
    { name: 'retries', value: 'n', summary: 'run a flow that did not pass up to n times more' },
    { name: 'fail-fast', summary: 'begin no flow after one has failed' },
    { name: 'rerun', value: 'run', summary: 'run the flows of an earlier run that did not pass (an id, or last)' },
    { name: 'resume', value: 'run', summary: 'go on with a run whose process was killed (an id, or last)' },
    {
      name: 'simulate',
      value: 'scenario',
      optional: /^(?!-)/,
      summary:
        'run on simulated phones; put it last, or write --simulate=<file>: a scenario, or screens that were seen',
    },
    { name: 'format', value: 'junit|ctrf|html', summary: 'write a report; may be given several times', many: true },
    {
      name: 'output-dir',
      aliases: ['test-output-dir'],
      value: 'folder',
      summary: 'where screenshots, videos and reports go',
    },
    { name: 'record-video', summary: 'record the screen of each attempt' },
    { name: 'validate-only', summary: 'check the flows and run nothing' },
    { name: 'watch', aliases: ['continuous'], short: 'c', summary: 'run again what a change of a file touches' },
  ],
  uses: ['device', 'lease', 'operator-package', 'policy'],
  examples: [
    'svc test .maestro',
    'svc test login.yaml -e USERNAME=ann -e PASSWORD',
    'svc test .maestro --include-tags smoke --format junit --output report.xml',
    'svc test .maestro --retries 1 --format html --output-dir build',
    'svc test --rerun last',
    'svc test flows --validate-only',
    'svc test flows --simulate app.scenario.json',
  ],
  run: async call => (await import('../test/run-tests.ts')).runTests(call),
}
