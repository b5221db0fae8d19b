/** The flags that every command takes, anywhere before `--`. */
import type { Flag } from './command.ts'

export const GLOBAL_FLAGS: readonly Flag[] = [
  {
    name: 'device',
    aliases: ['device-id'],
    value: 'serial',
    summary: 'the device to use; needed when several are connected; in a fleet also <serial>@<host>, any, any:<labels>',
  },
  {
    name: 'operator-package',
    value: 'package',
    summary: 'the operator (default SVC_OPERATOR_PACKAGE, else the best on the device)',
  },
  { name: 'output', value: 'json|pretty', summary: 'how the result is printed (default json)' },
  { name: 'json', summary: 'the same as --output json' },
  {
    name: 'timeout',
    aliases: ['timeout-ms'],
    value: 'ms',
    summary: 'how long the command may take',
  },
  {
    name: 'policy',
    value: 'file',
    summary: 'the policy that decides what may run (default SVC_POLICY, else ~/.svc/policy.json)',
  },
  { name: 'no-daemon', summary: 'run in this process (or SVC_NO_DAEMON=1)' },
  { name: 'log-level', value: 'debug|info|warn|error', summary: 'how much is logged on stderr (default warn)' },
  { name: 'verbose', summary: 'print each transition on stderr as it happens' },
  { name: 'help', short: 'h', summary: 'show this help' },
  { name: 'version', summary: 'print the version of svc' },
]
