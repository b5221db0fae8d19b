/** The topic `output`: results, and where they are printed. */
export const OUTPUT = `Output: what is printed, and where

stdout has the result alone; logs, progress and hints go to stderr. Nothing is ever asked, and a
terminal or a pipe makes no difference to what a result holds.

  svc devices                       one line of JSON (--output json, the default)
  svc devices --output pretty       the same JSON, indented
  svc devices --output text         for people; its form may change between versions
  svc devices --json                the same as --output json

The variable SVC_OUTPUT sets the default. With text, failures go to stderr and stdout stays empty;
with json and pretty, a failure is printed on stdout like any other result:

  {"code": "NO_DEVICES", "message": "...", "hint": "...", "retriable": true, "details": {...}}

The code is stable, so scripts should compare it; message and hint are for people.

A command that runs on a device prints {envelope, deviceId, executionId, ...}. The envelope has a
status, success or failed, and stepResults: for each step its id, success and data. All values
in data are strings.

  svc snapshot | jq -r '.envelope.stepResults[0].data.text'
  svc read "Battery" | jq -r '.envelope.stepResults[0].data.text'

See what a command would send, without a device:

  svc click "About phone" --dry-run
  svc click "About phone" --validate-only

Follow what happens while it happens:

  svc click "About phone" --verbose
  svc watch

Logs on stderr: --log-level debug, info, warn (the default) or error. The exit code is 0 or 1, see
svc help exit-codes.`
