/** `svc inspect`: watch actors, executions and devices in a browser. */
import { SERVE_PORT } from '../../../contracts/limits/limits.ts'
import type { Command } from '../command.ts'

export const inspect: Command = {
  path: ['inspect'],
  text: async () => (await import('../viewer/inspect.ts')).viewerText,
  serves: true,
  summary: 'open the viewer: actors live, their history, executions, and the screens of devices',
  details:
    'Uses the server that listens on the port if it shows this home; otherwise starts one, on a free port if that one is\n' +
    'taken and --port does not name it, which runs until a signal comes. Prints {url, started}. The page is GET /inspector of svc serve.',
  args: [{ name: 'actor', summary: 'begin with this actor, such as device:emulator-5554' }],
  flags: [
    {
      name: 'port',
      value: 'port',
      summary: `the port to look at and to listen on (default ${SERVE_PORT}, else any free one)`,
    },
    { name: 'no-open', summary: 'print the address and open no browser' },
  ],
  uses: ['policy'],
  examples: ['svc inspect', 'svc inspect device:emulator-5554 --no-open'],
  run: async call => (await import('../viewer/inspect.ts')).inspect(call),
}
