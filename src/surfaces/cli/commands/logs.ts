/** `svc logs` and `svc notifications`: what a device says of itself. */
import { LOG_LINES } from '../../../contracts/limits/log-limits.ts'
import type { Command } from '../command.ts'

const logs: Command = {
  path: ['logs'],
  text: 'unchanged',
  summary: 'print the log of a device, or follow it until a signal comes',
  details:
    'Prints the lines that the device has, oldest first, each as a JSON object: {time, pid, tid, uid, level, tag, message,\n' +
    'applicationId}. A message may have several lines. With --follow it then waits for more, also while the device is away\n' +
    'for up to two minutes; each line is printed once. Where the device had to drop lines, stderr says between which times.\n' +
    'The lines of --app are found by the user that the application runs as, so that they go on when it is started again.',
  flags: [
    { name: 'follow', summary: 'go on with what will be logged, until a signal comes' },
    { name: 'app', value: 'package', summary: 'only lines of this application' },
    { name: 'level', value: 'level', summary: 'verbose, debug, info, warn, error or fatal, and all above it' },
    {
      name: 'limit',
      value: 'n',
      summary: `only the last lines, 1 to ${LOG_LINES.max}; with --follow, before what comes`,
    },
    { name: 'since', value: 'time', summary: '10m ago (s, m, h, d), an ISO time, or boot, which is the default' },
  ],
  uses: ['device'],
  examples: [
    'svc logs --since 10m --level warn',
    'svc logs --limit 50 --output text',
    'svc logs --follow --app com.example.notes --output text',
    'svc logs --app com.example.notes | jq -r .message',
  ],
  run: async call => (await import('../devices/logs.ts')).printLogs(call),
}

const notifications: Command = {
  path: ['notifications'],
  text: async () => (await import('../devices/logs.ts')).notificationsText,
  summary: 'list the notifications of a device',
  details:
    'Prints {"notifications": [{applicationId, id, key, title, text, channel, importance, ongoing, at}], "count"}, the latest\n' +
    'first; what a notification does not have is left out.',
  uses: ['device'],
  examples: ['svc notifications', 'svc notifications --output text'],
  run: async call => (await import('../devices/logs.ts')).listNotifications(call),
}

export const LOGS: readonly Command[] = [logs, notifications]
