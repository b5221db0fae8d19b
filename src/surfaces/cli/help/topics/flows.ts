/** The topic `flows`: runs of flows in Maestro's format. */
export const FLOWS = `Flows: tests in Maestro's format, on every phone that is free

  svc test .maestro
  svc test login.yaml -e USERNAME=ann -e PASSWORD
  svc test .maestro --validate-only
  svc test login.yaml --simulate

A flow is a YAML file: a header, a line ---, and a list of commands. All files are checked before
anything runs. -e NAME takes a value from the environment, and keeps it out of journal and reports.

  passed         every command did what it says
  failed         the app or the suite is at fault
  indeterminate  svc, the host or the link is at fault, or the outcome of a command is unknown
  skipped        not begun, because an earlier flow has failed
  cancelled      somebody ended the run

The exit code is 0 if every flow passed. Only the last attempt of a flow counts (--retries).

Run again what did not pass, or go on with a run whose process was killed:

  svc test --rerun last
  svc test --resume last

Run again what a change touches, until Ctrl-C:

  svc test .maestro --watch

Each command is an execution with a receipt, filed under the test run and its flow runs:

  svc executions list --skill-run <testRunId>

Reports for CI and for people:

  svc test .maestro --format junit --output report.xml --format html --output-dir build

Make a flow of what was done by hand, and a skill of a flow:

  svc skills record com.example.app.login --from last --format flow
  svc skills new com.example.app.login --from-flow login.yaml`
